// Random chains, taken elsewhere: what was loaded is the same to the byte, and goes on as the chain does.

import { describe, test } from 'vitest'
import { checkOrTell } from './check.ts'
import { checkDump, checkExport } from './reload.ts'
import { simulate } from './simulation.ts'
import { isControlled } from './world.ts'

/** Loads a chain for each seed, so many groups of commands long. */
export function testDumps(seeds: readonly number[], groups: number): void {
  describe.each(seeds)('seed %i', (seed) => {
    test('a loaded dump is the chain', async () => {
      const { program } = await simulate(seed, groups, 'unchecked')
      await checkOrTell(seed, program, 'dump', checkDump)
    })

    // What was edited does not follow from the blocks.
    test.skipIf(isControlled(seed))('exported blocks are the chain', async () => {
      const { program } = await simulate(seed, groups, 'unchecked')
      await checkOrTell(seed, program, 'export', checkExport)
    })
  })
}
