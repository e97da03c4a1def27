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
  /** One after another, with all invariants checked after each group. */
  | 'plain'
  /** All commands of a group are called before the first answers. */
  | 'unawaited'
  /** Each group is performed, reverted, and performed again. */
  | 'reverted'
  /** Sometimes the run continues with a clone, and the original is changed. */
  | 'cloned'

export interface Run extends Outcome {
  /** Repeats the run without the generator. */
  readonly program: Program
  readonly signers: Signers
}

const CLONE_EVERY = 5
const DUMP_EVERY = 4

/** Commands that must not affect the clone made before them. */
function leadAstray(chain: Emulator): Promise<unknown> {
  return Promise.allSettled([
    chain.request('evm_revert', ['0x1']),
    chain.request('eth_sendTransaction', [{ to: `0x${'99'.repeat(20)}`, value: '0x1' }]),
    chain.advance(5_000),
    chain.seal(),
    chain.request('evm_increaseTime', [1000]),
  ])
}

/** Continues with a clone, and changes the original. */
function goOnWithClone(session: Session): void {
  const original = session.chain
  watch(session, original.clone())
  void leadAstray(original).then(() => original.dispose())
}

/** Performs a group and reverts it. */
async function tryOut(session: Session, group: readonly Command[], isDumped: boolean): Promise<void> {
  const before = session.chain.snapshot()
  const state = stateOf(session.chain)
  const bytes = isDumped ? await session.chain.dump() : undefined
  await performGroup(session, group, 'awaited')
  await session.chain.revert(before)
  assert(stateOf(session.chain) === state, 'a revert leads back to the same')
  if (bytes !== undefined) assert.deepEqual(await session.chain.dump(), bytes, 'and nothing has touched it')
  // The events of the reverted group were emitted, and occur again.
  session.events.splice(0)
}

/** Delayed answers arrive at their time on the clock; if a command moved it, the time is not predictable. */
async function checkSlow({ chain, slow }: Session, group: readonly Command[]): Promise<void> {
  if (group.some(isReplacing)) slow.length = 0
  // By then all microtasks have run.
  await setImmediate()
  for (const { dueAtMs, hasArrived } of slow) {
    if (dueAtMs <= chain.now) assert(hasArrived, `an answer arrives at ${dueAtMs}`)
  }
}

/** The source of commands: generated during the run, or recorded. */
export interface Source {
  next(session: Session): Promise<readonly Command[] | undefined>
  /** Signers of authorizations, by the r of the signature. */
  readonly signers: Signers
}

/** A failed run, with everything needed to reproduce it. */
export class SimulationError extends Error {
  readonly groups: Program['groups']
  readonly signers: Signers

  constructor(cause: unknown, groups: Program['groups'], signers: Signers) {
    super((cause as Error).message, { cause })
    this.groups = groups
    this.signers = signers
  }
}

/** Performs one group in the given manner, and returns answers and events. */
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

/** Performs a recorded program. */
export async function perform({ options, groups }: Program, signers: Signers, manner: Manner): Promise<Run> {
  const session = createSession(await createEmulator(options))
  const waiting = [...groups]
  return run(options, { next: async () => waiting.shift(), signers }, session, manner)
}
