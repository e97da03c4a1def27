// Logs as JSON-RPC shows them.

import type { ExecutedTransaction, Log } from '../../execution/receipt.ts'
import { type Address, bytesToHex, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import type { PresentedBlock } from './present.ts'

export interface RpcLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  readonly blockHash: Hash | null
  readonly blockNumber: Hex | null
  readonly blockTimestamp: Hex
  readonly transactionHash: Hash
  readonly transactionIndex: Hex
  readonly logIndex: Hex
  readonly removed: boolean
}

export function formatLog(
  block: PresentedBlock,
  executed: ExecutedTransaction,
  log: Log,
  position: number,
): RpcLog {
  return {
    address: log.address,
    // A copy: the answer is the caller's to change.
    topics: [...log.topics],
    data: bytesToHex(log.data),
    blockHash: block.hash(),
    blockNumber: block.number,
    blockTimestamp: toQuantity(block.view.environment.timestamp),
    transactionHash: executed.transaction.hash,
    transactionIndex: toQuantity(executed.index),
    logIndex: toQuantity(executed.firstLogIndex + position),
    removed: false,
  }
}
