// The rollup that an upstream is at the block of a fork: its stack, forks and parameters, as the upstream shows them.

import { failure, type TickchainError } from '../primitives/errors.ts'
import { bytesToHex, hexToBytes } from '../primitives/hex.ts'
import type { B20Feature } from '../rollup/base/features.ts'
import { isActiveUnder, type SelectableHardfork } from '../rollup/hardforks.ts'
import type { OpFork } from '../rollup/op/forks.ts'
import { type ForkCode, type OpForkTimes, opSchedule } from '../rollup/op/schedule.ts'
import type { Schedule } from '../rollup/schedule.ts'
import type { ReadAttributes, RollupStack, SchedulePlan, SystemConfig } from '../rollup/stack.ts'
import { DEFAULT_STACK, STACKS, type StackName } from '../rollup/stacks.ts'
import { trieRoot } from '../state/trie.ts'
import { answeredHex, answeredInteger, answeredObject, fieldIn, placeOf, refuseAnswer } from './answers.ts'
import type { ForkHeader } from './header-fields.ts'
import { type AskUpstream, blockRequest } from './source.ts'
import { isUpstreamFailure, nameOfRequest } from './upstream.ts'

/** The parts of the option `rollup` that stand over what an upstream says. */
export interface RollupOverrides {
  readonly stack: StackName
  readonly forks: OpFork | OpForkTimes | undefined
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
  readonly firstMillis?: number
  /** The features of native contracts that are on when these begin. */
  readonly features?: readonly B20Feature[]
}

const DEFAULT_L1_CHAIN_ID = 900
const NO_TRANSACTIONS = bytesToHex(trieRoot(undefined))

/** A transaction of the block; null if the block is empty, `undefined` if the upstream does not tell. */
async function transactionAt(
  askIfAble: AskUpstream,
  block: unknown,
  { transactionsRoot }: ForkHeader,
  index: 0 | 1,
): Promise<Record<string, unknown> | null | undefined> {
  if (transactionsRoot === NO_TRANSACTIONS) return null
  const listed = (block as { readonly transactions?: unknown }).transactions
  const hash = Array.isArray(listed) ? listed[index] : undefined
  if (hash === undefined) return undefined
  let answer: unknown
  try {
    answer = await askIfAble('eth_getTransactionByHash', [hash])
  } catch (error) {
    // L1Block has what it says, which a recording has then, too.
    if (!isUpstreamFailure(error) && (error as Partial<TickchainError>).kind !== 'notRecorded') throw error
    return undefined
  }
  return answer === null
    ? undefined
    : answeredObject(answer, placeOf(nameOfRequest('eth_getTransactionByHash', [hash])))
}
/** The milliseconds after the block's timestamp, where the upstream says them beside it. */
function millisIn(block: unknown, { number, timestamp }: ForkHeader): number | undefined {
  const told = (block as { readonly timestampMs?: unknown }).timestampMs
  if (told === undefined || told === null) return undefined
  const place = placeOf(nameOfRequest(...blockRequest(number)))
  const at = { ...place, path: 'result.timestampMs' }
  const millis = answeredInteger(told, at) - timestamp * 1000
  return millis >= 0 && millis < 1000 ? millis : refuseAnswer(at, `milliseconds of the second ${timestamp}`)
}

/**
 * The milliseconds in the block's second transaction, if it is the deposit that tells them. The contract that it calls is
 * no sign of them: chains have that before the fork.
 */
async function millisOfDeposit(
  askIfAble: AskUpstream,
  block: unknown,
  header: ForkHeader,
  { timeDeposit, readTimePart }: RollupStack,
): Promise<number | undefined> {
  const second = await transactionAt(askIfAble, block, header, 1)
  const { from, to } = timeDeposit(header.number, 0)
  const isTold = `${second?.['from']}`.toLowerCase() === from && `${second?.['to']}`.toLowerCase() === to
  return second && isTold ? readTimePart(inputOf(second)) : undefined
}

/** True if the blocks of a chain may tell milliseconds: by its forks, or because they are not known for certain. */
function mayTellMillis(
  chainId: number,
  header: ForkHeader,
  rollup: ForkedRollup,
  given: RollupOverrides | undefined,
): boolean {
  if (given?.forks === undefined && typeof rollup.forks === 'string') return true
  const rules = scheduleOfRollup(chainId, rollup, 'prague', undefined).rulesAt(header).rollup
  return rules?.changes.slotMs !== undefined
}

/** Refuses features of native contracts that have begun before the forked block, or never do. */
function checkFeatures(chainId: number, header: ForkHeader, rollup: ForkedRollup): void {
  const { features } = rollup
  if (features === undefined) return
  const schedule = scheduleOfRollup(chainId, rollup, 'prague', undefined)
  const hasBegun = schedule.rulesAt(header).rollup?.changes.natives !== undefined
  if (!hasBegun && schedule.activations.at(-1)?.rollup?.changes.natives !== undefined) return
  const why = hasBegun ? `is at beryl at block ${header.number}` : 'never comes to beryl'
  const reason = `expected none on a chain that ${why}, got ${features.join(', ') || 'none'}`
  throw failure('invalidOption', { option: 'rollup.features', reason })
}

function inputOf(transaction: Record<string, unknown>): Uint8Array {
  const place = placeOf(nameOfRequest('eth_getTransactionByHash', [transaction['hash']]))
  return hexToBytes(answeredHex(...fieldIn(transaction, 'input', place)))
}

export interface FoundRollup {
  readonly rollup: ForkedRollup
  /** `undefined` if the upstream does not tell of the transaction: then L1Block has them. */
  readonly attributes: ReadAttributes | undefined
}

/**
 * The rollup at a block; `undefined` for a chain that is none. A chain is one if its first transaction is a deposit of L1
 * attributes; it is asked for where the header is one of the stack, the network is known, or the options say so.
 *
 * @param askIfAble Answers null to what the upstream refuses.
 */
export async function rollupAt(
  askIfAble: AskUpstream,
  chainId: number,
  block: unknown,
  header: ForkHeader,
  given: RollupOverrides | undefined,
): Promise<FoundRollup | undefined> {
  const name = given?.stack ?? DEFAULT_STACK
  const stack = STACKS[name]
  const { networks, vaults } = stack
  const { timestamp, extraData, coinbase, fields } = header
  const toldMillis = millisIn(block, header)
  const shown = {
    timestamp,
    extraData,
    hasMillis: toldMillis !== undefined,
    has: (field: Parameters<typeof fields.has>[0]) => fields.has(field),
  }
  const isKnown = networks.l1ChainIdOf(chainId) !== undefined || networks.isShownBy(shown)
  if (given === undefined && !(isKnown && coinbase === vaults.tips)) return undefined
  const first = await transactionAt(askIfAble, block, header, 0)
  const isOpened = first?.['type'] === '0x7e' && `${first['to']}`.toLowerCase() === stack.attributes.contract
  // The genesis block has no transactions.
  if (given === undefined && header.number > 0 && first !== undefined && !isOpened) return undefined
  const plan = networks.planAt(chainId, shown)
  const { denominator, elasticity } = given?.eip1559 ?? plan.eip1559
  const before = given?.eip1559?.denominator ?? plan.denominatorBeforeCanyon ?? denominator
  const guessed: ForkedRollup = {
    stack: name,
    forks: given?.forks ?? plan.forks,
    denominator: Number(denominator),
    denominatorBeforeCanyon: Number(before),
    elasticity: Number(elasticity),
    l1ChainId: given?.l1.chainId ?? networks.l1ChainIdOf(chainId) ?? DEFAULT_L1_CHAIN_ID,
    ...(given?.features && { features: given.features }),
  }
  const isAsked = toldMillis === undefined && mayTellMillis(chainId, header, guessed, given)
  const firstMillis = isAsked ? await millisOfDeposit(askIfAble, block, header, stack) : toldMillis
  const forks = given?.forks ?? networks.planAt(chainId, { ...shown, hasMillis: true }).forks
  const rollup = firstMillis === undefined ? guessed : { ...guessed, forks, firstMillis }
  checkFeatures(chainId, header, rollup)
  return { rollup, attributes: first && isOpened ? stack.readAttributes(inputOf(first)) : undefined }
}

/** The schedule of a forked rollup, whose hardfork may be newer than its stack's forks say. */
export function scheduleOfRollup(
  chainId: number,
  rollup: ForkedRollup,
  hardfork: SelectableHardfork,
  codeOf: ForkCode | undefined,
): Schedule {
  return opSchedule({
    chainId,
    forks: rollup.forks as OpFork | OpForkTimes,
    eip1559: { denominator: BigInt(rollup.denominator), elasticity: BigInt(rollup.elasticity) },
    denominatorBeforeCanyon: BigInt(rollup.denominatorBeforeCanyon),
    codeOf,
    firstMillis: rollup.firstMillis,
    features: rollup.features,
    hardforkAtLeast: isActiveUnder(hardfork, 'osaka') ? hardfork : undefined,
  })
}
