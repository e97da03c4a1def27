// Chains driven by seeded random commands. SEEDS sets how many seeds are run, GROUPS how long each runs, and
// SEED runs one alone: SEED=7 npx vitest run test/simulation/simulation.test.ts

import { beforeAll, describe, expect, test } from 'vitest'
import { type Manner, type Run, simulate } from './simulation.ts'

const { SEED, SEEDS = '12', GROUPS = '32' } = process.env
const seeds = SEED === undefined ? Array.from({ length: Number(SEEDS) }, (_, i) => i) : [Number(SEED)]
const groups = Number(GROUPS)

/** Simulates, and says of a failure how to see it again. */
async function simulateOrTell(seed: number, manner: Manner): Promise<Run> {
  try {
    return await simulate(seed, groups, manner)
  } catch (error) {
    const replay = `SEED=${seed} GROUPS=${groups} npx vitest run test/simulation/simulation.test.ts`
    throw new Error(`${manner}: ${(error as Error).message}\nreplay with ${replay}`, { cause: error })
  }
}

const ways: readonly (readonly [string, Manner])[] = [
  ['when performed once more', 'unchecked'],
  ['when commands do not wait for one another', 'unawaited'],
  ['when every step is taken back by a revert and performed again', 'reverted'],
  ['when it goes on with clones, while what was cloned goes astray', 'cloned'],
]

describe.each(seeds)('seed %i', (seed) => {
  let plain: Run | undefined
  beforeAll(async () => {
    plain = await simulateOrTell(seed, 'plain')
  })

  test('runs, and what must hold of a chain holds after every step', () => {
    expect(plain?.transcript.length).toBeGreaterThan(groups)
    expect(plain?.transcript.filter((line) => line.includes('"code":-32603'))).toEqual([])
  })

  test.each(ways)('has the same outcome %s', async (_, manner) => {
    const other = await simulateOrTell(seed, manner)
    const first = other.transcript.findIndex((line, index) => line !== plain?.transcript[index])
    // The first line that differs says more than the digest, which covers them all.
    expect(other.transcript[first], `replay with SEED=${seed} GROUPS=${groups}`).toBe(
      plain?.transcript[first],
    )
    expect(other.digest).toBe(plain?.digest)
    expect(other.headHash).toBe(plain?.headHash)
  })
})
