// supersim, installed from npm, has the genesis that the recording says. `RECORD=1` writes it.

import { readFileSync, writeFileSync } from 'node:fs'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { readDump } from './genesis.ts'
import { isAvailable, startSupersim } from './there.ts'

const recording = new URL('genesis.json', import.meta.url)

// The package has an executable for Linux on x64 only.
describe.runIf(isAvailable)('supersim', () => {
  test('has the genesis as recorded', async () => {
    const side = await startSupersim()
    try {
      const request = { method: 'anvil_dumpState', params: [] }
      const genesis = readDump((await side.l2.request(request as never)) as Hex)
      if (process.env['RECORD'] !== undefined)
        writeFileSync(recording, `${JSON.stringify(genesis, null, 2)}\n`)
      expect(genesis).toEqual(JSON.parse(readFileSync(recording, 'utf8')))
    } finally {
      await side.close()
    }
  })
})
