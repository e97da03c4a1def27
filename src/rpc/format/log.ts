// Logs as JSON-RPC shows them.

import type { BlockView } from '../../chain/view.ts'
import type { ExecutedTransaction, Log } from '../../execution/receipt.ts'
import { type Address, bytesToHex, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'

export interface RpcLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  readonly blockHash: Hash
  readonly blockNumber: Hex
  readonly blockTimestamp: Hex
  readonly transactionHash: Hash
  readonly transactionIndex: Hex
  readonly logIndex: Hex
  readonly removed: boolean
}

export function formatLog(
  view: BlockView,
  executed: ExecutedTransaction,
  log: Log,
  position: number,
): RpcLog {
  const { number, timestamp } = view.environment
  return {
    address: log.address,
    topics: log.topics,
    data: bytesToHex(log.data),
    blockHash: view.block().hash,
    blockNumber: toQuantity(number),
    blockTimestamp: toQuantity(timestamp),
    transactionHash: executed.transaction.hash,
    transactionIndex: toQuantity(executed.index),
    logIndex: toQuantity(executed.firstLogIndex + position),
    removed: false,
  }
}
