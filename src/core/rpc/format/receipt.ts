// JSON-RPC receipts; the fields of execution-apis.

import { bloomToHex } from '../../execution/transaction/bloom.ts'
import type { ExecutedTransaction, Receipt } from '../../execution/transaction/receipt.ts'
import { type Address, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import { receiptFields } from '../flavor/fields.ts'
import { formatLogs, type RpcLog } from './log.ts'
import type { PresentedBlock } from './present.ts'
import { type RpcRollupReceiptFields, rollupReceiptFields } from './rollup.ts'

export interface RpcReceipt extends RpcRollupReceiptFields {
  readonly type: Hex
  /** Absent if there is a root. */
  readonly status: Hex
  /** The state root after the transaction; only before byzantium. */
  readonly root?: Hash
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
  /** Only for a blob transaction, as is `blobGasPrice`; on a rollup, the DA footprint from jovian on. */
  readonly blobGasUsed?: Hex
  readonly blobGasPrice?: Hex
  readonly logs: readonly RpcLog[]
  readonly logsBloom: Hex
}

type Outcome = Pick<RpcReceipt, 'status' | 'root'>

/** EIP-658 replaced the state root by the status; `RpcReceipt` has the later form. */
function outcomeOf({ postState, status }: Receipt): Outcome {
  return postState === undefined ? { status: toQuantity(status) } : ({ root: postState } as Outcome)
}

function blobFields({ view }: PresentedBlock, { transaction, receipt }: ExecutedTransaction) {
  if (transaction.type !== 3) return {}
  return {
    blobGasUsed: toQuantity(receipt.blobGasUsed),
    blobGasPrice: toQuantity(view.environment.blobBaseFee),
  }
}

export function formatReceipt(block: PresentedBlock, executed: ExecutedTransaction): RpcReceipt {
  const { transaction, receipt } = executed
  return receiptFields(block.flavor, block.view.rules, {
    type: toQuantity(transaction.type),
    ...outcomeOf(receipt),
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
    ...blobFields(block, executed),
    ...rollupReceiptFields(block.view, executed),
    logs: formatLogs(block, executed, receipt.logs),
    logsBloom: bloomToHex(receipt.logsBloom),
  })
}
