// Receipts as JSON-RPC shows them: the standard's fields.

import type { ExecutedTransaction } from '../../execution/receipt.ts'
import { type Address, bytesToHex, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import { formatLog, type RpcLog } from './log.ts'
import type { PresentedBlock } from './present.ts'

export interface RpcReceipt {
  readonly type: Hex
  readonly status: Hex
  readonly transactionHash: Hash
  readonly transactionIndex: Hex
  readonly blockHash: Hash | null
  readonly blockNumber: Hex | null
  readonly from: Address
  readonly to: Address | null
  readonly contractAddress: Address | null
  readonly gasUsed: Hex
  readonly cumulativeGasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly logs: readonly RpcLog[]
  readonly logsBloom: Hex
}

export function formatReceipt(block: PresentedBlock, executed: ExecutedTransaction): RpcReceipt {
  const { transaction, receipt } = executed
  return {
    type: toQuantity(transaction.type),
    status: toQuantity(receipt.status),
    transactionHash: transaction.hash,
    transactionIndex: toQuantity(executed.index),
    blockHash: block.hash(),
    blockNumber: block.number,
    from: transaction.sender,
    to: transaction.to ?? null,
    contractAddress: receipt.contractAddress ?? null,
    gasUsed: toQuantity(receipt.gasUsed),
    cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
    effectiveGasPrice: toQuantity(receipt.effectiveGasPrice),
    logs: receipt.logs.map((log, position) => formatLog(block, executed, log, position)),
    logsBloom: bytesToHex(receipt.logsBloom),
  }
}
