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
  checkCreation,
  environmentOfCall,
  toCallMessage,
  toEstimateMessage,
} from '../requests/call-message.ts'
import type { CallSite } from '../requests/call-site.ts'

/** A call and the block that it sees. */
export interface FlavoredCall {
  readonly message: CallMessage
  readonly environment: BlockEnvironment
}

/** The request with the caller that Hardhat adds, without the fields that its calls ignore. */
function hardhatRequest({ state }: ReadContext, request: TransactionRequest) {
  checkCreation(request)
  const { maxFeePerGas, maxPriorityFeePerGas } = request
  return {
    ...request,
    from: request.from ?? heldAccounts(state)[0],
    chainId: undefined,
    maxFeePerGas: maxFeePerGas ?? maxPriorityFeePerGas,
  }
}

/** The site of a Hardhat call: the base fee is zero, unless the request overrides it. */
function hardhatSite(site: CallSite, overrides: BlockOverrides | undefined): CallSite {
  const isTold = overrides?.baseFeePerGas !== undefined
  return isTold ? site : { ...site, environment: withoutBaseFee(site.environment) }
}

function hardhatMessage({ options }: ReadContext, site: CallSite, request: TransactionRequest): CallMessage {
  const cap = site.rules.transactionGasCap
  if (cap !== undefined && request.gas !== undefined && request.gas > cap)
    throw failure('gasLimitAboveCap', { gasLimit: request.gas, cap })
  const gas = request.gas ?? cap ?? site.environment.gasLimit
  return { ...toCallMessage(options.limits, site, { ...request, gas }), funds: 'lent' }
}

export function callOf(
  context: ReadContext,
  site: CallSite,
  request: TransactionRequest,
  overrides: BlockOverrides | undefined,
): FlavoredCall {
  if (context.options.flavor !== 'hardhat') {
    const message = toCallMessage(context.options.limits, site, request)
    return { message, environment: environmentOfCall(site, message, overrides) }
  }
  const place = hardhatSite(site, overrides)
  return {
    message: hardhatMessage(context, place, hardhatRequest(context, request)),
    environment: place.environment,
  }
}

export function estimateOf(
  context: ReadContext,
  site: CallSite,
  request: TransactionRequest,
  overrides: BlockOverrides | undefined,
): FlavoredCall {
  if (context.options.flavor !== 'hardhat') {
    const message = toEstimateMessage(context.options.limits, site, request)
    return { message, environment: environmentOfCall(site, message, overrides) }
  }
  const call = callOf(context, site, request, overrides)
  const { message } = call
  const shortfall = gasShortfall(site.rules, message)
  if (shortfall !== undefined)
    throw failure(shortfall.kind, { gas: message.gasLimit, least: shortfall.least })
  return call
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
