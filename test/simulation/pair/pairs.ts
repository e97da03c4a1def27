// Pairs driven by seeded random commands, in several manners.

import { beforeAll, describe, expect, test } from 'vitest'
import { expectSamePair, type PairManner, type PairRun, simulatePair } from './simulation.ts'

const MANNERS: readonly (readonly [string, PairManner])[] = [
  ['when performed once more', 'again'],
  ['when commands do not wait for one another', 'unawaited'],
  ['when every command is taken back by a revert and performed again', 'reverted'],
  ['when it goes on with clones, while what was cloned changes', 'cloned'],
]

/** Drives a pair for each seed through a number of commands. `note` gets each run. */
export function testPairs(
  seeds: readonly number[],
  length: number,
  note: (run: PairRun) => void = () => undefined,
): void {
  describe.each(seeds)('seed %i', (seed) => {
    let run: PairRun | undefined
    beforeAll(async () => {
      run = await simulatePair(seed, length)
      note(run)
    })

    test('runs, and what must hold of a pair holds after every command', () => {
      expect(run?.transcript.length).toBeGreaterThan(length)
    })

    test.each(MANNERS)('has the same outcome %s', async (_, manner) => {
      await expect(expectSamePair(seed, run!, manner)).resolves.toBeUndefined()
    })
  })
}
