// Random programs that each place performs, as the simulation makes and performs them here.

import type { Program } from '../simulation/commands.ts'
import { simulate } from '../simulation/simulation.ts'

/** One for each production mode. */
const SEEDS = [21, 22, 23]

/** Programs, and what `outcomesOf` answers to them. */
export async function makePrograms(): Promise<{
  readonly programs: readonly Program[]
  readonly outcomes: readonly string[]
}> {
  const runs = await Promise.all(SEEDS.map((seed) => simulate(seed, 40, 'unchecked')))
  const digests = runs.map(({ digest }) => digest)
  // With one interpreter, and with the other.
  return { programs: runs.map(({ program }) => program), outcomes: [...digests, ...digests] }
}
