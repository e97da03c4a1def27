// Pairs under seeded random commands; pair.deep.test.ts runs more seeds.
import { testPairs } from './pairs.ts'

testPairs([0], 11)
