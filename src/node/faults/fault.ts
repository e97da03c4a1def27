// Faults as data: which requests go wrong, and how.

import type { Hash, Hex } from '../../primitives/hex.ts'

/** What a request is answered with in place of its answer. */
export type FaultAnswer =
  | {
      readonly kind: 'error'
      readonly code: number
      readonly message: string
      readonly data: Hex | undefined
    }
  | { readonly kind: 'http'; readonly status: number; readonly body: string }

/** How requests go wrong. */
export interface FaultEffect {
  readonly answer: FaultAnswer | undefined
  /** Virtual milliseconds from the request to its answer. */
  readonly delayMs: number | undefined
  /** Lost on the way to the chain, or on the way back, when it has been carried out. */
  readonly lost: 'request' | 'answer' | undefined
  /** How many blocks behind the head a read is answered from. */
  readonly blocksBehind: number | undefined
}

/** Which requests go wrong. */
export interface FaultRule extends FaultEffect {
  /** Names; with a star at the end, whatever begins like that. */
  readonly methods: readonly string[]
  readonly concerns: ((params: readonly unknown[]) => unknown) | undefined
  /** How many are spared first. */
  readonly after: number
  /** Of those that follow, one in so many: the last. */
  readonly every: number
  /** Of these, how likely one is to go wrong. */
  readonly probability: number
  /** How many go wrong in all. */
  readonly times: number
}

/** A rule with what has come of it. */
export interface Fault {
  readonly id: number
  readonly rule: FaultRule
  /** Requests that it concerned. */
  readonly met: number
  /** Requests that went wrong. */
  readonly fired: number
  /** The last hash of the keccak chain that decides which requests fail. */
  readonly chance: Hash
}

/** A request, as a fault sees it. */
export interface Asked {
  readonly method: string
  readonly kind: 'read' | 'command'
  readonly params: readonly unknown[]
}
