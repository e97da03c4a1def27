// More pairs, each for longer. SEED runs one alone, and LENGTH sets how many commands it performs.
import { expect, test } from 'vitest'
import { scaled } from '../../size.ts'
import { testPairs } from './pairs.ts'

const { SEED, FROM = '0', LENGTH = '60' } = process.env
const first = Number(FROM)
const seeds = SEED === undefined ? Array.from({ length: scaled(8) }, (_, i) => first + i) : [Number(SEED)]

let finalised = 0
testPairs(seeds, Number(LENGTH), (run) => {
  finalised += run.finalised
})

test.skipIf(seeds.length < 8)('withdrawals came to their end', () => {
  expect(finalised).toBeGreaterThan(0)
})
