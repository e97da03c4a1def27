// Bugs of contracts that are planted: found within a bounded number of runs under each seed, made as short as they can
// be, found again by their stories, and none in their repaired twins.

import { createEmulator } from 'tickchain'
import { exploreContracts, replay } from 'tickchain/explore'
import { describe, expect, test } from 'vitest'
import { allInLong, scaled } from '../../../size.ts'
import { CLASSIC } from './classic.ts'
import { deploy, PLANTED } from './planted.ts'

const SEEDS = Array.from({ length: scaled(1) }, (_, index) => 1 + index)
/** The runs under each seed in which none is found in a repaired twin. */
const CLEAN_RUNS = scaled(96)

describe.each(allInLong(PLANTED, [...PLANTED, ...CLASSIC]))('$name', (planted) => {
  test.each(SEEDS)('is found with seed %i, and its story fails again', async (seed) => {
    const chain = await createEmulator()
    const scene = await deploy(chain, planted, 'planted')
    const failed = await exploreContracts(chain, { ...scene, runs: planted.runs ?? 960, seed }).then(
      () => undefined,
      (error: { story: string; kind: string }) => error,
    )
    const [kind, name] = planted.breaks
    expect(failed?.kind).toBe(kind)
    const story = JSON.parse(failed?.story ?? '')
    expect(story.broke).toEqual({ kind, name })
    expect(story.calls.length).toBeGreaterThanOrEqual(planted.calls)
    expect(story.calls.length).toBeLessThanOrEqual(1.3 * planted.calls)
    await expect(replay(chain, scene, failed?.story ?? '')).rejects.toMatchObject({
      kind,
      story: failed?.story,
    })

    const repaired = await createEmulator()
    await replay(repaired, await deploy(repaired, planted, 'repaired'), failed?.story ?? '')
  })

  test('is not there in the repaired twin', async () => {
    const chain = await createEmulator()
    const scene = await deploy(chain, planted, 'repaired')
    for (const seed of SEEDS) {
      const report = await exploreContracts(chain, { ...scene, runs: CLEAN_RUNS, seed })
      expect(report).toMatchObject({ runs: CLEAN_RUNS, broken: 0 })
      expect(report.calls - report.failed).toBeGreaterThan(CLEAN_RUNS)
    }
  })
})
