// From a transaction object to what the EVM runs for eth_call and eth_estimateGas.

import { blockHashesOf } from '../chain/chain.ts'
import type { BlockView } from '../chain/view.ts'
import type { ExecutionContext } from '../execution/machine.ts'
import type { CallMessage } from '../execution/run-call.ts'
import { failure } from '../primitives/errors.ts'
import { ZERO_ADDRESS } from '../primitives/hex.ts'
import type { TransactionRequest } from './codecs/transaction-request.ts'
import type { ReadContext } from './method.ts'

/** Most gas of a call, as geth's RPC gas cap; a higher block gas limit raises it. */
const CALL_GAS_CAP = 50_000_000n

export function executionContext({ config, state }: ReadContext): ExecutionContext {
  return { machines: config.machines, blockHashOf: blockHashesOf(state.chain) }
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

/** Resolves a request at a block: what is absent gets the defaults of geth. */
export function toCallMessage(view: BlockView, request: TransactionRequest): CallMessage {
  const { gasLimit, baseFeePerGas } = view.environment
  const cap = gasLimit > CALL_GAS_CAP ? gasLimit : CALL_GAS_CAP
  return {
    from: request.from ?? ZERO_ADDRESS,
    to: request.to,
    value: request.value ?? 0n,
    input: request.input,
    gasLimit: request.gas === undefined || request.gas > cap ? cap : request.gas,
    gasPrice: gasPriceOf(request, baseFeePerGas),
    accessList: request.accessList ?? [],
    authorizationList: request.authorizationList ?? [],
  }
}

/** An estimate never exceeds what a block can hold. */
export function toEstimateMessage(view: BlockView, request: TransactionRequest): CallMessage {
  const message = toCallMessage(view, request)
  const { gasLimit } = view.environment
  return message.gasLimit > gasLimit ? { ...message, gasLimit } : message
}
