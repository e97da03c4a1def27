// Run of a pair's commands, in one of several manners with the same outcome.

import assert from 'node:assert/strict'
import { createRandom } from '../../../scripts/fuzz/random.js'
import type { Address, Hash } from '../../../src/core/primitives/hex.ts'
import { createRollup } from '../../../src/rollup.ts'
import { isInternal } from '../commands.ts'
import { shrinkItems } from '../shrink.ts'
import {
  concludePair,
  createPairSession,
  type PairCommand,
  type PairProgram,
  type PairSession,
  performPair,
  watchPair,
} from './commands.ts'
import { createPairGenerator, nextPairCommand, noteWithdrawal, type PairGenerator } from './generator.ts'
import { checkPair, createPairWitness, forgetTime, type PairWitness } from './invariants.ts'
import { checkVerifier } from './verifier.ts'
import { isByProtocol, pairOptionsOf } from './world.ts'

export interface PairRun {
  readonly program: PairProgram
  readonly transcript: readonly string[]
  /** Withdrawals that were finalised. */
  readonly finalised: number
}

/** A failed run, with the commands so far. */
class PairError extends Error {
  readonly program: PairProgram

  constructor(cause: unknown, program: PairProgram) {
    super((cause as Error).message, { cause })
    this.program = program
  }
}

/** What the generator and the checks learn from an answer. */
function learn(command: PairCommand, outcome: string, witness: PairWitness, generator: PairGenerator): void {
  const isReset = command.call === 'request' && command.method === 'hardhat_reset'
  if (isReset || command.call === 'revert' || command.call === 'load') forgetTime(witness)
  if (command.call !== 'request' || command.method !== 'eth_sendTransaction') return
  if (command.layer === 'l1' || outcome.startsWith('failed')) return
  const hash = JSON.parse(outcome) as Hash
  const [{ from, to }] = command.params as readonly [{ readonly from: Address; readonly to: Address }]
  witness.sent.push({ chain: command.layer, hash, from, nonce: Number.NaN })
  noteWithdrawal(generator, command.layer, to, hash)
}

/** Completes what is remembered of the last transaction, whose nonce the chain has chosen. */
async function readNonce({ rollup }: PairSession, witness: PairWitness): Promise<void> {
  const last = witness.sent.at(-1)
  if (last === undefined || !Number.isNaN(last.nonce)) return
  const sent = await rollup.chains[last.chain]!.l2.request('eth_getTransactionByHash', [last.hash])
  witness.sent[witness.sent.length - 1] = { ...last, nonce: Number(sent?.nonce) }
}

/** Performs commands with all checks. */
async function checked(
  program: Pick<PairProgram, 'options'> & { readonly seed: number },
  next: (session: PairSession, generator: PairGenerator) => Promise<PairCommand | undefined>,
): Promise<PairRun> {
  const { options, seed } = program
  const session = createPairSession(await createRollup(options))
  const generator = await createPairGenerator(createRandom(seed), seed, session)
  const witness = createPairWitness(session.rollup, options)
  const commands: PairCommand[] = []
  const transcript: string[] = []
  try {
    for (;;) {
      const command = await next(session, generator)
      if (command === undefined) break
      commands.push(command)
      const lines = await performPair(session, command)
      transcript.push(...lines)
      const outcome = lines[0]!.slice(JSON.stringify(command).length + ' -> '.length)
      assert(!isInternal(outcome), `a mistake of the library: ${outcome}`)
      learn(command, outcome, witness, generator)
      await readNonce(session, witness)
      await checkPair(witness, session.rollup)
    }
    if (isByProtocol(seed)) await checkVerifier(session.rollup, options)
  } catch (error) {
    throw new PairError(error, { options, commands })
  }
  transcript.push(...(await concludePair(session)))
  session.rollup.dispose()
  return { program: { options, commands }, transcript, finalised: witness.finalised }
}

export type PairManner = 'again' | 'unawaited' | 'reverted' | 'cloned'

const CLONE_EVERY = 5

/** Goes on with a clone, and changes what was cloned. */
function goOnWithClone(session: PairSession): void {
  const original = session.rollup
  watchPair(session, original.clone())
  void Promise.allSettled([
    original.l1.reorg({ depth: 1 }),
    original.l2.seal(),
    original.batcher.submit(),
    original.advance(5000),
  ]).then(() => original.dispose())
}

async function tryOut(session: PairSession, command: PairCommand): Promise<void> {
  const { rollup } = session
  const before = rollup.snapshot()
  const bytes = await concludePair(session)
  await performPair(session, command)
  await rollup.revert(before)
  assert.deepEqual(await concludePair(session), bytes, 'a revert leads back to the same')
  session.events.splice(0)
}

/** Commands in groups that do not await one another; a snapshot is taken at once, and so is alone. */
function grouped(commands: readonly PairCommand[]): PairCommand[][] {
  const isAlone = ({ call }: PairCommand): boolean => /snapshot|revert|dump|load/.test(call)
  const groups: PairCommand[][] = []
  for (const command of commands) {
    const last = groups.at(-1)
    const hasRoom = last !== undefined && last.length < 3 && !last.some(isAlone)
    if (hasRoom && !isAlone(command)) last.push(command)
    else groups.push([command])
  }
  return groups
}

/** Performs recorded commands. */
export async function performPairProgram(
  { options, commands }: PairProgram,
  manner: PairManner,
): Promise<readonly string[]> {
  const session = createPairSession(await createRollup(options))
  const transcript: string[] = []
  if (manner === 'unawaited') {
    for (const group of grouped(commands)) {
      const lines = await Promise.all(group.map((command) => performPair(session, command)))
      transcript.push(...lines.flat())
    }
    transcript.push(...(await concludePair(session)))
    session.rollup.dispose()
    return transcript
  }
  for (const [index, command] of commands.entries()) {
    if (manner === 'cloned' && index % CLONE_EVERY === 0) goOnWithClone(session)
    if (manner === 'reverted') await tryOut(session, command)
    transcript.push(...(await performPair(session, command)))
  }
  transcript.push(...(await concludePair(session)))
  session.rollup.dispose()
  return transcript
}

/** A message without the parts that differ between programs with the same failure. */
function kindOf(error: unknown): string {
  return (error as Error).message.replace(/0x[0-9a-f]+|\d+n?/g, '#').slice(0, 60)
}

function tell(
  seed: number,
  length: number,
  message: string,
  commands: readonly PairCommand[],
  cause?: unknown,
): Error {
  const replay = `SEED=${seed} LENGTH=${length} npx vitest run --project deep test/simulation/pair/pair.deep.test.ts`
  const lines = commands.map((command) => JSON.stringify(command)).join('\n')
  return new Error(`${message}\nreplay with ${replay}\nor perform no more than\n\n${lines}\n`, { cause })
}

async function replayChecked(
  seed: number,
  { options }: PairProgram,
  commands: readonly PairCommand[],
): Promise<PairRun> {
  const waiting = [...commands]
  return checked({ options, seed }, async () => waiting.shift())
}

/** Runs the commands of a seed with all checks. A failure contains the shortest program found with the same failure. */
export async function simulatePair(seed: number, length: number): Promise<PairRun> {
  const options = pairOptionsOf(seed)
  let left = length
  try {
    return await checked({ options, seed }, async (_, generator) =>
      left-- > 0 ? nextPairCommand(generator) : undefined,
    )
  } catch (error) {
    if (!(error instanceof PairError)) throw error
    const { program } = error
    const shortest = await shrinkItems(program.commands, (commands) =>
      replayChecked(seed, program, commands).then(
        () => false,
        (other) => kindOf(other) === kindOf(error),
      ),
    )
    throw tell(seed, length, error.message, shortest, error.cause)
  }
}

/** Answers, events and blocks; when an answer comes among the events is not said if commands do not wait. */
function parts(transcript: readonly string[]): readonly string[] {
  const isAnswer = (line: string): boolean => line.startsWith('{')
  const rest = transcript.filter((line) => !isAnswer(line) && !line.startsWith('now '))
  return [...transcript.filter(isAnswer), ...rest]
}

function difference(
  ofOne: readonly string[],
  ofOther: readonly string[],
  manner: PairManner,
): string | undefined {
  const [one, other] = manner === 'unawaited' ? [parts(ofOne), parts(ofOther)] : [ofOne, ofOther]
  const length = Math.max(one.length, other.length)
  for (let i = 0; i < length; i++) {
    if (one[i] !== other[i]) return `expected ${one[i]}\ngot      ${other[i]}`
  }
  return undefined
}

/** Throws if a manner has another outcome; with the shortest program that has. */
export async function expectSamePair(seed: number, run: PairRun, manner: PairManner): Promise<void> {
  const { program } = run
  const differenceOf = async (commands: readonly PairCommand[]): Promise<string | undefined> => {
    const shorter = { ...program, commands }
    return difference(
      await performPairProgram(shorter, 'again'),
      await performPairProgram(shorter, manner),
      manner,
    )
  }
  const found = difference(run.transcript, await performPairProgram(program, manner), manner)
  if (found === undefined) return
  const shortest = await shrinkItems(
    program.commands,
    async (commands) => (await differenceOf(commands)) !== undefined,
  ).catch(() => program.commands)
  throw tell(seed, program.commands.length, `${manner}: ${found}`, shortest)
}
