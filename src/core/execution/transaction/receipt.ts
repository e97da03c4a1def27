// Receipts, logs and executed transactions, with their RLP.

import { type Encodable, encodeItems } from '../../primitives/encode-rlp.ts'
import type { DumpedField } from '../../primitives/fields.ts'
import { type Address, bytesToHex, type Hash } from '../../primitives/hex.ts'
import type { ConsoleCall } from '../evm/console-calls.ts'
import type { Transaction } from './transaction.ts'

export interface Log {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Uint8Array
}

/** Converts logs of the EVM (address, topics, data). Logs of one frame share the array of their address. */
export function toLogs(logs: readonly [Uint8Array, Uint8Array[], Uint8Array][]): Log[] {
  let last: Uint8Array | undefined
  let address: Address = '0x'
  return logs.map(([bytes, topics, data]) => {
    if (bytes !== last) {
      last = bytes
      address = bytesToHex(bytes)
    }
    return { address, topics: topics.map(bytesToHex), data }
  })
}

export interface Receipt {
  readonly status: 0 | 1
  /** The state root after the transaction, in place of the status before byzantium (EIP-658). */
  readonly postState: Hash | undefined
  readonly gasUsed: bigint
  /** Gas used in the block up to and including this transaction. */
  readonly cumulativeGasUsed: bigint
  readonly effectiveGasPrice: bigint
  readonly blobGasUsed: bigint
  readonly logs: readonly Log[]
  readonly logsBloom: Uint8Array
  /** The created contract, for a creation. */
  readonly contractAddress: Address | undefined
  /** Only of a deposit transaction, from regolith on; the version from canyon on. */
  readonly deposit?: { readonly nonce: bigint; readonly version: 1 | undefined }
}

/** The fields of receipts besides logs and deposits, in the order of state dumps. */
export const RECEIPT_FIELDS = {
  status: { kind: 'flag' },
  postState: { kind: 'hash', isOptional: true },
  gasUsed: { kind: 'gas' },
  cumulativeGasUsed: { kind: 'gas' },
  effectiveGasPrice: { kind: 'amount' },
  blobGasUsed: { kind: 'gas' },
  contractAddress: { kind: 'address', isOptional: true },
} as const satisfies Partial<Record<keyof Receipt, DumpedField>>

/** Totals of a block before a transaction. */
export interface BlockProgress {
  readonly gasUsed: bigint
  readonly transactionCount: number
  readonly logCount: number
}

/** A transaction with its receipt and its position in the block. */
export interface ExecutedTransaction {
  readonly transaction: Transaction
  readonly receipt: Receipt
  readonly index: number
  /** Index in the block of its first log. */
  readonly firstLogIndex: number
  /** Return or revert data of the top-level call. */
  readonly returnData: Uint8Array
  /** Why it failed, in geth's words; `undefined` if it succeeded. */
  readonly failure: string | undefined
  readonly consoleCalls: readonly ConsoleCall[]
}

/** Logs as RLP items. */
export function logItems(logs: readonly Log[]): Encodable[] {
  return logs.map(({ address, topics, data }) => [address, topics, data])
}

/** The EIP-2718 encoding of a receipt, for the receipts root. */
export function encodeReceipt({ transaction, receipt }: ExecutedTransaction): Uint8Array {
  const { postState, status, cumulativeGasUsed, logsBloom, logs, deposit } = receipt
  const items: Encodable[] = [postState ?? status, cumulativeGasUsed, logsBloom, logItems(logs)]
  // Regolith's receipts have a nonce that is not part of the consensus, and so no version.
  if (deposit?.version !== undefined) items.push(deposit.nonce, deposit.version)
  return encodeItems(items, transaction.type === 0 ? undefined : transaction.type)
}
