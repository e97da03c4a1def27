// Random chains, watched by clients that subscribe, filter and follow the stream of partial blocks.

import { beforeAll, describe, expect, test } from 'vitest'
import { type Run, simulate } from './simulation.ts'
import { type Watched, watchAgain } from './watch-again.ts'

/** Watches a chain for each seed through a number of groups of commands. */
export function testEvents(seeds: readonly number[], length: number): void {
  describe.each(seeds)('seed %i', (seed) => {
    let run: Run
    let watched: Watched
    beforeAll(async () => {
      run = await simulate(seed, length, 'unchecked')
      watched = await watchAgain(run, seed)
    })

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
}
