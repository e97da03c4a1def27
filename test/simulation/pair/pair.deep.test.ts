// More pairs, each for longer, when SEEDS says how many; LENGTH sets how many commands each performs, and SEED runs one
// alone. Not on every run: a pair of a hundred commands and its copies take gigabytes.
import { expect, test } from 'vitest'
import { testPairs } from './pairs.ts'

const { SEED, FROM = '0', SEEDS = '0', LENGTH = '100' } = process.env
const first = Number(FROM)
const seeds = SEED === undefined ? Array.from({ length: Number(SEEDS) }, (_, i) => first + i) : [Number(SEED)]

let finalised = 0
testPairs(seeds, Number(LENGTH), (run) => {
  finalised += run.finalised
})

test.skipIf(seeds.length < 2)('withdrawals came to their end', () => {
  expect(finalised).toBeGreaterThan(0)
})
