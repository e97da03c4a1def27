// More rollups, each for longer. SEED runs one alone, and GROUPS sets for how long.
import { scaled } from '../size.ts'
import { testInterpreters } from './interpreters.ts'
import { testDumps } from './reloaded.ts'
import { FIRST_ROLLUP_SEED } from './rollup-world.ts'
import { testSeeds } from './twice.ts'
import { testEvents } from './watched.ts'

const { SEED, FROM = '0', GROUPS = '60' } = process.env
const first = FIRST_ROLLUP_SEED + Number(FROM)
/** A chain of denim from its first block on. */
const DENIM_SEED = FIRST_ROLLUP_SEED + 35
const seeds =
  SEED === undefined
    ? [...new Set([...Array.from({ length: scaled(3) }, (_, i) => first + i), DENIM_SEED])]
    : [Number(SEED)]
const groups = Number(GROUPS)

testSeeds(seeds, groups)
testEvents(seeds, groups)
testDumps(seeds, groups)
testInterpreters(seeds, groups)
