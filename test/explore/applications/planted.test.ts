// Bugs of applications that are planted: found within a bounded number of runs under three seeds, and none in their
// repaired twins, nor without an adversary.

import { createEmulator } from 'tickchain'
import { explore, replay } from 'tickchain/explore'
import { describe, expect, test } from 'vitest'
import { PLANTED, setUp } from './planted.ts'

const SEEDS = [1, 2, 3]
/** The runs within which a bug is found. */
const RUNS = 1000
/** The runs under each seed in which none is found in a repaired twin, nor without an adversary. */
const CLEAN_RUNS = 100
const DEPTH = 12

async function failureOf(exploring: Promise<unknown>) {
  return exploring.then(
    () => undefined,
    (error: { kind?: string; story?: string; message: string }) => error,
  )
}

describe.each(PLANTED)('$name', ({ options, breaks, needs }) => {
  const bounds = { runs: CLEAN_RUNS, depth: DEPTH }

  test.each(SEEDS)('is found with seed %i, and its story fails again', async (seed) => {
    const chain = await createEmulator()
    await setUp(chain)
    const failed = await failureOf(explore(chain, { ...options('planted'), runs: RUNS, depth: DEPTH, seed }))
    expect(failed).toMatchObject({ kind: 'invariantBroken', story: expect.any(String) })
    const { steps, broke } = JSON.parse(failed?.story ?? '')
    expect(broke).toEqual({ kind: 'invariantBroken', name: breaks })
    expect(steps.map((step: { adversary?: string }) => step.adversary)).toContain(needs)
    await expect(replay(chain, options('planted'), failed?.story ?? '')).rejects.toMatchObject({
      story: failed?.story,
    })
    await replay(chain, options('repaired'), failed?.story ?? '')
  })

  test('is not there in the repaired twin', async () => {
    for (const seed of SEEDS) {
      const chain = await createEmulator()
      await setUp(chain)
      const report = await explore(chain, { ...options('repaired'), ...bounds, seed })
      expect(report.runs).toBe(CLEAN_RUNS)
      expect(report.events[needs]).toBeGreaterThan(CLEAN_RUNS / 20)
    }
  })

  test('is not found without the adversary', async () => {
    const chain = await createEmulator()
    await setUp(chain)
    const report = await explore(chain, { ...options('planted'), ...bounds, adversary: [] })
    expect(report.runs).toBe(CLEAN_RUNS)
  })
})
