// Execution of an unsigned transaction for eth_simulateV1. Its validation is in simulation-checks.ts.

import type { BlockEnvironment } from '../evm/environment.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import { type MessageResult, runMessage } from '../evm/run-message.ts'
import { messageOf, toExecuted } from './executed.ts'
import { buyGas, type Prices, pricesOf, settle } from './payment.ts'
import type { BlockProgress, ExecutedTransaction } from './receipt.ts'
import { FREE_OF_ROLLUP_FEES } from './rollup-fees.ts'
import { runWithLogs, type SimulatedLogs, type TransferLogs } from './simulated-logs.ts'
import { type Checking, checkTransaction, isBlobFree, isFree } from './simulation-checks.ts'
import { blobGasOf, type Transaction } from './transaction.ts'

export interface SimulationMode {
  readonly checking: Checking
  readonly transferLogs: TransferLogs
}

export interface SimulatedTransaction extends SimulatedLogs {
  readonly executed: ExecutedTransaction
  readonly result: MessageResult
}

/** The prices of a transaction: zero if it names no fee and fees are not checked. As in op-geth, none has rollup fees. */
function pricesUnder(
  { rules }: EvmInstance,
  environment: BlockEnvironment,
  transaction: Transaction,
  checking: Checking,
): Prices {
  const named = pricesOf(environment, transaction, rules.op && FREE_OF_ROLLUP_FEES)
  const gas = isFree(transaction, checking) ? 0n : named.gas
  const blobs = isBlobFree(transaction, checking) ? 0n : named.blobs
  if (gas === 0n) return { gas, tip: undefined, blobs, rollup: undefined }
  return { ...named, blobs }
}

/** Executes a transaction; the writer then holds the state after it. Throws if it is invalid. */
export async function simulateTransaction(
  instance: EvmInstance,
  environment: BlockEnvironment,
  progress: BlockProgress,
  transaction: Transaction,
  { checking, transferLogs }: SimulationMode,
): Promise<SimulatedTransaction> {
  const { rules, writer } = instance
  checkTransaction(instance, environment, transaction, checking)
  const prices = pricesUnder(instance, environment, transaction, checking)
  writer.reset(buyGas(writer.current, transaction, prices))
  const message = messageOf(transaction, prices.gas)
  const run = async (): Promise<MessageResult> =>
    runMessage(instance, environment, message, (state, result) =>
      settle(rules, state, environment, transaction, prices, result),
    )
  const told = await runWithLogs(instance, transferLogs, run)
  const executed = toExecuted(progress, transaction, prices.gas, told.result, blobGasOf(transaction))
  return { ...told, executed }
}
