// Random chains, observed by clients with subscriptions, filters and the stream of flashblock payloads.
// SEEDS, GROUPS and SEED as in simulation.test.ts.

import { beforeAll, describe, expect, test } from 'vitest'
import { type Run, simulate } from './simulation.ts'
import { type Watched, watchAgain } from './watch-again.ts'

const { SEED, SEEDS = '9', GROUPS = '50' } = process.env
const seeds = SEED === undefined ? Array.from({ length: Number(SEEDS) }, (_, i) => i) : [Number(SEED)]
const length = Number(GROUPS)

describe.each(seeds)('seed %i', (seed) => {
  let run: Run
  let watched: Watched
  beforeAll(async () => {
    run = await simulate(seed, length, 'unchecked')
    watched = await watchAgain(run, seed)
  }, 60_000)

  test('what clients are told comes in order and adds up to the chain', () => {
    expect(watched.told.length).toBeGreaterThan(length)
  })

  test('a chain that is watched answers as one that is not', () => {
    const expected = run.transcript.slice(0, watched.transcript.length)
    const first = watched.transcript.findIndex((line, index) => line !== expected[index])
    expect(watched.transcript[first]).toBe(expected[first])
  })

  test('the same is told when it is done once more', async () => {
    const again = await watchAgain(run, seed)
    const first = again.told.findIndex((line, index) => line !== watched.told[index])
    expect(again.told[first]).toBe(watched.told[first])
    expect(again.told).toEqual(watched.told)
  })
})
