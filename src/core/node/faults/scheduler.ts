// The types of schedulers and holds, by which a test decides what a partial block takes.

import type { Address, Hash, Hex } from '../../primitives/hex.ts'

/** The hold on a transaction. */
export type Hold =
  | { readonly until: 'released' }
  /** `left` partial blocks. */
  | { readonly until: 'partials'; readonly left: number }
  | { readonly until: 'block'; readonly number: number }
  | { readonly until: 'time'; readonly ms: number }

/** A transaction that could be in a partial block, as a scheduler sees it. */
export interface Candidate {
  readonly hash: Hash
  readonly from: Address
  /** Absent if it creates a contract. */
  readonly to: Address | undefined
  readonly nonce: bigint
  readonly value: bigint
  readonly input: Hex
  readonly gasLimit: bigint
  /** Income of the block producer, in wei per gas. */
  readonly effectiveTip: bigint
  /** The number of its arrival in the pool. */
  readonly arrival: number
}

/** A partial block that is about to be filled. */
export interface PartialPlan {
  readonly blockNumber: number
  /** Counts from 1. */
  readonly partialIndex: number
  /** Virtual time in milliseconds. */
  readonly atMs: number
  /** The most gas that it may take, by the gas limits of its transactions. */
  readonly gasBudget: bigint
  /** In the order in which they would be tried; the nonces of a sender ascend. */
  readonly candidates: readonly Candidate[]
}

/** Returns the hashes of the transactions to try, in order; the others wait. */
export type Scheduler = (plan: PartialPlan) => readonly Hash[]
