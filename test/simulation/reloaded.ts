// Random chains, dumped and loaded elsewhere: the copy is equal to the byte and continues like the original.

import { describe, expect, test } from 'vitest'
import { checkOrTell } from './check.ts'
import { checkDump, checkExport } from './reload.ts'
import { simulate } from './simulation.ts'
import { isControlled } from './world.ts'

/** Loads a chain for each seed, after a number of groups of commands. */
export function testDumps(seeds: readonly number[], groups: number): void {
  describe.each(seeds)('seed %i', (seed) => {
    test('a loaded dump is the chain', async () => {
      const { program } = await simulate(seed, groups, 'unchecked')
      await expect(checkOrTell(seed, program, 'dump', checkDump)).resolves.toBeUndefined()
    })

    // What was edited does not follow from the blocks.
    test.skipIf(isControlled(seed))('exported blocks are the chain', async () => {
      const { program } = await simulate(seed, groups, 'unchecked')
      await expect(checkOrTell(seed, program, 'export', checkExport)).resolves.toBeUndefined()
    })
  })
}
