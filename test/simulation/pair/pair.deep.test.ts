// More pairs, each for longer. SEEDS sets how many, LENGTH how many commands each performs, and SEED runs one alone.
import { expect, test } from 'vitest'
import { testPairs } from './pairs.ts'

const { SEED, FROM = '0', SEEDS = '8', LENGTH = '60' } = process.env
const first = Number(FROM)
const seeds = SEED === undefined ? Array.from({ length: Number(SEEDS) }, (_, i) => first + i) : [Number(SEED)]

let finalised = 0
testPairs(seeds, Number(LENGTH), (run) => {
  finalised += run.finalised
})

test.skipIf(seeds.length < 2)('withdrawals came to their end', () => {
  expect(finalised).toBeGreaterThan(0)
})
