// More seeds, each for longer. SEEDS sets how many, GROUPS how long each runs, and SEED runs one alone:
// SEED=7 npx vitest run test/simulation/simulation.deep.test.ts

import { testDumps } from './reloaded.ts'
import { testSeeds } from './twice.ts'
import { testEvents } from './watched.ts'

const { SEED, SEEDS = '60', GROUPS = '80' } = process.env
const seeds = SEED === undefined ? Array.from({ length: Number(SEEDS) }, (_, i) => i) : [Number(SEED)]
const groups = Number(GROUPS)

testSeeds(seeds, groups)
testEvents(seeds, groups)
testDumps(seeds, groups)
