// What executing a transaction leaves behind.

import {
  type Address,
  bigIntToBytes,
  bytesToHex,
  concatBytes,
  type Hash,
  hexToBytes,
} from '../primitives/hex.ts'
import { encodeBytes, encodeBytesList, encodeList } from '../primitives/rlp.ts'
import type { ConsoleCall } from './console-calls.ts'
import type { Transaction } from './transaction.ts'

export interface Log {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Uint8Array
}

/** Logs as the EVM leaves them: address, topics, data. */
export function toLogs(logs: readonly [Uint8Array, Uint8Array[], Uint8Array][]): Log[] {
  return logs.map(([address, topics, data]) => ({
    address: bytesToHex(address),
    topics: topics.map(bytesToHex),
    data,
  }))
}

export interface Receipt {
  readonly status: 0 | 1
  /** Before byzantium, the state root after the transaction stands in place of the status. */
  readonly postState: Hash | undefined
  readonly gasUsed: bigint
  /** Gas used in the block up to and including this transaction. */
  readonly cumulativeGasUsed: bigint
  readonly effectiveGasPrice: bigint
  readonly blobGasUsed: bigint
  readonly logs: readonly Log[]
  readonly logsBloom: Uint8Array
  /** The contract that the transaction created, if it asked for one. */
  readonly contractAddress: Address | undefined
}

/** What has run in a block before a transaction. */
export interface BlockProgress {
  readonly gasUsed: bigint
  readonly transactionCount: number
  readonly logCount: number
}

/** A transaction that has run, with its place in the block. */
export interface ExecutedTransaction {
  readonly transaction: Transaction
  readonly receipt: Receipt
  readonly index: number
  /** Index in the block of its first log. */
  readonly firstLogIndex: number
  /** Return or revert bytes of the outermost call. */
  readonly returnData: Uint8Array
  /** geth's words for why it failed; absent where it succeeded. */
  readonly failure: string | undefined
  readonly consoleCalls: readonly ConsoleCall[]
}

function encodeLog({ address, topics, data }: Log): Uint8Array {
  const topicBytes = topics.map(hexToBytes)
  return encodeList([encodeBytes(hexToBytes(address)), encodeBytesList(topicBytes), encodeBytes(data)])
}

/** EIP-2718 receipt encoding, which the receipts root commits to. */
export function encodeReceipt({ transaction, receipt }: ExecutedTransaction): Uint8Array {
  const payload = encodeList([
    encodeBytes(
      receipt.postState === undefined ? bigIntToBytes(BigInt(receipt.status)) : hexToBytes(receipt.postState),
    ),
    encodeBytes(bigIntToBytes(receipt.cumulativeGasUsed)),
    encodeBytes(receipt.logsBloom),
    encodeList(receipt.logs.map(encodeLog)),
  ])
  return transaction.type === 0 ? payload : concatBytes(Uint8Array.of(transaction.type), payload)
}
