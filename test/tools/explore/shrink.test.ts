// Sequences are drawn as fast-check draws arrays, and become simpler by leaving items out before an item becomes simpler.

import { type Arbitrary, array, nat, sample, Value } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryRandom } from '../../../src/tools/explore/random.ts'
import { drawSequence, simplerBy, simplify } from '../../../src/tools/explore/shrink.ts'

const SEEDS = [1, 2, 3, 4, 5, 6]
const item: Arbitrary<number> = nat(1000)

function draw(seed: number, run: number, most = 40): Value<number>[] {
  return drawSequence(item, most, arbitraryRandom(seed, run), run)
}

test.each([1, 7, 40])('of up to %i items have the lengths of arrays', (maxLength) => {
  const runs = Array.from({ length: 400 }, (_, run) => run)
  const mean = (lists: readonly unknown[][]) =>
    lists.reduce((sum, { length }) => sum + length, 0) / lists.length
  const drawn = runs.map((run) => draw(1, run, maxLength))
  const arrays = sample(array(nat(), { maxLength, size: 'max' }), { seed: 1, numRuns: 400 })
  expect(Math.max(...drawn.map(({ length }) => length))).toBe(maxLength)
  expect(Math.abs(mean(drawn) - mean(arrays))).toBeLessThan(0.1 * maxLength + 0.1)
})

/** Makes a sequence simpler that fails if so many items are above 500. Items of less than 100 never count. */
async function simplified(start: readonly Value<number>[], needed: number, attempts = 10_000) {
  const failing: number[][] = []
  let tried = 0
  await simplify(
    {
      simpler: (each) => simplerBy(item, each),
      attempts,
      async attempt(items) {
        tried++
        if (items.filter((each) => each > 500).length < needed) return undefined
        failing.push([...items])
        return items.flatMap((each, at) => (each < 100 ? [] : [at]))
      },
    },
    start,
  )
  return { failing, tried }
}

describe.each(SEEDS)('with seed %i, a failure of three items', (seed) => {
  const run = Array.from({ length: 100 }, (_, each) => each).find(
    (each) => draw(seed, each).filter(({ value }) => value > 500).length >= 3,
  )

  test('has three, as simple as they can be', async () => {
    const { failing } = await simplified(draw(seed, run ?? 0), 3)
    expect(failing.at(-1)).toEqual([501, 501, 501])
  })

  test('has three before the first of them changes', async () => {
    const drawn = new Set(draw(seed, run ?? 0).map(({ value }) => value))
    const { failing } = await simplified(draw(seed, run ?? 0), 3)
    const changed = failing.find((items) => items.some((each) => !drawn.has(each)))
    expect(changed).toHaveLength(3)
  })
})

test('given sequences become simpler as well, and what does not count is left out at once', async () => {
  const given = [1, 700, 2, 800, 3, 900, 4].map((value) => new Value(value, undefined))
  const { failing } = await simplified(given, 2)
  expect(failing.at(-1)).toEqual([501, 501])
  // Without the last four; then without all items of less than 100.
  expect(failing[1]?.every((each) => each >= 100)).toBe(true)
})

test('no more is tried than allowed', async () => {
  const given = Array.from({ length: 30 }, () => new Value(900, undefined))
  expect((await simplified(given, 3, 7)).tried).toBe(7)
})

test('an item takes the part of another that is left out', async () => {
  // Up to 60 each, 100 in all: two at least.
  let last: readonly number[] = []
  await simplify<number>(
    {
      simpler: (each) => simplerBy(item, each),
      joined: ({ value }, left) =>
        value + left.value <= 60 ? [new Value(value + left.value, undefined)] : [],
      attempts: 1000,
      async attempt(items) {
        if (items.reduce((sum, each) => sum + each, 0) < 100) return undefined
        last = items
        return [...items.keys()]
      },
    },
    [30, 30, 30, 30].map((value) => new Value(value, undefined)),
  )
  expect(last).toHaveLength(2)
  expect(last.reduce((sum, each) => sum + each, 0)).toBe(100)
})
