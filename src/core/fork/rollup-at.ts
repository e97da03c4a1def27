// The rollup that an upstream is at the block of a fork: its stack, forks and parameters, as the upstream shows them.

import { failure } from '../primitives/errors.ts'
import { bytesToHex } from '../primitives/hex.ts'
import type { ForeignJson } from '../primitives/json-reader.ts'
import type { B20Feature } from '../rollup/base/features.ts'
import { isActiveUnder, type SelectableHardfork } from '../rollup/hardforks.ts'
import { OP_FORKS, type OpFork, opForksUpTo } from '../rollup/op/forks.ts'
import * as schedules from '../rollup/op/schedule.ts'
import type { Schedule } from '../rollup/schedule.ts'
import type { RollupStack, SchedulePlan, StackRules, SystemConfig } from '../rollup/stack.ts'
import { DEFAULT_STACK, STACKS, type StackName } from '../rollup/stacks.ts'
import { trieRoot } from '../state/trie.ts'
import * as replies from './answers.ts'
import { type AskUpstream, blockRequest } from './source.ts'
import { isUpstreamFailure } from './upstream.ts'

/** The parts of the option `rollup` that stand over what an upstream says. */
export interface RollupOverrides {
  readonly stack: StackName
  readonly forks: OpFork | schedules.OpForkTimes | undefined
  readonly eip1559: SchedulePlan['eip1559'] | undefined
  readonly system: Partial<SystemConfig>
  readonly l1: {
    readonly chainId: number | undefined
    readonly number: number | undefined
    readonly timestamp: number | undefined
    readonly baseFee: bigint | undefined
    readonly blobBaseFee: bigint | undefined
    readonly blockTimeS: number
  }
  readonly maxSequencerDriftS: number | undefined
  readonly features: readonly B20Feature[] | undefined
}

/** The rollup at a block; a JSON value, which a dump has. */
export interface ForkedRollup {
  readonly stack: StackName
  readonly forks: string | Readonly<Record<string, number>>
  readonly denominator: number
  readonly denominatorBeforeCanyon: number
  readonly elasticity: number
  readonly l1ChainId: number
  /** The milliseconds after the block's timestamp, if it tells them. */
  readonly firstMillis?: number | undefined
  /** The features of native contracts that are on when these begin. */
  readonly features?: readonly B20Feature[] | undefined
}

const DEFAULT_L1_CHAIN_ID = 900
const NO_TRANSACTIONS = bytesToHex(trieRoot(undefined))

/**
 * A transaction of the block; null if the block is empty, `undefined` if the upstream does not tell. One that decides what
 * the chain is has to be answered or refused.
 */
async function transactionAt(
  askIfAble: AskUpstream,
  block: unknown,
  { transactionsRoot }: replies.ForkHeader,
  index: 0 | 1,
  isDeciding: boolean,
): Promise<ForeignJson | null | undefined> {
  if (transactionsRoot === NO_TRANSACTIONS) return null
  const listed = (block as { readonly transactions?: unknown }).transactions
  const hash = Array.isArray(listed) ? listed[index] : undefined
  if (hash === undefined) return undefined
  let answer: unknown
  try {
    answer = await askIfAble('eth_getTransactionByHash', [hash])
  } catch (error) {
    // L1Block has what it says.
    if (isDeciding || !isUpstreamFailure(error)) throw error
    return undefined
  }
  if (answer === null) return undefined
  const transaction = replies.answerTo(answer, 'eth_getTransactionByHash', [hash])
  transaction.object()
  return transaction
}

/**
 * True if a block opens with a deposit of L1 attributes. Of a known network, or a header of the stack, the account that gets
 * the tips shows it where the upstream does not tell, and at genesis, which has no transactions.
 */
async function isOpened(
  askIfAble: AskUpstream,
  block: unknown,
  header: replies.ForkHeader,
  { attributes, vaults }: RollupStack,
  isKnown: boolean,
): Promise<boolean> {
  const isPaid = header.coinbase === vaults.tips
  if (!isKnown && !isPaid) return false
  const first = await transactionAt(askIfAble, block, header, 0, !isKnown)
  if (first) {
    const { type, to } = first.object()
    return type === '0x7e' && `${to}`.toLowerCase() === attributes.contract
  }
  return isKnown && isPaid && (first === undefined || header.number === 0)
}

/** The milliseconds after the block's timestamp, where the upstream says them beside it. */
function millisIn(block: unknown, { number, timestamp }: replies.ForkHeader): number | undefined {
  const told = replies.answerTo(block, ...blockRequest(number)).field('timestampMs')
  return told.optional(() => {
    const millis = replies.safeQuantityIn(told) - timestamp * 1000
    return millis >= 0 && millis < 1000 ? millis : told.refuse(`milliseconds of the second ${timestamp}`)
  })
}

/**
 * The milliseconds in the block's second transaction, if it is the deposit that tells them. The contract that it calls is
 * no sign of them: chains have that before the fork.
 */
async function millisOfDeposit(
  askIfAble: AskUpstream,
  block: unknown,
  header: replies.ForkHeader,
  { timeDeposit, readTimePart }: RollupStack,
): Promise<number | undefined> {
  const second = await transactionAt(askIfAble, block, header, 1, false)
  const { from, to } = timeDeposit(header.number, 0)
  const told = second?.object() ?? {}
  const isTold = `${told['from']}`.toLowerCase() === from && `${told['to']}`.toLowerCase() === to
  return second && isTold ? readTimePart(second.field('input').bytes()) : undefined
}

/** The forks that the option names. Times need not repeat those of forks before, which the upstream shows. */
function forksUnder(
  given: OpFork | schedules.OpForkTimes | undefined,
  shown: OpFork | schedules.OpForkTimes,
): OpFork | schedules.OpForkTimes {
  if (typeof given !== 'object') return given ?? shown
  const last = OP_FORKS.filter((fork) => given[fork] !== undefined).at(-1) ?? 'bedrock'
  const before = typeof shown === 'string' ? schedules.timesUpTo(shown) : shown
  const line = opForksUpTo(last).filter((fork) => fork !== 'bedrock')
  const times = line.flatMap((fork): [OpFork, number][] => {
    const time = given[fork] ?? before[fork]
    return time === undefined ? [] : [[fork, time]]
  })
  const forks = { ...given, ...Object.fromEntries(times) }
  const reason = schedules.forkOrderProblem(forks)
  if (reason !== undefined) throw failure('invalidOption', { option: 'rollup.fork', reason })
  return forks
}

/** Refuses features of native contracts that have begun before the forked block, or never do. */
function checkFeatures({ features }: ForkedRollup, schedule: Schedule, header: replies.ForkHeader): void {
  if (features === undefined) return
  const hasNatives = (rules: StackRules | undefined) => rules?.changes.natives !== undefined
  const hasBegun = hasNatives(schedule.rulesAt(header).rollup)
  if (!hasBegun && hasNatives(schedule.activations.at(-1)?.rollup)) return
  const why = hasBegun ? `is at beryl at block ${header.number}` : 'never comes to beryl'
  const reason = `expected none on a chain that ${why}, got ${features.join(', ') || 'none'}`
  throw failure('invalidOption', { option: 'rollup.features', reason })
}

/**
 * The rollup at a block; `undefined` for a chain that is none. A chain is one if its first transaction is a deposit of L1
 * attributes; it is asked for where the network is known, or the header is one of the stack or pays its vault.
 *
 * @param askIfAble Answers null to what the upstream refuses.
 */
export async function rollupAt(
  askIfAble: AskUpstream,
  chainId: number,
  block: unknown,
  header: replies.ForkHeader,
  given: RollupOverrides | undefined,
): Promise<ForkedRollup | undefined> {
  const name = given?.stack ?? DEFAULT_STACK
  const stack = STACKS[name]
  const { networks } = stack
  const { timestamp, extraData, fields } = header
  const toldMillis = millisIn(block, header)
  const shown = {
    timestamp,
    extraData,
    hasMillis: toldMillis !== undefined,
    has: (field: Parameters<typeof fields.has>[0]) => fields.has(field),
  }
  const isKnown = networks.l1ChainIdOf(chainId) !== undefined || networks.isShownBy(shown)
  if (given === undefined && !(await isOpened(askIfAble, block, header, stack, isKnown))) return undefined
  const plan = networks.planAt(chainId, shown)
  const { denominator, elasticity } = given?.eip1559 ?? plan.eip1559
  const before = given?.eip1559?.denominator ?? plan.denominatorBeforeCanyon ?? denominator
  const guessed: ForkedRollup = {
    stack: name,
    forks: forksUnder(given?.forks, plan.forks as OpFork | schedules.OpForkTimes),
    denominator: Number(denominator),
    denominatorBeforeCanyon: Number(before),
    elasticity: Number(elasticity),
    l1ChainId: given?.l1.chainId ?? networks.l1ChainIdOf(chainId) ?? DEFAULT_L1_CHAIN_ID,
    features: given?.features,
  }
  // Blocks may tell milliseconds by the chain's forks, or because these are not known for certain.
  const mayTell =
    (given?.forks === undefined && typeof guessed.forks === 'string') ||
    scheduleOfRollup(chainId, guessed).rulesAt(header).rollup?.changes.slotMs !== undefined
  const firstMillis =
    toldMillis ?? (mayTell ? await millisOfDeposit(askIfAble, block, header, stack) : undefined)
  const forks =
    given?.forks === undefined ? networks.planAt(chainId, { ...shown, hasMillis: true }).forks : guessed.forks
  const rollup = firstMillis === undefined ? guessed : { ...guessed, forks, firstMillis }
  checkFeatures(rollup, scheduleOfRollup(chainId, rollup), header)
  return rollup
}

/** The schedule of a forked rollup, whose hardfork may be newer than its stack's forks say. */
export function scheduleOfRollup(
  chainId: number,
  rollup: ForkedRollup,
  hardfork: SelectableHardfork = 'prague',
  codeOf?: schedules.ForkCode,
): Schedule {
  return schedules.opSchedule({
    chainId,
    forks: rollup.forks as OpFork | schedules.OpForkTimes,
    eip1559: { denominator: BigInt(rollup.denominator), elasticity: BigInt(rollup.elasticity) },
    denominatorBeforeCanyon: BigInt(rollup.denominatorBeforeCanyon),
    codeOf,
    firstMillis: rollup.firstMillis,
    features: rollup.features,
    hardforkAtLeast: isActiveUnder(hardfork, 'osaka') ? hardfork : undefined,
  })
}
