// Transactions as plain data, for every layer above the EVM.

import type { Address, Hash } from '../../primitives/hex.ts'
import { GAS_PER_BLOB } from '../../rollup/blobs.ts'
import { DEPOSIT_TYPE, type DepositFields } from '../../rollup/deposit.ts'

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
