// supersim, installed from npm, has the layer 1 that the recording says. `RECORD=1` writes it.

import { readFileSync, writeFileSync } from 'node:fs'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { readL1Dump } from './l1-genesis.ts'
import { isAvailable, startSupersim } from './there.ts'

const recording = new URL('l1-genesis.json', import.meta.url)

// The package has an executable for Linux on x64 only.
describe.runIf(isAvailable)('supersim', () => {
  test('has the layer 1 as recorded', async () => {
    const side = await startSupersim()
    try {
      const request = { method: 'anvil_dumpState', params: [] }
      const genesis = readL1Dump((await side.l1.request(request as never)) as Hex)
      if (process.env['RECORD'] !== undefined)
        writeFileSync(recording, `${JSON.stringify(genesis, null, 2)}\n`)
      expect(genesis).toEqual(JSON.parse(readFileSync(recording, 'utf8')))
    } finally {
      await side.close()
    }
  })
})
