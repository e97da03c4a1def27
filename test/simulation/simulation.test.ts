// Chains under seeded random commands; simulation.deep.test.ts runs more seeds.
import { testSeeds } from './twice.ts'

testSeeds([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 32)
