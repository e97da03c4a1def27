// Tracers of debug_trace*: types.

import type { TraceBudget } from '../../execution/trace/budget.ts'
import type { Observer } from '../../execution/trace/observer.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { Flavor } from '../flavor/flavor.ts'

/** The place of a transaction. */
interface TracePlace {
  readonly blockHash: Hash | null
  readonly transactionHash: Hash
  readonly transactionPosition: number
}

/** The transaction or call that is traced. */
export interface TraceSubject {
  readonly from: Address
  readonly gasLimit: bigint
  /** Accounts that a transaction pays: the coinbase, and the vaults of a rollup. */
  readonly paid: readonly Address[]
  /** Accounts whose authorizations come with it (EIP-7702). */
  readonly authorities: readonly Address[]
  /** `undefined` for a call. */
  readonly place: TracePlace | undefined
  readonly blockNumber: number
  /** Logs of its block before it; zero for a call. */
  readonly firstLogIndex: number
  readonly before: WorldState
  /** The state that the execution has reached. */
  readonly state: () => WorldState
  readonly budget: TraceBudget
  readonly flavor: Flavor
}

/** The end of the execution. */
export interface TraceOutcome {
  readonly gasUsed: bigint
  /** Why it failed, in geth's words; `undefined` for a success. */
  readonly failure: string | undefined
  readonly returnData: Uint8Array
  readonly after: WorldState
}

/** One run of a tracer. */
export interface Tracing {
  readonly observer: Observer
  /** The trace as JSON. */
  readonly result: (outcome: TraceOutcome) => unknown
}

/** Starts a tracer for a transaction or call. */
export type StartTracing<Options> = (options: Options, subject: TraceSubject) => Tracing
