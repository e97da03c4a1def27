// More seeds, each for longer. SEED runs one alone, and GROUPS sets for how long:
// SEED=7 npx vitest run test/simulation/simulation.deep.test.ts

import { scaled } from '../size.ts'
import { testDumps } from './reloaded.ts'
import { testSeeds } from './twice.ts'
import { testEvents } from './watched.ts'

const { SEED, GROUPS = '80' } = process.env
const seeds = SEED === undefined ? Array.from({ length: scaled(10) }, (_, i) => i) : [Number(SEED)]
const groups = Number(GROUPS)

testSeeds(seeds, groups)
testEvents(seeds, groups)
testDumps(seeds, groups)
