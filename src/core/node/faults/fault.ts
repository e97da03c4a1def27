// The types of faults: which requests go wrong, and how.

import type { Hash, Hex } from '../../primitives/hex.ts'

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
