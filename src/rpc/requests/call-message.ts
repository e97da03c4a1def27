// From a transaction object to what the EVM runs for eth_call and eth_estimateGas.

import type { BlockView } from '../../chain/view.ts'
import type { BlockOverrides } from '../../execution/call/block-overrides.ts'
import type { CallMessage } from '../../execution/call/run-call.ts'
import { type BlockEnvironment, withoutBaseFee } from '../../execution/evm/environment.ts'
import type { ExecutionContext } from '../../execution/evm/pooled-evm.ts'
import { transactionGasCap } from '../../execution/transaction/intrinsic-gas.ts'
import { executionContext } from '../../node/node-state.ts'
import { failure } from '../../primitives/errors.ts'
import { ZERO_ADDRESS } from '../../primitives/hex.ts'
import type { TransactionRequest } from '../codecs/transaction-request.ts'
import type { ReadContext } from '../read-context.ts'

/** Most gas of a call, as geth's RPC gas cap; a higher block gas limit raises it. */
export const CALL_GAS_CAP = 50_000_000n

export function contextOf({ config, state }: ReadContext, { rules }: BlockView): ExecutionContext {
  return executionContext(config, state, rules)
}

/** What any transaction costs at least (yellow paper, appendix G). */
const TRANSACTION_GAS = 21_000n

function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** What a call pays per gas: nothing where it names no fee. */
function gasPriceOf(request: TransactionRequest, baseFee: bigint): bigint {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, from } = request
  const feeCap = gasPrice ?? maxFeePerGas ?? 0n
  const tip = gasPrice ?? maxPriorityFeePerGas ?? 0n
  if (tip > feeCap && maxFeePerGas !== undefined) throw failure('tipAboveFeeCap', { tip, feeCap })
  if (feeCap === 0n) return 0n
  if (feeCap < baseFee) throw failure('feeCapTooLow', { sender: from ?? ZERO_ADDRESS, feeCap, baseFee })
  return feeCap - baseFee < tip ? feeCap : baseFee + tip
}

/** Blobs for which a fee is named are not had for less than they cost. */
function blobFeeCapOf({ blobVersionedHashes, maxFeePerBlobGas }: TransactionRequest, least: bigint): bigint {
  const feeCap = maxFeePerBlobGas ?? 0n
  const isTooLow = blobVersionedHashes !== undefined && feeCap > 0n && feeCap < least
  if (isTooLow) throw failure('blobFeeTooLow', { feeCap, least })
  return feeCap
}

type Place = Pick<BlockView, 'environment' | 'rules'>

/** Resolves a request at a block: what is absent gets the defaults of geth. */
export function toCallMessage({ environment, rules }: Place, request: TransactionRequest): CallMessage {
  const { gasLimit, baseFeePerGas, blobBaseFee } = environment
  const { chainId } = request
  if (chainId !== undefined && chainId !== BigInt(rules.chainId)) {
    throw failure('chainIdMismatch', { given: chainId, expected: rules.chainId })
  }
  const cap = gasLimit > CALL_GAS_CAP ? gasLimit : CALL_GAS_CAP
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
 * An estimate never exceeds what a block can hold, nor what a transaction may ask for. Less gas than any transaction
 * costs is no limit but a default of the client's, as in geth.
 */
export function toEstimateMessage(view: Place, request: TransactionRequest): CallMessage {
  const isLimit = request.gas !== undefined && request.gas >= TRANSACTION_GAS
  const message = toCallMessage(view, isLimit ? request : { ...request, gas: undefined })
  const { gasLimit } = view.environment
  const most = lesser(gasLimit, transactionGasCap(view.rules) ?? gasLimit)
  return { ...message, gasLimit: lesser(message.gasLimit, most) }
}

/**
 * What a call sees of its block. Without a fee there is none to compare with: BASEFEE reads zero then, as in geth,
 * unless the request says what it is.
 */
export function environmentOfCall(
  { environment }: Pick<BlockView, 'environment'>,
  { gasPrice }: CallMessage,
  overrides: BlockOverrides | undefined,
): BlockEnvironment {
  const isTold = gasPrice > 0n || overrides?.baseFeePerGas !== undefined
  return isTold ? environment : withoutBaseFee(environment)
}
