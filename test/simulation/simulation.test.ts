// Chains under seeded random commands; simulation.deep.test.ts runs more seeds.
import { testSeeds } from './twice.ts'

testSeeds([0, 1, 2], 20)
