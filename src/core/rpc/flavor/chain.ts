// Flavor of what is controlled and asked for: fees and their histories; log queries and filters, which begin in Hardhat
// with what is there already; timestamps and mining; calls and estimates, whose base fee is zero in Hardhat, which lends
// the caller what it lacks and refuses them where a transaction with the same fields would be.

import { hasSlots } from '../../chain/block/block.ts'
import { blockByHash } from '../../chain/chain.ts'
import type { BlockView } from '../../chain/view.ts'
import type { BlockOverrides, CallMessage } from '../../execution/call/run-call.ts'
import { withoutBaseFee } from '../../execution/evm/pooled-evm.ts'
import { gasShortfall, intrinsicGas } from '../../execution/transaction/intrinsic-gas.ts'
import { heldAccounts } from '../../node/control/wallet.ts'
import { numberOfTag } from '../../node/lookup.ts'
import { type BlockTimeRange, leastTimestamp, type NodeState, nextRules } from '../../node/node-state.ts'
import * as mining from '../../node/production/mine.ts'
import { suggestedTip } from '../../node/production/submit.ts'
import { failure, reworded } from '../../primitives/errors.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import { isForkActive } from '../../rollup/rules.ts'
import type { LogFilter } from '../codecs/filter.ts'
import type { TransactionRequest } from '../codecs/overrides.ts'
import * as calls from '../requests/call-message.ts'
import type { ReadContext } from '../session.ts'
import type { Flavor } from './flavor.ts'
import { INVALID_INPUT, INVALID_PARAMS } from './hardhat-messages.ts'

/** The sealed block that a bound means; beyond the head for a number there. */
function numberOf(state: NodeState, bound: LogFilter['fromBlock']): number {
  if (typeof bound === 'number') return bound
  return numberOfTag(state, bound === undefined || bound === 'pending' ? 'latest' : bound)
}

/** The sealed blocks of a filter: the part of its range that exists; `from` is above `to` if there are none. */
export function existingRange(state: NodeState, { fromBlock, toBlock }: LogFilter) {
  const head = state.chain.head.header.number
  return { from: numberOf(state, fromBlock), to: Math.min(head, numberOf(state, toBlock)) }
}

/** The filter with a number as its end if that is in the past, so that it gathers nothing above it. */
export function withEnd(state: NodeState, filter: LogFilter): LogFilter {
  const { toBlock } = filter
  const isOpen = toBlock === undefined || toBlock === 'latest' || toBlock === 'pending'
  return isOpen ? filter : { ...filter, toBlock: numberOf(state, toBlock) }
}

/** Refuses a filter by the hash of a block that does not exist. */
export function checkBlockHash({ chain }: NodeState, { blockHash }: LogFilter): void {
  if (blockHash === undefined || blockByHash(chain, blockHash) !== undefined) return
  const refusal = failure('blockNotFound', { block: blockHash, latest: chain.head.header.number })
  throw reworded(refusal, INVALID_PARAMS, 'blockHash cannot be found')
}

/** Hardhat's gas price before london. */
const PRE_LONDON_GAS_PRICE = 8_000_000_000n

/** The suggested tip; before london, the suggested gas price. */
export function suggestedTipIn({ config, state, options }: ReadContext): bigint {
  const isHardhats = options.flavor === 'hardhat' && !isForkActive(nextRules(config, state), 'london')
  if (!isHardhats) return suggestedTip(config, state)
  const least = state.controls.leastGasPrice
  return least > PRE_LONDON_GAS_PRICE ? least : PRE_LONDON_GAS_PRICE
}

/** The blob base fee. Hardhat's is zero before cancun. */
export function shownBlobBaseFee({ config, options, state }: ReadContext, fee: bigint): bigint {
  return options.flavor !== 'hardhat' || isForkActive(nextRules(config, state), 'cancun') ? fee : 0n
}

const MAX_BLOCKS = 1024

/** Refuses what Hardhat's history does not have: no blocks, more than 1024. */
export function checkHistory(flavor: Flavor, blockCount: number): void {
  if (flavor !== 'hardhat' || (blockCount > 0 && blockCount <= MAX_BLOCKS)) return
  const words = `blockCount should be at ${blockCount === 0 ? 'least 1' : `most ${MAX_BLOCKS}`}`
  throw reworded(failure('feeHistoryPercentile', { reason: '' }), INVALID_INPUT, words)
}

/** The gas that a percentile stands for: a part of the gas used; in hardhat, of the block's gas limit. */
export function gasAtPercentile(flavor: Flavor, { environment, executed }: BlockView, percentile: number) {
  const whole =
    flavor === 'hardhat' ? environment.gasLimit : (executed.at(-1)?.receipt.cumulativeGasUsed ?? 0n)
  return BigInt(Math.floor((Number(whole) * percentile) / 100))
}

/** The tip beyond the last transaction: none; in hardhat, that of the last. */
export function tipBeyond<Paid extends { readonly tip: bigint }>(flavor: Flavor, tips: readonly Paid[]) {
  return flavor === 'hardhat' ? (tips.at(-1)?.tip ?? 0n) : 0n
}

/** The lowest timestamp that a request may name: anvil accepts the parent's. */
export function leastAskedTimestamp(flavor: Flavor, state: NodeState): number {
  const { head } = state.chain
  const isShared = flavor === 'anvil' && !hasSlots(head)
  return isShared ? head.header.timestamp : leastTimestamp(state)
}

/** Refuses a timestamp that is too low, with the message that tests of the flavor compare. */
export function checkAskedTimestamp(flavor: Flavor, state: NodeState, timestamp: number): void {
  const least = leastAskedTimestamp(flavor, state)
  if (timestamp >= least) return
  const previous = state.chain.head.header.timestamp
  const refusal = failure('timestampTooLow', { timestamp, least })
  if (flavor === 'ganache') throw refusal
  if (flavor === 'anvil') {
    const words = `Timestamp error: ${timestamp} is lower than previous block's timestamp`
    throw reworded(refusal, refusal.code, words)
  }
  const words =
    timestamp < previous
      ? `Timestamp ${timestamp} is lower than the previous block's timestamp ${previous}`
      : `Timestamp ${timestamp} is equal to the previous block's timestamp. Enable the 'allowBlocksWithSameTimestamp' option to allow this`
  throw reworded(refusal, INVALID_INPUT, words)
}

/**
 * `count` blocks with an interval in seconds between them. In Hardhat the interval does not apply to the first block,
 * and its default is one second. In anvil the clock moves by the interval before each block; without an interval, or
 * with zero, the clock alone decides.
 */
export function miningOrder(flavor: Flavor, state: NodeState, count: number, intervalS: number | undefined) {
  if (flavor === 'hardhat') return { count, intervalS: intervalS ?? 1 }
  return intervalS === undefined || intervalS === 0 ? { count } : mining.spacedOrder(state, count, intervalS)
}

/** In anvil automining ends interval mining; in the others both can be on. */
export function withAutomine(flavor: Flavor, state: NodeState, isEnabled: boolean): NodeState {
  const changed = mining.setAutomine(state, isEnabled)
  return flavor === 'anvil' && isEnabled ? mining.stopSealingOnTime(changed) : changed
}

/** In anvil interval mining ends automining. `undefined` ends interval mining. */
export function withIntervalMining(
  flavor: Flavor,
  state: NodeState,
  blockTime: number | BlockTimeRange | undefined,
): NodeState {
  const mode = flavor === 'anvil' ? mining.setAutomine(state, false) : state
  return blockTime === undefined ? mining.stopSealingOnTime(mode) : mining.sealOnTime(mode, blockTime)
}

/** A call and the block that it sees. */
export interface FlavoredCall {
  readonly message: CallMessage
  readonly environment: BlockEnvironment
}

/** Completes a request, by `complete` unless the flavor is hardhat. */
export function callOf(
  { options, state }: ReadContext,
  site: calls.CallSite,
  request: TransactionRequest,
  overrides?: BlockOverrides,
  complete = calls.toCallMessage,
): FlavoredCall {
  const { flavor, limits } = options
  if (flavor !== 'hardhat') {
    const message = complete(limits, site, request)
    return { message, environment: calls.environmentOfCall(site, message, overrides) }
  }
  calls.checkCreation(request)
  // The base fee is zero, unless the request overrides it.
  const isTold = overrides?.baseFeePerGas !== undefined
  const environment = isTold ? site.environment : withoutBaseFee(site.environment)
  const { maxFeePerGas, maxPriorityFeePerGas } = request
  const cap = site.rules.transactionGasCap
  const gas = request.gas ?? cap ?? environment.gasLimit
  if (cap !== undefined && gas > cap) throw failure('gasLimitAboveCap', { gasLimit: gas, cap })
  // With the caller that Hardhat adds, and without the fields that its calls ignore.
  const own = { from: request.from ?? heldAccounts(state)[0], chainId: undefined, gas }
  const asked = { ...request, ...own, maxFeePerGas: maxFeePerGas ?? maxPriorityFeePerGas }
  const message = calls.toCallMessage(limits, { ...site, environment }, asked)
  return { message: { ...message, funds: 'lent' }, environment }
}

export function estimateOf(
  context: ReadContext,
  site: calls.CallSite,
  request: TransactionRequest,
  overrides?: BlockOverrides,
): FlavoredCall {
  const call = callOf(context, site, request, overrides, calls.toEstimateMessage)
  const { message } = call
  const shortfall = context.options.flavor === 'hardhat' ? gasShortfall(site.rules, message) : undefined
  if (shortfall === undefined) return call
  throw failure(shortfall.kind, { gas: message.gasLimit, least: shortfall.least })
}

/** The estimate that is shown. Hardhat's is at least one more than the intrinsic gas. */
export function shownEstimate(
  { options }: ReadContext,
  { rules }: calls.CallSite,
  message: CallMessage,
  estimate: bigint,
): bigint {
  if (options.flavor !== 'hardhat') return estimate
  const least = intrinsicGas(rules, message) + 1n
  return estimate < least ? least : estimate
}
