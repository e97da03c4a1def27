// Conversion of transaction objects to the messages of eth_call and eth_estimateGas.

import type { BlockView } from '../../chain/view.ts'
import type { BlockOverrides } from '../../execution/call/block-overrides.ts'
import type { CallMessage } from '../../execution/call/run-call.ts'
import { type BlockEnvironment, withoutBaseFee } from '../../execution/evm/environment.ts'
import { failure } from '../../primitives/errors.ts'
import { ZERO_ADDRESS } from '../../primitives/hex.ts'
import type { TransactionRequest } from '../codecs/transaction-request.ts'
import type { RpcLimits } from '../options.ts'

/** The default gas cap of a call, as in geth (--rpc.gascap). */
const CALL_GAS_CAP = 50_000_000n
/** The most to which a higher block gas limit raises it: an endless loop shall end. */
const HIGHEST_DEFAULT_CAP = 1_000_000_000n

type CallLimits = Pick<RpcLimits, 'callGas'>

/** The gas of all calls of a simulation together; as in geth, the block gas limit does not raise it. */
export function simulationGasCap({ callGas }: CallLimits): bigint {
  return callGas === undefined ? CALL_GAS_CAP : BigInt(callGas)
}

function callGasCap(limits: CallLimits, blockGasLimit: bigint): bigint {
  if (limits.callGas !== undefined || blockGasLimit <= CALL_GAS_CAP) return simulationGasCap(limits)
  return lesser(blockGasLimit, HIGHEST_DEFAULT_CAP)
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

/** The blob fee cap; throws `blobFeeTooLow` if it is named and below the blob base fee. */
function blobFeeCapOf({ blobVersionedHashes, maxFeePerBlobGas }: TransactionRequest, least: bigint): bigint {
  const feeCap = maxFeePerBlobGas ?? 0n
  const isTooLow = blobVersionedHashes !== undefined && feeCap > 0n && feeCap < least
  if (isTooLow) throw failure('blobFeeTooLow', { feeCap, least })
  return feeCap
}

type CallBlock = Pick<BlockView, 'environment' | 'rules'>

/** Completes a request at a block with geth's defaults. */
export function toCallMessage(
  limits: CallLimits,
  { environment, rules }: CallBlock,
  request: TransactionRequest,
): CallMessage {
  const { gasLimit, baseFeePerGas, blobBaseFee } = environment
  const { chainId } = request
  if (chainId !== undefined && chainId !== BigInt(rules.chainId)) {
    throw failure('chainIdMismatch', { given: chainId, expected: rules.chainId })
  }
  const cap = callGasCap(limits, gasLimit)
  return {
    from: request.from ?? ZERO_ADDRESS,
    to: request.to,
    value: request.value ?? 0n,
    input: request.input,
    gasLimit: request.gas === undefined || request.gas > cap ? cap : request.gas,
    gasPrice: gasPriceOf(request, baseFeePerGas),
    feeCap: request.gasPrice ?? request.maxFeePerGas ?? 0n,
    accessList: request.accessList ?? [],
    authorizationList: request.authorizationList ?? [],
    maxFeePerBlobGas: blobFeeCapOf(request, blobBaseFee),
    blobVersionedHashes: request.blobVersionedHashes ?? [],
  }
}

/**
 * Like `toCallMessage`, capped at the gas limits of a block and of a transaction (EIP-7825). A gas limit below 21,000
 * is ignored, as in geth.
 */
export function toEstimateMessage(
  limits: CallLimits,
  view: CallBlock,
  request: TransactionRequest,
): CallMessage {
  const isLimit = request.gas !== undefined && request.gas >= TRANSACTION_GAS
  const message = toCallMessage(limits, view, isLimit ? request : { ...request, gas: undefined })
  const { gasLimit } = view.environment
  const most = lesser(gasLimit, view.rules.transactionGasCap ?? gasLimit)
  return { ...message, gasLimit: lesser(message.gasLimit, most) }
}

/**
 * The block environment of a call. BASEFEE is zero for a call without a fee, as in geth, unless the request
 * overrides it.
 */
export function environmentOfCall(
  { environment }: Pick<BlockView, 'environment'>,
  { gasPrice }: CallMessage,
  overrides: BlockOverrides | undefined,
): BlockEnvironment {
  const isTold = gasPrice > 0n || overrides?.baseFeePerGas !== undefined
  return isTold ? environment : withoutBaseFee(environment)
}

/** Refuses a creation without init code, as Hardhat does, whether it is called, estimated or sent. */
export function checkCreation({ to, input }: TransactionRequest): void {
  if (to === undefined && input.length === 0) throw failure('creationWithoutData')
}
