// Transactions, and what comes of them: receipts, logs, and log blooms (yellow paper, 4.3.1), with their RLP.

import type { ObservedLog } from '../../interpreter/observer.ts'
import { keccak256 } from '../../primitives/crypto.ts'
import { type Address, bytesToHex, type Hash, type Hex, hexToBytes } from '../../primitives/hex.ts'
import { memoizeMany } from '../../primitives/lru-cache.ts'
import { type Encodable, encodeItems } from '../../primitives/rlp.ts'
import { GAS_PER_BLOB } from '../../rollup/blobs.ts'
import { DEPOSIT_TYPE, type DepositFields } from '../../rollup/deposit.ts'
import type { ConsoleCall } from '../evm/pooled-evm.ts'

/** EIP-2718 type of a transaction that its sender signs: 0 legacy, 1 access list, 2 dynamic fee, 3 blob, 4 set code. */
export type SignedType = 0 | 1 | 2 | 3 | 4

/** Besides them 126, a deposit on a chain of the OP stack. */
export type TransactionType = SignedType | 126

export interface AccessListEntry {
  readonly address: Address
  readonly storageKeys: readonly Hash[]
}

/** An EIP-7702 authorization. */
export interface Authorization {
  readonly chainId: bigint
  readonly address: Address
  readonly nonce: bigint
  readonly yParity: bigint
  readonly r: bigint
  readonly s: bigint
}

/** The unsigned fields of a transaction. Types 0 and 1 have their gas price in both fee fields. */
export interface TransactionFields {
  readonly type: TransactionType
  /** Absent in a legacy transaction from before EIP-155. */
  readonly chainId: bigint | undefined
  readonly nonce: bigint
  readonly gasLimit: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** Absent for a contract creation. */
  readonly to: Address | undefined
  readonly value: bigint
  readonly input: Uint8Array
  readonly accessList: readonly AccessListEntry[]
  readonly authorizationList: readonly Authorization[]
  readonly maxFeePerBlobGas: bigint
  readonly blobVersionedHashes: readonly Hash[]
}

/** The sidecar of a blob transaction (EIP-4844). Version 0 has one proof per blob, version 1 has 128 (EIP-7594). */
export interface BlobSidecar {
  readonly version: 0 | 1
  readonly blobs: readonly Uint8Array[]
  readonly commitments: readonly Uint8Array[]
  readonly proofs: readonly Uint8Array[]
}

/** A signed transaction with its recovered sender, or a transaction of an impersonated account. */
export interface Transaction extends TransactionFields {
  readonly hash: Hash
  readonly sender: Address
  readonly yParity: 0 | 1
  readonly r: bigint
  readonly s: bigint
  /** The EIP-2718 encoding; its keccak-256 is `hash`. */
  readonly raw: Uint8Array
  /** Only blob transactions have one, and not those of imported blocks. */
  readonly sidecar?: BlobSidecar
  /** Unsigned: the sender is impersonated and may be a contract. */
  readonly isImpersonated?: true
  /** Only a deposit transaction has it. Its nonce is zero here; the sender's is in the receipt. */
  readonly deposit?: DepositFields
}

/** Wei per gas for the block producer; negative if the fee cap is below the base fee. A deposit pays none. */
export function effectiveTip(transaction: TransactionFields, baseFee: bigint): bigint {
  if (transaction.type === DEPOSIT_TYPE) return 0n
  const room = transaction.maxFeePerGas - baseFee
  return room < transaction.maxPriorityFeePerGas ? room : transaction.maxPriorityFeePerGas
}

/** Wei per gas that the sender pays in a block with this base fee. */
export function effectiveGasPrice(transaction: TransactionFields, baseFee: bigint): bigint {
  return baseFee + effectiveTip(transaction, baseFee)
}

/** The blob gas of a transaction; zero for every type but 3. */
export function blobGasOf({ blobVersionedHashes }: Pick<TransactionFields, 'blobVersionedHashes'>): bigint {
  return GAS_PER_BLOB * BigInt(blobVersionedHashes.length)
}

/** The most wei that a transaction can cost its sender. */
export function maximumCost(transaction: TransactionFields): bigint {
  return (
    transaction.value +
    transaction.gasLimit * transaction.maxFeePerGas +
    blobGasOf(transaction) * transaction.maxFeePerBlobGas
  )
}

export type Log = ObservedLog

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

export const BLOOM_BYTES = 256

/** The filter of no logs. */
export const EMPTY_BLOOM: Uint8Array = new Uint8Array(BLOOM_BYTES)

const EMPTY_BLOOM_HEX: Hex = `0x${'00'.repeat(BLOOM_BYTES)}`

/** A filter as hex. The hex of the empty filter, the usual one, is a constant. */
export function bloomToHex(bloom: Uint8Array): Hex {
  return bloom === EMPTY_BLOOM ? EMPTY_BLOOM_HEX : bytesToHex(bloom)
}

/** The three bits of an address or a topic, to look for in many filters. */
export type BloomBits = readonly [number, number, number]

/** The bits of a value that is only searched for, so not memoized: a search does not displace what is logged. */
export function bitsToFind(value: Hex): BloomBits {
  const hash = keccak256(hexToBytes(value))
  const bitAt = (pair: number): number => (((hash[pair] as number) << 8) | (hash[pair + 1] as number)) & 2047
  return [bitAt(0), bitAt(2), bitAt(4)]
}

/** Memoized, because the same few values are logged again and again. */
const bloomBits = memoizeMany(10_000, bitsToFind)

function addValue(bloom: Uint8Array, value: Hex): void {
  const bits = bloomBits(value)
  for (let i = 0; i < 3; i++) {
    const bit = bits[i] as number
    const position = BLOOM_BYTES - 1 - (bit >> 3)
    bloom[position] = (bloom[position] as number) | (1 << (bit & 7))
  }
}

export function bloomOf(
  logs: readonly { readonly address: Hex; readonly topics: readonly Hex[] }[],
): Uint8Array {
  if (logs.length === 0) return EMPTY_BLOOM
  const bloom = new Uint8Array(BLOOM_BYTES)
  let last: Hex | undefined
  for (const { address, topics } of logs) {
    if (address !== last) addValue(bloom, address)
    last = address
    for (const topic of topics) addValue(bloom, topic)
  }
  return bloom
}

/** The union of filters. */
export function joinBlooms(all: readonly Uint8Array[]): Uint8Array {
  const blooms = all.filter((bloom) => bloom !== EMPTY_BLOOM)
  const [only] = blooms
  if (only === undefined) return EMPTY_BLOOM
  if (blooms.length === 1) return only
  const joined = new Uint8Array(BLOOM_BYTES)
  for (const bloom of blooms) {
    for (let i = 0; i < BLOOM_BYTES; i++) joined[i] = (joined[i] as number) | (bloom[i] as number)
  }
  return joined
}

/** False if there is certainly no log with the address or topic of these bits. */
export function mayContain(bloom: Uint8Array, bits: BloomBits): boolean {
  for (let i = 0; i < bits.length; i++) {
    const bit = bits[i] as number
    const byte = bloom[BLOOM_BYTES - 1 - (bit >> 3)] as number
    if ((byte & (1 << (bit & 7))) === 0) return false
  }
  return true
}
