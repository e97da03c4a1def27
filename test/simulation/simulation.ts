// Runs the commands of a seed on a chain, in one of several ways that must all have the same outcome.

import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { createEmulator, type Emulator } from '../../src/index.ts'
import {
  type Command,
  conclude,
  createSession,
  type Outcome,
  type Program,
  performGroup,
  type Session,
  watch,
} from './commands.ts'
import { isUnruly } from './failures.ts'
import { followFates } from './fates.ts'
import { createGenerator, nextGroup, optionsOf } from './generator.ts'
import { checkChain, checkRootOfHead, createLedger, stateOf } from './invariants.ts'
import { createRandom } from './random.ts'
import { copyStory, createStory, follow, type Story } from './story.ts'

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
}

const CLONE_EVERY = 5

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

/** What the checks know beside the chain; a revert takes it back too. */
class Witness {
  story: Story = createStory()
  private readonly remembered = new Map<string, Story>()

  remember(name: string): void {
    this.remembered.set(name, copyStory(this.story))
  }

  recall(name: string): void {
    const story = this.remembered.get(name)
    if (story !== undefined) this.story = copyStory(story)
  }

  /** Goes along with the snapshots among the commands, which stand alone in their groups. */
  goAlong(command: Command | undefined, outcome: string | undefined): void {
    if (command?.call === 'snapshot' || command?.call === 'evm_snapshot') this.remember(`${command.name}`)
    if (command?.call === 'revert') this.recall(`${command.name}`)
    if (command?.call === 'evm_revert' && outcome?.endsWith('-> true')) this.recall(`${command.name}`)
  }
}

function isGoingBack(group: readonly Command[]): boolean {
  return group.some(({ call }) => call === 'revert' || call === 'evm_revert')
}

/** Goes on with a clone, and leads the original astray. */
function goOnWithClone(session: Session): void {
  const original = session.chain
  watch(session, original.clone())
  void leadAstray(original).then(() => original.dispose())
}

/** Performs a group and takes it back. */
async function tryOut(session: Session, group: readonly Command[]): Promise<void> {
  const before = session.chain.snapshot()
  await performGroup(session, group, 'awaited')
  await session.chain.revert(before)
  // What the revert has taken back was told already, and is told again.
  session.events.splice(0)
}

/** Slow answers arrive when the clock gets there; where it was moved otherwise, nobody can say when that is. */
async function checkSlow({ chain, slow }: Session, group: readonly Command[]): Promise<void> {
  if (isGoingBack(group)) slow.length = 0
  // Everything that can go on has gone on by then.
  await setImmediate()
  for (const { dueAtMs, hasArrived } of slow) {
    if (dueAtMs <= chain.now) assert(hasArrived, `an answer arrives at ${dueAtMs}`)
  }
}

export async function simulate(seed: number, length: number, manner: Manner): Promise<Run> {
  const options = optionsOf(seed)
  const order = isUnruly(seed) ? 'unruly' : 'ruly'
  const session = createSession(await createEmulator(options))
  const generator = createGenerator(createRandom(seed), options, session)
  const witness = new Witness()
  const ledger = createLedger(session.chain)
  if (manner === 'plain') {
    follow(session.chain, () => witness.story)
    followFates(session.chain, () => witness.story, stateOf)
  }
  const transcript: string[] = []
  const groups: (readonly Command[])[] = []
  for (let i = 1; i <= length; i++) {
    const group = await nextGroup(generator)
    groups.push(group)
    if (manner === 'cloned' && i % CLONE_EVERY === 0) goOnWithClone(session)
    if (manner === 'reverted') await tryOut(session, group)
    const { now } = session.chain
    witness.story.isReorganising = false
    const lines = await performGroup(session, group, manner === 'unawaited' ? 'unawaited' : 'awaited')
    transcript.push(...lines)
    if (manner !== 'plain') continue
    assert(session.chain.now >= now || isGoingBack(group), 'the clock does not go back')
    witness.goAlong(group[0], lines[0])
    await checkChain(session.chain, ledger, witness.story, generator.signers, order)
    await checkSlow(session, group)
  }
  if (manner === 'plain') await checkRootOfHead(session.chain)
  return { ...(await conclude(session, transcript)), program: { options, groups } }
}
