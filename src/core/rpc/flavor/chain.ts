// Flavor of what several methods ask for: the suggested tip, timestamps, calls and estimates.

import { hasSlots } from '../../chain/block/block.ts'
import type { BlockOverrides, CallSite, PlacedCall } from '../../execution/call/run-call.ts'
import { withoutBaseFee } from '../../execution/evm/pooled-evm.ts'
import { gasShortfall, intrinsicGas } from '../../execution/transaction/intrinsic-gas.ts'
import { heldAccounts } from '../../node/control/wallet.ts'
import { leastTimestamp, type NodeState, nextRules } from '../../node/node-state.ts'
import { suggestedTip } from '../../node/production/submit.ts'
import { failure, reworded } from '../../primitives/errors.ts'
import { isForkActive } from '../../rollup/rules.ts'
import type { TransactionRequest } from '../codecs/overrides.ts'
import * as calls from '../requests/call-message.ts'
import type { ReadContext } from '../session.ts'
import type { Flavor } from './flavor.ts'
import { INVALID_INPUT } from './hardhat-messages.ts'

const PRE_LONDON_GAS_PRICE = 8_000_000_000n

/** The suggested tip; before london, the suggested gas price. */
export function suggestedTipIn({ state, options }: ReadContext): bigint {
  const isHardhats = options.flavor === 'hardhat' && !isForkActive(nextRules(state), 'london')
  if (!isHardhats) return suggestedTip(state)
  const least = state.controls.leastGasPrice
  return least > PRE_LONDON_GAS_PRICE ? least : PRE_LONDON_GAS_PRICE
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

/** Completes a request, by `complete` unless the flavor is hardhat. */
export function callOf(
  { options, state }: ReadContext,
  site: CallSite,
  request: TransactionRequest,
  overrides?: BlockOverrides,
  complete = calls.toCallMessage,
): PlacedCall {
  const { flavor, limits } = options
  if (flavor !== 'hardhat') return calls.placeCall(site, complete(limits, site, request), overrides)
  calls.checkCreation(request)
  // The base fee is zero, unless the request overrides it.
  const isTold = overrides?.baseFeePerGas !== undefined
  const environment = isTold ? site.environment : withoutBaseFee(site.environment)
  const { maxFeePerGas, maxPriorityFeePerGas } = request
  const cap = site.execution.evmPool.rules.transactionGasCap
  const gas = request.gas ?? cap ?? environment.gasLimit
  if (cap !== undefined && gas > cap) throw failure('gasLimitAboveCap', { gasLimit: gas, cap })
  // With the caller that Hardhat adds, and without the fields that its calls ignore.
  const own = { from: request.from ?? heldAccounts(state)[0], chainId: undefined, gas }
  const asked = { ...request, ...own, maxFeePerGas: maxFeePerGas ?? maxPriorityFeePerGas }
  const message = calls.toCallMessage(limits, { ...site, environment }, asked)
  return { ...site, message: { ...message, funds: 'lent' }, environment }
}

export function estimateOf(
  context: ReadContext,
  site: CallSite,
  request: TransactionRequest,
  overrides?: BlockOverrides,
): PlacedCall {
  const call = callOf(context, site, request, overrides, calls.toEstimateMessage)
  const { execution, message } = call
  const isHardhats = context.options.flavor === 'hardhat'
  const shortfall = isHardhats ? gasShortfall(execution.evmPool.rules, message) : undefined
  if (shortfall === undefined) return call
  throw failure(shortfall.kind, { gas: message.gasLimit, least: shortfall.least })
}

/** The estimate that is shown. Hardhat's is at least one more than the intrinsic gas. */
export function shownEstimate(
  { options }: ReadContext,
  { execution, message }: PlacedCall,
  estimate: bigint,
): bigint {
  if (options.flavor !== 'hardhat') return estimate
  const least = intrinsicGas(execution.evmPool.rules, message) + 1n
  return estimate < least ? least : estimate
}
