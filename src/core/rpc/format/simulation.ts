// JSON-RPC result of eth_simulateV1: blocks with the results of their calls.

import type { SimulatedBlockResult } from '../../chain/simulate/simulate.ts'
import { viewOfSealed } from '../../chain/view.ts'
import type { CustomErrors } from '../../execution/result/custom-errors.ts'
import { revertReason } from '../../execution/result/revert-reason.ts'
import type { SimulatedTransaction } from '../../execution/transaction/simulate-transaction.ts'
import { failure, revertFailure } from '../../primitives/errors.ts'
import { bytesToHex, EMPTY_BYTES, toQuantity } from '../../primitives/hex.ts'
import { formatBlock, type RpcBlock, type TransactionDetail } from './block.ts'
import { formatLogs } from './log.ts'
import type { PresentedBlock } from './present.ts'
import { formatTransaction } from './transaction.ts'

/** The error of a call: with data for a revert, else with a message only. */
function errorOf({ result }: SimulatedTransaction, errors: CustomErrors) {
  const { outcome, returnData } = result
  if (outcome === 'success') return undefined
  const { code, message, data } =
    outcome === 'revert'
      ? revertFailure(revertReason(returnData, errors), bytesToHex(returnData))
      : failure('simulatedExecutionFailed', { reason: result.failure ?? 'unknown' })
  return { code, message, ...(data === undefined ? {} : { data }) }
}

/** A call; `maxUsedGas` is before the refund. */
function formatCall(block: PresentedBlock, simulated: SimulatedTransaction, errors: CustomErrors) {
  const { executed, result, logs } = simulated
  const indexed = formatLogs(block, executed, logs).map((log, position) => ({
    ...log,
    logIndex: toQuantity(executed.firstLogIndex + (logs[position]?.index ?? 0)),
  }))
  const error = errorOf(simulated, errors)
  return {
    returnData: bytesToHex(result.outcome === 'success' ? result.returnData : EMPTY_BYTES),
    logs: indexed,
    gasUsed: toQuantity(result.gasUsed),
    maxUsedGas: toQuantity(result.peakGas),
    status: toQuantity(executed.receipt.status),
    ...(error === undefined ? {} : { error }),
  }
}

function formatTransactions(block: PresentedBlock): RpcBlock['transactions'] {
  return block.view.executed.map(({ transaction, index }) => ({
    ...formatTransaction(transaction, { block, index }),
    // Unsigned, so v is zero in legacy transactions as well.
    v: '0x0' as const,
  }))
}

export function formatSimulatedBlock(
  { block, calls }: SimulatedBlockResult,
  detail: TransactionDetail,
  errors: CustomErrors,
) {
  const { hash, header } = block
  const shown: PresentedBlock = {
    view: viewOfSealed(block),
    number: toQuantity(header.number),
    hash: () => hash,
    isUnmined: false,
  }
  const formatted = formatBlock(shown, detail)
  const transactions = detail === 'full' ? formatTransactions(shown) : formatted.transactions
  return {
    ...formatted,
    transactions,
    calls: calls.map((call) => formatCall(shown, call, errors)),
  }
}

export interface RpcSimulatedBlock extends ReturnType<typeof formatSimulatedBlock> {}
