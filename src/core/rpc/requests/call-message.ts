// Places of calls, and messages of eth_call and eth_estimateGas from transaction objects.

import type { BlockView } from '../../chain/chain.ts'
import type { BlockOverrides, CallMessage, CallSite, PlacedCall } from '../../execution/call/run-call.ts'
import { overrideEnvironment } from '../../execution/call/run-call.ts'
import { withoutBaseFee } from '../../execution/evm/pooled-evm.ts'
import type { BlockSelector } from '../../node/lookup.ts'
import { executionContext, scheduleIn } from '../../node/node-state.ts'
import { failure } from '../../primitives/errors.ts'
import { ZERO_ADDRESS } from '../../primitives/hex.ts'
import { overridePrecompiles } from '../../rollup/precompiles.ts'
import { NO_STATE_OVERRIDES, overrideState, type StateOverrides } from '../../state/overrides.ts'
import type { TransactionRequest } from '../codecs/overrides.ts'
import { type ReadContext, type RpcLimits, viewIn } from '../session.ts'

type Overrides = readonly [accounts?: StateOverrides, block?: BlockOverrides]

export function callSiteIn(context: ReadContext, selector: BlockSelector, ...overrides: Overrides): CallSite {
  return callSiteAt(context, viewIn(context, selector), ...overrides)
}

export function callSiteAt(
  { state }: ReadContext,
  view: Pick<BlockView, 'environment' | 'state' | 'rules'>,
  ...[accounts = NO_STATE_OVERRIDES, block]: Overrides
): CallSite {
  const { number, timestamp, difficulty } = view.environment
  // The fork depends on number and timestamp, so overriding these may select another one.
  const rules =
    block?.number === undefined && block?.timestamp === undefined
      ? view.rules
      : scheduleIn(state).rulesAt({
          number: block.number ?? number,
          timestamp: block.timestamp ?? timestamp,
          difficulty,
        })
  return {
    environment: block === undefined ? view.environment : overrideEnvironment(rules, view.environment, block),
    state: overrideState(view.state, accounts),
    execution: {
      ...executionContext(state, rules),
      precompiles: overridePrecompiles(rules, accounts),
    },
  }
}

/** The default gas cap of a call, as in geth (--rpc.gascap). */
const CALL_GAS_CAP = 50_000_000n
/** The most to which a higher block gas limit raises it: an endless loop shall end. */
const HIGHEST_DEFAULT_CAP = 1_000_000_000n

/** The gas of all calls of a simulation together; as in geth, the block gas limit does not raise it. */
export function simulationGasCap({ callGas }: Pick<RpcLimits, 'callGas'>): bigint {
  return callGas === undefined ? CALL_GAS_CAP : BigInt(callGas)
}

/** Intrinsic gas of a plain transfer (yellow paper, appendix G). */
const TRANSACTION_GAS = 21_000n

function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** The gas price of a call; zero if it names no fee. */
function gasPriceOf(request: TransactionRequest, baseFee: bigint): bigint {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, from } = request
  const feeCap = gasPrice ?? maxFeePerGas ?? 0n
  const tip = gasPrice ?? maxPriorityFeePerGas ?? 0n
  if (tip > feeCap && maxFeePerGas !== undefined) throw failure('tipAboveFeeCap', { tip, feeCap })
  if (feeCap === 0n) return 0n
  if (feeCap < baseFee) {
    const type = gasPrice === undefined ? 2 : 0
    throw failure('feeCapTooLow', { sender: from ?? ZERO_ADDRESS, feeCap, baseFee, type })
  }
  return feeCap - baseFee < tip ? feeCap : baseFee + tip
}

/** Completes a request at a block with geth's defaults. */
export function toCallMessage(
  limits: Pick<RpcLimits, 'callGas'>,
  { environment, execution }: CallSite,
  request: TransactionRequest,
): CallMessage {
  const { gasLimit, baseFeePerGas, blobBaseFee } = environment
  const { rules } = execution.evmPool
  const { chainId } = request
  if (chainId !== undefined && chainId !== BigInt(rules.chainId))
    throw failure('chainIdMismatch', { given: chainId, expected: rules.chainId })
  const isDefault = limits.callGas === undefined && gasLimit > CALL_GAS_CAP
  const cap = isDefault ? lesser(gasLimit, HIGHEST_DEFAULT_CAP) : simulationGasCap(limits)
  const gasPrice = gasPriceOf(request, baseFeePerGas)
  const { blobVersionedHashes, maxFeePerBlobGas = 0n } = request
  const isTooLow = blobVersionedHashes && maxFeePerBlobGas > 0n && maxFeePerBlobGas < blobBaseFee
  if (isTooLow) throw failure('blobFeeTooLow', { feeCap: maxFeePerBlobGas, least: blobBaseFee })
  return {
    from: request.from ?? ZERO_ADDRESS,
    to: request.to,
    value: request.value ?? 0n,
    input: request.input,
    gasLimit: request.gas === undefined || request.gas > cap ? cap : request.gas,
    gasPrice,
    feeCap: request.gasPrice ?? request.maxFeePerGas ?? 0n,
    accessList: request.accessList ?? [],
    authorizationList: request.authorizationList ?? [],
    maxFeePerBlobGas,
    blobVersionedHashes: blobVersionedHashes ?? [],
  }
}

/** Capped at the gas of a block and of a transaction (EIP-7825). Less than 21,000 is ignored, as in geth. */
export function toEstimateMessage(
  limits: Pick<RpcLimits, 'callGas'>,
  site: CallSite,
  request: TransactionRequest,
): CallMessage {
  const isLimit = request.gas !== undefined && request.gas >= TRANSACTION_GAS
  const message = toCallMessage(limits, site, isLimit ? request : { ...request, gas: undefined })
  const { gasLimit } = site.environment
  const most = lesser(gasLimit, site.execution.evmPool.rules.transactionGasCap ?? gasLimit)
  return { ...message, gasLimit: lesser(message.gasLimit, most) }
}

/** Places a call. BASEFEE is zero for a call without a fee, as in geth, unless the request overrides it. */
export function placeCall(site: CallSite, message: CallMessage, overrides?: BlockOverrides): PlacedCall {
  const isTold = message.gasPrice > 0n || overrides?.baseFeePerGas !== undefined
  return { ...site, environment: isTold ? site.environment : withoutBaseFee(site.environment), message }
}

/** Refuses a creation without init code, as Hardhat does, whether it is called, estimated or sent. */
export function checkCreation({ to, input }: TransactionRequest): void {
  if (to === undefined && input.length === 0) throw failure('creationWithoutData')
}
