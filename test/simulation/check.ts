// Check of one seed in all manners, with instructions to reproduce a failure.

import type { Program } from './commands.ts'
import { isRollup } from './rollup-world.ts'
import { show, shrink } from './shrink.ts'
import { type Manner, perform, type Run, SimulationError, simulate } from './simulation.ts'
import { optionsOf } from './world.ts'

/** A message without the parts that differ between programs with the same failure. */
function kindOf(error: unknown): string {
  return (error as Error).message.replace(/0x[0-9a-f]+|\d+n?/g, '#').slice(0, 60)
}

function tell(
  seed: number,
  length: number,
  manner: string,
  message: string,
  groups: Run['program']['groups'],
) {
  const replay = `SEED=${seed} GROUPS=${length} npx vitest run --project deep test/simulation/${isRollup(seed) ? 'rollup' : 'simulation'}.deep.test.ts`
  return new Error(
    `${manner}: ${message}\nreplay with ${replay}\nor perform no more than\n\n${show(groups)}\n`,
  )
}

/** Runs a simulation. A failure contains the shortest program found with the same failure. */
export async function simulateOrTell(seed: number, length: number, manner: Manner): Promise<Run> {
  try {
    return await simulate(seed, length, manner)
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error
    const { groups, signers, message } = error
    const options = optionsOf(seed)
    const shortest = await shrink(groups, (rest) =>
      perform({ options, groups: rest }, signers, manner).then(
        () => false,
        (other) => kindOf(other) === kindOf(error),
      ),
    )
    throw tell(seed, length, manner, message, shortest)
  }
}

/** The first line in which two outcomes differ. */
function difference(plain: Run, other: Run): { readonly expected: string; readonly got: string } | undefined {
  const length = Math.max(plain.transcript.length, other.transcript.length)
  for (let i = 0; i < length; i++) {
    const [expected = 'nothing', got = 'nothing'] = [plain.transcript[i], other.transcript[i]]
    if (expected !== got) return { expected, got }
  }
  return undefined
}

/** Throws if the outcome of a run differs from that of the plain one. */
export async function expectSame(seed: number, plain: Run, other: Run, manner: Manner): Promise<void> {
  const found = difference(plain, other)
  if (found === undefined) return
  const { groups } = plain.program
  const shortest = await shrink(groups, async (rest) => {
    const program = { options: optionsOf(seed), groups: rest }
    const [one, another] = await Promise.all([
      perform(program, plain.signers, 'unchecked'),
      perform(program, plain.signers, manner),
    ])
    return difference(one, another) !== undefined
  }).catch(() => groups)
  throw tell(seed, groups.length, manner, `got      ${found.got}\nexpected ${found.expected}`, shortest)
}

/** Checks the outcome of a program. A failure contains the shortest program found with the same failure. */
export async function checkOrTell(
  seed: number,
  program: Program,
  name: string,
  check: (program: Program) => Promise<void>,
): Promise<void> {
  try {
    await check(program)
  } catch (error) {
    const shortest = await shrink(program.groups, (groups) =>
      check({ ...program, groups }).then(
        () => false,
        (other) => kindOf(other) === kindOf(error),
      ),
    )
    throw tell(seed, program.groups.length, name, (error as Error).message, shortest)
  }
}
