// A transaction that nobody has signed, executed as one (eth_simulateV1). What keeps one from a block is in
// simulation-checks.ts.

import type { BlockEnvironment } from '../evm/environment.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import { type MessageResult, runMessage } from '../evm/run-message.ts'
import { buyGas, type Prices, pricesOf, settle } from './payment.ts'
import type { BlockProgress, ExecutedTransaction, Log } from './receipt.ts'
import { toExecuted } from './run-transaction.ts'
import { type Checking, checkTransaction, isBlobFree, isFree } from './simulation-checks.ts'
import type { Transaction } from './transaction.ts'
import { runWithTransferLogs } from './transfer-logs.ts'

/** Whether transfers of ether are told among the logs. */
export type TransferLogs = 'traced' | 'untraced'

export interface SimulationMode {
  readonly checking: Checking
  readonly transferLogs: TransferLogs
}

export interface SimulatedTransaction {
  readonly executed: ExecutedTransaction
  readonly result: MessageResult
  /** The logs of the receipt, with transfers of ether where they are traced. */
  readonly logs: readonly Log[]
}

/** What a transaction pays: nothing where it names no fee and fees are not checked. */
function pricesUnder(environment: BlockEnvironment, transaction: Transaction, checking: Checking): Prices {
  const named = pricesOf(environment, transaction)
  const gas = isFree(transaction, checking) ? 0n : named.gas
  const blobs = isBlobFree(transaction, checking) ? 0n : named.blobs
  return { gas, tip: gas === 0n ? undefined : named.tip, blobs }
}

/** Executes a transaction; the writer then holds the state after it. Throws for what keeps it from a block. */
export async function simulateTransaction(
  instance: EvmInstance,
  environment: BlockEnvironment,
  progress: BlockProgress,
  transaction: Transaction,
  { checking, transferLogs }: SimulationMode,
): Promise<SimulatedTransaction> {
  const { rules, writer } = instance
  checkTransaction(instance, environment, transaction, checking)
  const prices = pricesUnder(environment, transaction, checking)
  writer.reset(buyGas(writer.current, transaction, prices))
  const message = { ...transaction, from: transaction.sender, gasPrice: prices.gas }
  const run = (): Promise<MessageResult> =>
    runMessage(instance, environment, message, (state, result) =>
      settle(rules, state, environment, transaction, prices, result),
    )
  const traced = transferLogs === 'traced' ? await runWithTransferLogs(instance, run) : undefined
  const result = traced?.result ?? (await run())
  const executed = toExecuted(progress, transaction, prices.gas, result)
  return { executed, result, logs: traced?.logs ?? result.logs }
}
