// Execution of one transaction on an EVM instance; preconditions.ts is checked before. It does not use runTx of
// @ethereumjs/vm; a test compares the two: docs/decisions/0013-transactions-run-without-runtx.md.

import type { BlockEnvironment } from '../evm/environment.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import { runMessage, type Settlement } from '../evm/run-message.ts'
import { runTransfer } from '../evm/run-transfer.ts'
import { messageOf, toExecuted } from './executed.ts'
import { buyGas, pricesOf, settle } from './payment.ts'
import type { BlockProgress, ExecutedTransaction } from './receipt.ts'
import { blobGasIn, rollupFeesOf } from './rollup-fees.ts'
import { isDeposit, runDeposit } from './run-deposit.ts'
import type { Transaction } from './transaction.ts'

/** Executes a transaction whose preconditions hold; the instance's writer then holds the state after it. */
export async function runTransaction(
  instance: EvmInstance,
  environment: BlockEnvironment,
  progress: BlockProgress,
  transaction: Transaction,
): Promise<ExecutedTransaction> {
  if (isDeposit(transaction)) return runDeposit(instance, environment, progress, transaction)
  const { rules, writer } = instance
  const rollup = rollupFeesOf(rules, writer.current, transaction)
  const prices = pricesOf(environment, transaction, rollup)
  const blobGasUsed = blobGasIn(rules, writer.current, transaction)
  writer.reset(buyGas(writer.current, transaction, prices))
  const message = messageOf(transaction, prices.gas)
  const settlement: Settlement = (state, result) =>
    settle(rules, state, environment, transaction, prices, result)
  const result =
    runTransfer(instance, message, settlement) ??
    (await runMessage(instance, environment, message, settlement))
  return toExecuted(progress, transaction, prices.gas, result, blobGasUsed)
}
