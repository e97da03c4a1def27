// Flavor of calls and estimates. Hardhat's have a base fee of zero, lend the caller what it lacks, and are refused where
// a transaction with the same fields would be.

import type { BlockOverrides } from '../../execution/call/block-overrides.ts'
import type { CallMessage } from '../../execution/call/run-call.ts'
import { type BlockEnvironment, withoutBaseFee } from '../../execution/evm/environment.ts'
import { gasShortfall, intrinsicGas } from '../../execution/transaction/intrinsic-gas.ts'
import { heldAccounts } from '../../node/control/wallet.ts'
import { failure } from '../../primitives/errors.ts'
import type { TransactionRequest } from '../codecs/transaction-request.ts'
import type { ReadContext } from '../read-context.ts'
import {
  type CallSite,
  checkCreation,
  environmentOfCall,
  toCallMessage,
  toEstimateMessage,
} from '../requests/call-message.ts'

/** A call and the block that it sees. */
export interface FlavoredCall {
  readonly message: CallMessage
  readonly environment: BlockEnvironment
}

/** Completes a request, by `complete` unless the flavor is hardhat. */
function flavoredCall(
  { options, state }: ReadContext,
  site: CallSite,
  request: TransactionRequest,
  overrides: BlockOverrides | undefined,
  complete: typeof toCallMessage,
): FlavoredCall {
  const { flavor, limits } = options
  if (flavor !== 'hardhat') {
    const message = complete(limits, site, request)
    return { message, environment: environmentOfCall(site, message, overrides) }
  }
  checkCreation(request)
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
  const message = toCallMessage(limits, { ...site, environment }, asked)
  return { message: { ...message, funds: 'lent' }, environment }
}

export function callOf(
  context: ReadContext,
  site: CallSite,
  request: TransactionRequest,
  overrides: BlockOverrides | undefined,
): FlavoredCall {
  return flavoredCall(context, site, request, overrides, toCallMessage)
}

export function estimateOf(
  context: ReadContext,
  site: CallSite,
  request: TransactionRequest,
  overrides: BlockOverrides | undefined,
): FlavoredCall {
  const call = flavoredCall(context, site, request, overrides, toEstimateMessage)
  const { message } = call
  const shortfall = context.options.flavor === 'hardhat' ? gasShortfall(site.rules, message) : undefined
  if (shortfall === undefined) return call
  throw failure(shortfall.kind, { gas: message.gasLimit, least: shortfall.least })
}

/** The estimate that is shown. Hardhat's is at least one more than the intrinsic gas. */
export function shownEstimate(
  { options }: ReadContext,
  { rules }: CallSite,
  message: CallMessage,
  estimate: bigint,
): bigint {
  if (options.flavor !== 'hardhat') return estimate
  const least = intrinsicGas(rules, message) + 1n
  return estimate < least ? least : estimate
}
