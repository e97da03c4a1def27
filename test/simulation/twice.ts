// Chains driven by seeded random commands, in several ways.

import { beforeAll, describe, expect, test } from 'vitest'
import { expectSame, simulateOrTell } from './check.ts'
import { isInternal } from './commands.ts'
import type { Manner, Run } from './simulation.ts'

const ways: readonly (readonly [string, Manner])[] = [
  ['when performed once more', 'unchecked'],
  ['when commands do not wait for one another', 'unawaited'],
  ['when every step is taken back by a revert and performed again', 'reverted'],
  ['when it goes on with clones, while what was cloned goes astray', 'cloned'],
]

/** Drives a chain for each seed through a number of groups of commands, in all ways. */
export function testSeeds(seeds: readonly number[], groups: number): void {
  describe.each(seeds)('seed %i', (seed) => {
    let plain: Run | undefined
    beforeAll(async () => {
      plain = await simulateOrTell(seed, groups, 'plain')
    })

    test('runs, and what must hold of a chain holds after every step', () => {
      expect(plain?.transcript.length).toBeGreaterThan(groups)
      expect(plain?.transcript.filter(isInternal)).toEqual([])
    })

    test.each(ways)('has the same outcome %s', async (_, manner) => {
      const other = await simulateOrTell(seed, groups, manner)
      await expectSame(seed, plain!, other, manner)
      expect(other.digest).toBe(plain?.digest)
      expect(other.headHash).toBe(plain?.headHash)
    })
  })
}
