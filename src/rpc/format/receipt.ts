// Receipts as JSON-RPC shows them: the standard's fields.

import type { BlockView } from '../../chain/view.ts'
import type { ExecutedTransaction } from '../../execution/receipt.ts'
import { type Address, bytesToHex, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import { formatLog, type RpcLog } from './log.ts'

export interface RpcReceipt {
  readonly type: Hex
  readonly status: Hex
  readonly transactionHash: Hash
  readonly transactionIndex: Hex
  readonly blockHash: Hash
  readonly blockNumber: Hex
  readonly from: Address
  readonly to: Address | null
  readonly contractAddress: Address | null
  readonly gasUsed: Hex
  readonly cumulativeGasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly logs: readonly RpcLog[]
  readonly logsBloom: Hex
}

export function formatReceipt(view: BlockView, executed: ExecutedTransaction): RpcReceipt {
  const { transaction, receipt } = executed
  return {
    type: toQuantity(transaction.type),
    status: toQuantity(receipt.status),
    transactionHash: transaction.hash,
    transactionIndex: toQuantity(executed.index),
    blockHash: view.block().hash,
    blockNumber: toQuantity(view.environment.number),
    from: transaction.sender,
    to: transaction.to ?? null,
    contractAddress: receipt.contractAddress ?? null,
    gasUsed: toQuantity(receipt.gasUsed),
    cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
    effectiveGasPrice: toQuantity(receipt.effectiveGasPrice),
    logs: receipt.logs.map((log, position) => formatLog(view, executed, log, position)),
    logsBloom: bytesToHex(receipt.logsBloom),
  }
}
