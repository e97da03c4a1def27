// Execution of one transaction on an EVM instance; preconditions.ts is checked before. It does not use runTx of
// @ethereumjs/vm; a test compares the two: docs/decisions/0013-transactions-run-without-runtx.md.

import type { BlockEnvironment } from '../evm/environment.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import { type MessageResult, runMessage, type Settlement } from '../evm/run-message.ts'
import { runTransfer } from '../evm/run-transfer.ts'
import { bloomOf } from './bloom.ts'
import { buyGas, pricesOf, settle } from './payment.ts'
import type { BlockProgress, ExecutedTransaction } from './receipt.ts'
import { blobGasOf, type Transaction } from './transaction.ts'

/** The executed transaction with its receipt, at its position in the block. */
export function toExecuted(
  progress: BlockProgress,
  transaction: Transaction,
  gasPrice: bigint,
  result: MessageResult,
): ExecutedTransaction {
  return {
    transaction,
    index: progress.transactionCount,
    firstLogIndex: progress.logCount,
    returnData: result.returnData,
    failure: result.outcome === 'revert' ? 'execution reverted' : result.failure,
    consoleCalls: result.consoleCalls,
    receipt: {
      status: result.outcome === 'success' ? 1 : 0,
      postState: undefined,
      gasUsed: result.gasUsed,
      cumulativeGasUsed: progress.gasUsed + result.gasUsed,
      effectiveGasPrice: gasPrice,
      blobGasUsed: blobGasOf(transaction),
      logs: result.logs,
      logsBloom: bloomOf(result.logs),
      contractAddress: result.contractAddress,
    },
  }
}

/** Executes a transaction whose preconditions hold; the instance's writer then holds the state after it. */
export async function runTransaction(
  instance: EvmInstance,
  environment: BlockEnvironment,
  progress: BlockProgress,
  transaction: Transaction,
): Promise<ExecutedTransaction> {
  const { rules, writer } = instance
  const prices = pricesOf(environment, transaction)
  writer.reset(buyGas(writer.current, transaction, prices))
  const message = { ...transaction, from: transaction.sender, gasPrice: prices.gas }
  const settlement: Settlement = (state, result) =>
    settle(rules, state, environment, transaction, prices, result)
  const result =
    runTransfer(instance, message, settlement) ??
    (await runMessage(instance, environment, message, settlement))
  return toExecuted(progress, transaction, prices.gas, result)
}
