// Execution of messages that are not transactions: eth_call and the runs of eth_estimateGas. Their state is discarded.

import { failure, revertFailure, type TickchainError, withTransaction } from '../../primitives/errors.ts'
import { bytesToHex } from '../../primitives/hex.ts'
import { missedIn } from '../../state/miss.ts'
import { readAccount, updateAccount, type WorldState } from '../../state/world-state.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import { withEvm } from '../evm/evm-pool.ts'
import type { EvmInstance, ExecutionContext } from '../evm/pooled-evm.ts'
import { type MessageFields, type MessageResult, runMessage } from '../evm/run-message.ts'
import { runTransfer } from '../evm/run-transfer.ts'
import { revertReason } from '../result/revert-reason.ts'
import { runProbed } from '../trace/run-probed.ts'
import { gasShortfall } from '../transaction/intrinsic-gas.ts'
import type { ExecutedTransaction } from '../transaction/receipt.ts'
import { blobGasOf } from '../transaction/transaction.ts'

export interface CallMessage extends MessageFields {
  /** Wei per gas that the sender must be able to pay, as in geth; at least the gas price. */
  readonly feeCap: bigint
  /** The same per blob gas; zero if the call names none. */
  readonly maxFeePerBlobGas: bigint
  /** The sender needs what the call costs, or is lent what it lacks. Default: required, as in geth. */
  readonly funds?: 'required' | 'lent'
}

export type CallResult = MessageResult

/** The most that the blobs of a call can cost. */
export function blobCost(call: CallMessage): bigint {
  return blobGasOf(call) * call.maxFeePerBlobGas
}

/** The sender must be able to pay the fee, if the call names one, and always the value. */
function checkFunds(state: WorldState, call: CallMessage): void {
  if (call.funds === 'lent') return
  const cost = call.value + call.gasLimit * call.feeCap + blobCost(call)
  if (cost === 0n) return
  const { balance } = readAccount(state, call.from)
  if (balance < cost) throw failure('insufficientFunds', { balance, cost })
}

/** As in a transaction, the sender buys its gas and increments its nonce before the message runs. */
export function beginMessage(
  state: WorldState,
  environment: BlockEnvironment,
  call: CallMessage,
): WorldState {
  const account = readAccount(state, call.from)
  const blobs = call.maxFeePerBlobGas === 0n ? 0n : blobGasOf(call) * environment.blobBaseFee
  const bought = call.gasLimit * call.gasPrice + blobs
  const left = account.balance - bought
  const balance = call.funds === 'lent' && left < call.value ? call.value : left
  return updateAccount(state, call.from, { nonce: account.nonce + 1n, balance })
}

/** Wraps the run of a call, for example to watch its steps. */
export type Instrumentation = (instance: EvmInstance, run: () => Promise<CallResult>) => Promise<CallResult>

/** Runs a call under the probe of the chain. */
export function probeCall(
  { probe }: ExecutionContext,
  kind: 'call' | 'estimate',
  call: CallMessage,
): Instrumentation {
  return (instance, run) => runProbed(instance, { probe, kind }, call, run, ({ gasUsed }) => gasUsed)
}

/** Throws if a call cannot start. */
export function checkCall(context: ExecutionContext, state: WorldState, call: CallMessage): void {
  const shortfall = gasShortfall(context.evmPool.rules, call)
  if (shortfall !== undefined) {
    throw failure(shortfall.kind, { gas: call.gasLimit, least: shortfall.least })
  }
  checkFunds(state, call)
}

/** Executes a call on a state; throws only if it cannot start. */
export async function runCall(
  context: ExecutionContext,
  state: WorldState,
  environment: BlockEnvironment,
  call: CallMessage,
  instrument: Instrumentation = (_, run) => run(),
): Promise<CallResult> {
  try {
    checkCall(context, state, call)
    return await withEvm(context, beginMessage(state, environment, call), (instance) =>
      instrument(
        instance,
        async () => runTransfer(instance, call) ?? runMessage(instance, environment, call),
      ),
    )
  } catch (error) {
    throw missedIn(error, { call: { ...call, coinbase: environment.coinbase } })
  }
}

/** geth's error for an exceptional halt. */
function haltFailure(reason: string | undefined): TickchainError {
  return failure('executionFailed', { reason: reason ?? 'unknown' })
}

function revertFailureOf(returnData: Uint8Array): TickchainError {
  return revertFailure(revertReason(returnData), bytesToHex(returnData))
}

/** The return data of a successful call; throws geth's error for any other. */
export function returnDataOrThrow(result: CallResult): Uint8Array {
  if (result.outcome === 'revert') throw revertFailureOf(result.returnData)
  if (result.outcome === 'failure') throw haltFailure(result.failure)
  return result.returnData
}

/** The error of an executed transaction; `undefined` if it succeeded. */
export function failureOfTransaction(executed: ExecutedTransaction): TickchainError | undefined {
  const { transaction, failure: reason, returnData } = executed
  if (reason === undefined) return undefined
  const error = reason === 'execution reverted' ? revertFailureOf(returnData) : haltFailure(reason)
  return withTransaction(error, transaction.hash)
}
