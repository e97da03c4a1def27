// supersim, installed from npm, does what the recording says. `RECORD=1` writes it.

import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { expectRecomputable } from '../../core/chain/recomputable.ts'
import { play } from './scenario.ts'
import { isAvailable, startSupersim } from './there.ts'

const recording = new URL('recorded.json', import.meta.url)

// The package has an executable for Linux on x64 only.
describe.runIf(isAvailable)('supersim', () => {
  test('bridges as recorded', async () => {
    const side = await startSupersim()
    try {
      const facts = await play(side)
      if (process.env['RECORD'] !== undefined) writeFileSync(recording, `${JSON.stringify(facts, null, 2)}\n`)
      expect(facts).toEqual(JSON.parse(readFileSync(recording, 'utf8')))
      const request = (method: string, params: readonly unknown[] = []) =>
        side.l2.request({ method, params } as never) as Promise<unknown>
      // All deposits of the scenario but the one beyond its sender's balance, which supersim loses.
      expect((await expectRecomputable(request)).deposits).toBe(11)
    } finally {
      await side.close()
    }
  })
})
