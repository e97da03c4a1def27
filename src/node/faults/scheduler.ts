// Schedulers and holds as data: how a test decides what a partial block takes.

import type { Address, Hash, Hex } from '../../primitives/hex.ts'

/** Until when a transaction is held back. */
export type Hold =
  | { readonly until: 'released' }
  /** For so many partial blocks. */
  | { readonly until: 'partials'; readonly left: number }
  | { readonly until: 'block'; readonly number: number }
  | { readonly until: 'time'; readonly ms: number }

/** A transaction that could be next, as a scheduler sees it. */
export interface Candidate {
  readonly hash: Hash
  readonly from: Address
  /** Absent where it creates a contract. */
  readonly to: Address | undefined
  readonly nonce: bigint
  readonly value: bigint
  readonly input: Hex
  readonly gasLimit: bigint
  /** Wei per gas that the producer would earn. */
  readonly effectiveTip: bigint
  /** Counts arrivals in the pool. */
  readonly arrival: number
}

/** A partial block that is about to be filled. */
export interface PartialPlan {
  readonly blockNumber: number
  /** Counts from 1. */
  readonly partialIndex: number
  /** Virtual time in milliseconds. */
  readonly atMs: number
  /** Gas that it may take, measured by the gas limits of the transactions. */
  readonly gasBudget: bigint
  /** What could be in it, in the order in which it would be tried; nonces of a sender ascend. */
  readonly candidates: readonly Candidate[]
}

/** Puts the transactions of a partial block in order, by hash; what it leaves out waits. */
export type Scheduler = (plan: PartialPlan) => readonly Hash[]
