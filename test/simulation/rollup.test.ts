// Rollups under seeded random commands; rollup.deep.test.ts runs more seeds.
import { testInterpreters } from './interpreters.ts'
import { testDumps } from './reloaded.ts'
import { FIRST_ROLLUP_SEED } from './rollup-world.ts'
import { testSeeds } from './twice.ts'
import { testEvents } from './watched.ts'

const seeds = [0].map((seed) => FIRST_ROLLUP_SEED + seed)

testSeeds(seeds, 10)
testEvents(seeds, 10)
testDumps(seeds, 8)
testInterpreters(seeds, 8)
