// The message of a transaction, and the executed transaction with its receipt, from the message's result.

import type { MessageFields, MessageResult } from '../evm/run-message.ts'
import { bloomOf } from './bloom.ts'
import type { BlockProgress, ExecutedTransaction, Receipt } from './receipt.ts'
import type { Transaction } from './transaction.ts'

/** Field by field: a spread would cost as much as a transfer. */
export function messageOf(transaction: Transaction, gasPrice: bigint): MessageFields {
  const { sender: from, to, value, input, gasLimit } = transaction
  const { accessList, authorizationList, blobVersionedHashes } = transaction
  return { from, to, value, input, gasLimit, gasPrice, accessList, authorizationList, blobVersionedHashes }
}

/** The executed transaction with its receipt, at its position in the block. */
export function toExecuted(
  progress: BlockProgress,
  transaction: Transaction,
  gasPrice: bigint,
  result: MessageResult,
  blobGasUsed: bigint,
  deposit?: Receipt['deposit'],
): ExecutedTransaction {
  const receipt: { -readonly [Field in keyof Receipt]: Receipt[Field] } = {
    status: result.outcome === 'success' ? 1 : 0,
    postState: undefined,
    gasUsed: result.gasUsed,
    cumulativeGasUsed: progress.gasUsed + result.gasUsed,
    effectiveGasPrice: gasPrice,
    blobGasUsed,
    logs: result.logs,
    logsBloom: bloomOf(result.logs),
    contractAddress: result.contractAddress,
  }
  if (deposit !== undefined) receipt.deposit = deposit
  return {
    transaction,
    index: progress.transactionCount,
    firstLogIndex: progress.logCount,
    returnData: result.returnData,
    failure: result.outcome === 'revert' ? 'execution reverted' : result.failure,
    consoleCalls: result.consoleCalls,
    receipt,
  }
}
