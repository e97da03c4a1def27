// JSON-RPC logs and receipts; the fields of execution-apis.

import { bloomToHex } from '../../execution/transaction/bloom.ts'
import type { ExecutedTransaction, Log } from '../../execution/transaction/receipt.ts'
import { type Address, bytesToHex, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import { receiptFields } from '../flavor/fields.ts'
import { millisField, type PresentedBlock } from './present.ts'
import { type RpcRollupReceiptFields, rollupReceiptFields } from './rollup.ts'

export interface RpcLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  readonly blockHash: Hash | null
  readonly blockNumber: Hex | null
  readonly blockTimestamp: Hex
  /** In milliseconds; only where a second has several blocks. */
  readonly blockTimestampMs?: Hex
  readonly transactionHash: Hash
  readonly transactionIndex: Hex
  readonly logIndex: Hex
  readonly removed: boolean
}

/** The fields that all logs of a transaction share. */
function placeOf(block: PresentedBlock, { transaction, index }: ExecutedTransaction) {
  return {
    blockHash: block.hash(),
    blockNumber: block.number,
    blockTimestamp: toQuantity(block.view.environment.timestamp),
    transactionHash: transaction.hash,
    transactionIndex: toQuantity(index),
  }
}

/** The logs of a transaction in order, filtered by `isWanted`. */
export function formatLogs(
  block: PresentedBlock,
  executed: ExecutedTransaction,
  logs: readonly Log[],
  isWanted: (log: Log) => boolean = () => true,
): RpcLog[] {
  const formatted: RpcLog[] = []
  let place: ReturnType<typeof placeOf> | undefined
  let millis: ReturnType<typeof millisField<'blockTimestampMs'>> | undefined
  for (const [position, log] of logs.entries()) {
    if (!isWanted(log)) continue
    place ??= placeOf(block, executed)
    millis ??= millisField(block, 'blockTimestampMs')
    formatted.push({
      address: log.address,
      // A copy, because the caller may change the answer.
      topics: [...log.topics],
      data: bytesToHex(log.data),
      blockHash: place.blockHash,
      blockNumber: place.blockNumber,
      blockTimestamp: place.blockTimestamp,
      ...millis,
      transactionHash: place.transactionHash,
      transactionIndex: place.transactionIndex,
      logIndex: toQuantity(executed.firstLogIndex + position),
      removed: false,
    })
  }
  return formatted
}

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

export function formatReceipt(block: PresentedBlock, executed: ExecutedTransaction): RpcReceipt {
  const { transaction, receipt } = executed
  const { postState } = receipt
  // EIP-658 replaced the state root by the status; `RpcReceipt` has the later form.
  const outcome = postState === undefined ? { status: toQuantity(receipt.status) } : { root: postState }
  return receiptFields(block.flavor, block.view.rules, {
    type: toQuantity(transaction.type),
    ...(outcome as Pick<RpcReceipt, 'status' | 'root'>),
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
    ...(transaction.type === 3 && {
      blobGasUsed: toQuantity(receipt.blobGasUsed),
      blobGasPrice: toQuantity(block.view.environment.blobBaseFee),
    }),
    ...rollupReceiptFields(block.view, executed),
    logs: formatLogs(block, executed, receipt.logs),
    logsBloom: bloomToHex(receipt.logsBloom),
  })
}
