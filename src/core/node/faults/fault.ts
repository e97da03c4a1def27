// Types of faults, that is which requests go wrong, and how; and of schedulers, which decide what a partial block
// takes.

import type { Address, Hash, Hex } from '../../primitives/hex.ts'

/** The answer that replaces the real one. */
export type FaultAnswer =
  | {
      readonly kind: 'error'
      readonly code: number
      readonly message: string
      readonly data: Hex | undefined
    }
  | { readonly kind: 'http'; readonly status: number; readonly body: string }

/** Failure of a request. */
export interface FaultEffect {
  readonly answer: FaultAnswer | undefined
  /** Virtual milliseconds from the request to its answer. */
  readonly delayMs: number | undefined
  /** The lost part: the request before it is carried out, or its answer afterwards. */
  readonly lost: 'request' | 'answer' | undefined
  /** For reads: how many blocks behind the head the answering node is. */
  readonly blocksBehind: number | undefined
}

/** Which requests go wrong. */
export interface FaultRule extends FaultEffect {
  /** Method names; a star at the end matches any rest. */
  readonly methods: readonly string[]
  readonly concerns: ((params: readonly unknown[]) => unknown) | undefined
  /** Number of matching requests that are spared first. */
  readonly after: number
  /** Among those after them, each `every`-th may go wrong. */
  readonly every: number
  /** The probability with which it does. */
  readonly probability: number
  /** The most requests that go wrong. */
  readonly times: number
}

/** A rule with its counters. */
export interface ArmedFault {
  readonly id: number
  readonly rule: FaultRule
  /** Requests that matched. */
  readonly met: number
  /** Requests that went wrong. */
  readonly fired: number
  /** The last hash of the keccak chain that decides by chance whether it fires. */
  readonly chance: Hash
}

/** A request as a fault sees it. */
export interface FaultableRequest {
  readonly method: string
  readonly kind: 'read' | 'command'
  readonly params: readonly unknown[]
}

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
