// What a report says of a chain: plain values.

import type { Hash } from '../../../core/primitives/hex.ts'
import type { CallTrace } from '../../../core/rpc/call-trace.ts'

/** A transaction, in a block or in the pool. Accounts are names, or else addresses. */
export interface TransactionFacts {
  readonly hash: Hash
  readonly from: string
  /** `undefined` for a creation. */
  readonly to: string | undefined
  /** The function by its name, or the selector; empty without calldata. */
  readonly called: string
  /** Wei. */
  readonly value: bigint
  readonly nonce: bigint
  /** `undefined` in the pool. */
  readonly gasUsed: bigint | undefined
  /** Why it failed; `undefined` if it did not. */
  readonly failure: string | undefined
}

export interface BlockFacts {
  readonly number: number
  /** `undefined` for the block being built. */
  readonly hash: Hash | undefined
  /** Seconds since the Unix epoch. */
  readonly timestamp: number
  readonly transactions: readonly TransactionFacts[]
}

export interface AccountFacts {
  /** `undefined` if nobody has named it, and its code is not known. */
  readonly name: string | undefined
  readonly address: string
  /** Wei. */
  readonly balance: bigint
  readonly nonce: bigint
  readonly hasCode: boolean
}

/** Why a call or a transaction failed. */
export interface FailureFacts {
  readonly kind: 'call' | 'transaction'
  /** As a client got it. */
  readonly message: string
  /** Lines of the Solidity stack trace, innermost function first. */
  readonly lines: readonly string[]
  /** Or why there is none. */
  readonly trace: CallTrace | string
}

export interface ChainFacts {
  /** Such as `Chain 31337`. */
  readonly title: string
  readonly failure: FailureFacts | undefined
  /** As a page, or why there is none; `undefined` if nothing was recorded. */
  readonly timeline: { readonly html: string } | string | undefined
  /** The last blocks with transactions, newest first. */
  readonly blocks: readonly BlockFacts[]
  /** The number of the head. */
  readonly head: number
  readonly pool: readonly TransactionFacts[]
  readonly accounts: readonly AccountFacts[]
}
