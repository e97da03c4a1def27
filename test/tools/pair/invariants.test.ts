// Random commands on a pair, twice: origins, deposits and time are as they must be, and equal.
import { expect, test } from 'vitest'
import { blockOf } from './clients.ts'
import { play } from './random-play.ts'

test.each([1])('seed %i', async (seed) => {
  const [one, two] = [await play(seed, 24), await play(seed, 24)]
  expect((await blockOf(one.l2, 'latest')).hash).toBe((await blockOf(two.l2, 'latest')).hash)
})
