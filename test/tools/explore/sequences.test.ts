// Sequences are drawn as fast-check draws arrays, and shrink by leaving items out before an item becomes simpler.

import { array, check, nat, property, sample } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sequencesOf } from '../../../src/tools/explore/sequences.ts'

const SEEDS = [1, 2, 3, 4, 5, 6]

test.each([1, 7, 40])('of up to %i items are drawn as arrays are', (maxLength) => {
  for (const seed of SEEDS) {
    const options = { seed, numRuns: 60 }
    const arrays = sample(array(nat(), { maxLength, size: 'max' }), options)
    expect(sample(sequencesOf(nat(), maxLength), options)).toEqual(arrays)
  }
})

describe.each(SEEDS)('with seed %i, a failure of three items', (seed) => {
  const failing: number[][] = []
  const needsThree = property(sequencesOf(nat(1000), 40), (items) => {
    const holds = items.filter((each) => each > 500).length < 3
    if (!holds) failing.push([...items])
    return holds
  })
  const { counterexample } = check(needsThree, { seed, numRuns: 100 })

  test('has three, as simple as they can be', () => {
    expect(counterexample).toEqual([[501, 501, 501]])
  })

  test('has three before the first of them changes', () => {
    const drawn = new Set(failing[0])
    const changed = failing.find((items) => items.some((each) => !drawn.has(each)))
    expect(changed).toHaveLength(3)
  })
})

test('given sequences shrink as well', () => {
  const given = [1, 700, 2, 800, 3, 900, 4]
  const needsTwo = property(
    sequencesOf(nat(1000), 7),
    (items) => items.filter((each) => each > 500).length < 2,
  )
  const { counterexample } = check(needsTwo, { examples: [[given]], numRuns: 1, seed: 0 })
  expect(counterexample).toEqual([[501, 501]])
})
