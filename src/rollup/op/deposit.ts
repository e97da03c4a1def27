// Deposit transactions (type 0x7e).

import type { Address, Hash } from '../../primitives/hex.ts'

/** EIP-2718 type of deposit transactions. */
export const DEPOSIT_TYPE = 0x7e

/** The fields of a deposit transaction that others do not have. */
export interface DepositFields {
  /** What makes the deposit unique; see `userSourceHash` and its siblings. */
  readonly sourceHash: Hash
  /** Wei that come into being on the layer 2; they stay if the deposit fails. Zero for none. */
  readonly mint: bigint
  /** Before regolith: takes no gas from the block. */
  readonly isSystem: boolean
}

/** A deposit transaction. */
export interface Deposit extends DepositFields {
  readonly from: Address
  /** Absent for a contract creation. */
  readonly to: Address | undefined
  readonly value: bigint
  readonly gasLimit: bigint
  readonly data: Uint8Array
}
