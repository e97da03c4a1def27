// JSON-RPC logs.

import type { ExecutedTransaction, Log } from '../../execution/transaction/receipt.ts'
import { type Address, bytesToHex, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import { millisField, type PresentedBlock } from './present.ts'

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
