// Runs a message that is not a transaction: eth_call and the probes of eth_estimateGas. Nothing is kept.

import { failure, revertFailure, type TickchainError, withTransaction } from '../../primitives/errors.ts'
import { bytesToHex } from '../../primitives/hex.ts'
import { readAccount, type WorldState } from '../../state/world-state.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import { withEvm } from '../evm/evm-pool.ts'
import type { EvmInstance, ExecutionContext } from '../evm/pooled-evm.ts'
import { gasShortfall, type Message, type MessageResult, runMessage } from '../evm/run-message.ts'
import { runTransfer } from '../evm/run-transfer.ts'
import { revertReason } from '../result/revert-reason.ts'
import type { ExecutedTransaction } from '../transaction/receipt.ts'
import { blobGasOf } from '../transaction/transaction.ts'

export interface CallMessage extends Message {
  /** What the sender must be able to pay per gas, as geth has it; not less than the gas price. */
  readonly feeCap: bigint
  /** The same per blob gas; zero where the call names none. */
  readonly maxFeePerBlobGas: bigint
}

export type CallResult = MessageResult

/** The most that the blobs of a call can cost. */
export function blobCost(call: CallMessage): bigint {
  return blobGasOf(call) * call.maxFeePerBlobGas
}

/** A sender that names a fee must be able to pay it; the value must be covered in any case. */
function checkFunds(state: WorldState, call: CallMessage): void {
  const cost = call.value + call.gasLimit * call.feeCap + blobCost(call)
  if (cost === 0n) return
  const { balance } = readAccount(state, call.from)
  if (balance < cost) throw failure('insufficientFunds', { balance, cost })
}

/** As in a transaction, the sender has bought its gas and counted the message before anything else happens. */
function beginMessage(state: WorldState, environment: BlockEnvironment, call: CallMessage): WorldState {
  const account = readAccount(state, call.from)
  const blobs = call.maxFeePerBlobGas === 0n ? 0n : blobGasOf(call) * environment.blobBaseFee
  const bought = call.gasLimit * call.gasPrice + blobs
  return state.set(call.from, { ...account, nonce: account.nonce + 1n, balance: account.balance - bought })
}

/** Does something around the run of a call, such as watching its steps. */
export type Around = (instance: EvmInstance, run: () => Promise<CallResult>) => Promise<CallResult>

/** Executes a call on a state; throws only for what keeps it from starting. */
export async function runCall(
  context: ExecutionContext,
  state: WorldState,
  environment: BlockEnvironment,
  call: CallMessage,
  around: Around = (_, run) => run(),
): Promise<CallResult> {
  const shortfall = gasShortfall(context.evmPool.rules, call)
  if (shortfall !== undefined) {
    throw failure(shortfall.kind, { gas: call.gasLimit, least: shortfall.least })
  }
  checkFunds(state, call)
  return withEvm(context, beginMessage(state, environment, call), (instance) =>
    around(instance, async () => runTransfer(instance, call) ?? runMessage(instance, environment, call)),
  )
}

/** The error that geth answers for an execution that failed otherwise than by reverting. */
function haltFailure(reason: string | undefined): TickchainError {
  return failure('executionFailed', { reason: reason ?? 'unknown' })
}

function revertFailureOf(returnData: Uint8Array): TickchainError {
  return revertFailure(revertReason(returnData), bytesToHex(returnData))
}

/** The return bytes of a call that succeeded; throws the error that geth answers for one that did not. */
export function returnDataOrThrow(result: CallResult): Uint8Array {
  if (result.outcome === 'revert') throw revertFailureOf(result.returnData)
  if (result.outcome === 'failure') throw haltFailure(result.failure)
  return result.returnData
}

/** The error of a transaction that is in a block and failed there; `undefined` where it succeeded. */
export function failureOfTransaction(executed: ExecutedTransaction): TickchainError | undefined {
  const { transaction, failure: reason, returnData } = executed
  if (reason === undefined) return undefined
  const error = reason === 'execution reverted' ? revertFailureOf(returnData) : haltFailure(reason)
  return withTransaction(error, transaction.hash)
}
