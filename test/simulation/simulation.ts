// Run of a seed's commands on a chain, in one of several manners with the same outcome.

import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { createRandom } from '../../scripts/fuzz/random.js'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/index.ts'
import {
  type Command,
  conclude,
  createSession,
  isReplacing,
  type Outcome,
  type Program,
  performGroup,
  type Session,
  watch,
} from './commands.ts'
import { createGenerator, nextGroup } from './generator.ts'
import { createInspector, type Inspector } from './inspector.ts'
import { checkRootOfHead, type Signers, stateOf } from './invariants.ts'
import { optionsOf } from './world.ts'

export type Manner =
  /** One command after another. */
  | 'unchecked'
  /** One after another; after each group, everything that must hold is checked. */
  | 'plain'
  /** The commands of a group are all called before the first has answered. */
  | 'unawaited'
  /** Each group is performed, taken back by a revert, and performed again. */
  | 'reverted'
  /** Now and then the run goes on with a clone, while the chain that was cloned is led astray. */
  | 'cloned'

export interface Run extends Outcome {
  /** The same may be performed again, without the generator. */
  readonly program: Program
  readonly signers: Signers
}

const CLONE_EVERY = 5
const DUMP_EVERY = 4

/** Commands that must not reach the clone which is made before they run. */
function leadAstray(chain: Emulator): Promise<unknown> {
  return Promise.allSettled([
    chain.request('evm_revert', ['0x1']),
    chain.request('eth_sendTransaction', [{ to: `0x${'99'.repeat(20)}`, value: '0x1' }]),
    chain.advance(5_000),
    chain.seal(),
    chain.request('evm_increaseTime', [1000]),
  ])
}

/** Goes on with a clone, and leads the original astray. */
function goOnWithClone(session: Session): void {
  const original = session.chain
  watch(session, original.clone())
  void leadAstray(original).then(() => original.dispose())
}

/** Performs a group and takes it back. */
async function tryOut(session: Session, group: readonly Command[], isDumped: boolean): Promise<void> {
  const before = session.chain.snapshot()
  const state = stateOf(session.chain)
  const bytes = isDumped ? await session.chain.dump() : undefined
  await performGroup(session, group, 'awaited')
  await session.chain.revert(before)
  assert(stateOf(session.chain) === state, 'a revert leads back to the same')
  if (bytes !== undefined) assert.deepEqual(await session.chain.dump(), bytes, 'and nothing has touched it')
  // What the revert has taken back was told already, and is told again.
  session.events.splice(0)
}

/** Slow answers arrive when the clock gets there; where it was moved otherwise, nobody can say when that is. */
async function checkSlow({ chain, slow }: Session, group: readonly Command[]): Promise<void> {
  if (group.some(isReplacing)) slow.length = 0
  // Everything that can go on has gone on by then.
  await setImmediate()
  for (const { dueAtMs, hasArrived } of slow) {
    if (dueAtMs <= chain.now) assert(hasArrived, `an answer arrives at ${dueAtMs}`)
  }
}

/** Where commands come from: they are made up on the way, or were performed before. */
export interface Source {
  next(session: Session): Promise<readonly Command[] | undefined>
  /** Who signed an authorization, by the r of its signature. */
  readonly signers: Signers
}

/** A run that did not hold, with all that it takes to see it again. */
export class SimulationError extends Error {
  readonly groups: Program['groups']
  readonly signers: Signers

  constructor(cause: unknown, groups: Program['groups'], signers: Signers) {
    super((cause as Error).message, { cause })
    this.groups = groups
    this.signers = signers
  }
}

/** Performs one group as the manner has it, and answers what was said and what happened. */
async function performIn(
  manner: Manner,
  session: Session,
  group: readonly Command[],
  index: number,
  inspector: Inspector,
): Promise<string[]> {
  if (manner === 'plain') {
    const lines = await inspector.perform(group)
    await checkSlow(session, group)
    return lines
  }
  if (manner === 'cloned' && index % CLONE_EVERY === 0) goOnWithClone(session)
  if (manner === 'reverted') await tryOut(session, group, index % DUMP_EVERY === 0)
  return performGroup(session, group, manner === 'unawaited' ? 'unawaited' : 'awaited')
}

async function run(options: EmulatorOptions, source: Source, session: Session, manner: Manner): Promise<Run> {
  const inspector = createInspector(session, options, source.signers)
  const transcript: string[] = []
  const groups: (readonly Command[])[] = []
  try {
    for (;;) {
      const group = await source.next(session)
      if (group === undefined) break
      groups.push(group)
      transcript.push(...(await performIn(manner, session, group, groups.length, inspector)))
    }
    if (manner === 'plain') await checkRootOfHead(session.chain)
  } catch (error) {
    throw new SimulationError(error, groups, source.signers)
  }
  return { ...(await conclude(session, transcript)), program: { options, groups }, signers: source.signers }
}

/** Runs the commands of a seed. */
export async function simulate(seed: number, length: number, manner: Manner): Promise<Run> {
  const options = optionsOf(seed)
  const session = createSession(await createEmulator(options))
  const generator = createGenerator(createRandom(seed), options, session)
  let left = length
  const next = async (): Promise<readonly Command[] | undefined> =>
    left-- > 0 ? nextGroup(generator) : undefined
  return run(options, { next, signers: generator.signers }, session, manner)
}

/** Performs a program that was made up before. */
export async function perform({ options, groups }: Program, signers: Signers, manner: Manner): Promise<Run> {
  const session = createSession(await createEmulator(options))
  const waiting = [...groups]
  return run(options, { next: async () => waiting.shift(), signers }, session, manner)
}
