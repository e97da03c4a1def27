// The executed transaction and its receipt, from the result of its message.

import type { MessageResult } from '../evm/run-message.ts'
import { bloomOf } from './bloom.ts'
import type { BlockProgress, ExecutedTransaction } from './receipt.ts'
import { blobGasOf, type Transaction } from './transaction.ts'

/** The executed transaction with its receipt, at its position in the block. */
export function toExecuted(
  progress: BlockProgress,
  transaction: Transaction,
  gasPrice: bigint,
  result: MessageResult,
  blobGasUsed = blobGasOf(transaction),
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
      blobGasUsed,
      logs: result.logs,
      logsBloom: bloomOf(result.logs),
      contractAddress: result.contractAddress,
    },
  }
}
