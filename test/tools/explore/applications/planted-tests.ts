// Bugs of applications that are planted: found within a bounded number of runs under each seed, and none in their repaired
// twins, nor without an adversary.

import { createEmulator } from 'tickchain'
import { explore, replay } from 'tickchain/explore'
import { describe, expect, test } from 'vitest'
import { sampled } from '../../../size.ts'
import { PLANTED, setUp } from './planted.ts'

/** The runs within which a bug is found. */
const RUNS = 1000
const DEPTH = 12

async function failureOf(exploring: Promise<unknown>) {
  return exploring.then(
    () => undefined,
    (error: { kind?: string; story?: string; message: string }) => error,
  )
}

/** `cleanRuns`: the runs under each seed in which none is found in a repaired twin, nor without an adversary. */
export function testPlanted(seeds: readonly number[], cleanRuns: number): void {
  describe.each(sampled(PLANTED))('$name', ({ options, breaks, needs }) => {
    const bounds = { runs: cleanRuns, depth: DEPTH }

    test.each(seeds)('is found with seed %i, and its story fails again', async (seed) => {
      const chain = await createEmulator()
      await setUp(chain)
      const failed = await failureOf(
        explore(chain, { ...options('planted'), runs: RUNS, depth: DEPTH, seed }),
      )
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
      for (const seed of seeds) {
        const chain = await createEmulator()
        await setUp(chain)
        const report = await explore(chain, { ...options('repaired'), ...bounds, seed })
        expect(report.runs).toBe(cleanRuns)
        expect(report.events[needs]).toBeGreaterThan(cleanRuns / 20)
      }
    })

    test('is not found without the adversary', async () => {
      const chain = await createEmulator()
      await setUp(chain)
      const report = await explore(chain, { ...options('planted'), ...bounds, adversary: [] })
      expect(report.runs).toBe(cleanRuns)
    })
  })
}
