// More pairs, each for longer. SEEDS sets how many, LENGTH how many commands each performs, and SEED runs one alone.
import { testPairs } from './pairs.ts'

const { SEED, FROM = '0', SEEDS = '16', LENGTH = '120' } = process.env
const first = Number(FROM)
const seeds = SEED === undefined ? Array.from({ length: Number(SEEDS) }, (_, i) => first + i) : [Number(SEED)]

testPairs(seeds, Number(LENGTH))
