// Node events, and the values that commands return.

import type { PartialBlock, SealedBlock } from '../chain/block/block.ts'
import type { Chain } from '../chain/chain.ts'
import type { ExecutedTransaction, Transaction } from '../execution/transaction/transaction.ts'
import type { FaultableRequest, FaultEffect } from './control/controls.ts'
import type { NodeRecords } from './lookup.ts'
import type { NodeState } from './node-state.ts'

export type NodeEvent =
  | { readonly type: 'transactionAccepted'; readonly transaction: Transaction }
  | { readonly type: 'transactionReplaced'; readonly transaction: Transaction; readonly by: Transaction }
  | {
      readonly type: 'consoleLogged'
      /** The transactions that called console.log, in block order. */
      readonly executed: readonly ExecutedTransaction[]
      readonly blockNumber: number
    }
  | {
      readonly type: 'partialBlock'
      /** On a rollup, a block opens with partial block 0, in place of `blockOpened`. */
      readonly partial: PartialBlock
      /** The state with the partial block in it. */
      readonly state: NodeState
    }
  | {
      readonly type: 'blockSealed'
      readonly block: SealedBlock
      /** The state with the block as its head. */
      readonly state: NodeState
    }
  | {
      readonly type: 'blockOpened'
      /** The state in which the next block is open: empty, or after a reorganisation with what is pre-confirmed again. */
      readonly state: NodeState
    }
  | {
      readonly type: 'blocksOrphaned'
      /** Last first. */
      readonly blocks: Iterable<SealedBlock>
      /** Those of the blocks that may hold transactions; last first. */
      readonly full: readonly SealedBlock[]
      readonly atMs: number
    }
  | {
      readonly type: 'transactionUnincluded'
      readonly transaction: Transaction
      readonly reason: DropReason
      /** True if it waits in the pool again. */
      readonly isPooled: boolean
    }
  | {
      readonly type: 'stateReplaced'
      /** The states before and after a revert, a reset or a load. */
      readonly from: NodeState
      readonly to: NodeState
    }
  | { readonly type: 'requestFaulted'; readonly asked: FaultableRequest; readonly effect: FaultEffect }
  | {
      readonly type: 'emptyBlocksAdvanced'
      readonly events: EmptyBlockEvents
      /** The chain afterwards, and how many blocks it has more. */
      readonly chain: Chain
      readonly count: number
    }
  /** The last event of every command. */
  | { readonly type: 'committed'; readonly state: NodeState }

/** Listeners of empty blocks: none, of blocks only, or also of partial blocks. */
export type EventInterest = 'nobody' | 'blocks' | 'partials'

/**
 * Events of empty blocks or partial blocks in their order, generated lazily and only as far as there are listeners. The
 * generators are functions of their modules: V8 makes a hidden class for each closure that is one, and these keep what
 * the closures refer to until a full garbage collection.
 */
export type EmptyBlockEvents = (interestOf: () => EventInterest) => Iterable<NodeEvent>

/** Why a transaction is no longer in a block. */
export type DropReason = 'reorganised' | 'preconfirmationDropped' | 'reverted'

/** A step from one state to the next, with the events on the way. */
export interface Transition<Result = undefined> {
  readonly state: NodeState
  readonly events: readonly NodeEvent[]
  readonly result: Result
}

/** A transition with what it changes beside the state. `Node.execute` commits all of it, or nothing. */
export interface Outcome<Result> extends Transition<Result> {
  /** The records from now on; absent if they stay. */
  readonly records?: NodeRecords
  /** Effects on the session: each is called once, in order, before the events. */
  readonly effects?: readonly Effect[]
}

/** A change to what a session has promised, such as a new filter. Must not throw. */
export type Effect = () => void

/** Commits what a command has come to, tells listeners, and returns the state to go on from. */
export type Commit = (passed: Transition<unknown>) => Promise<NodeState>

/**
 * A function from the state and the records to the outcome to commit. It changes nothing itself, unless it takes so
 * long that it commits on its way.
 */
export type Command<Result> = (
  state: NodeState,
  records: NodeRecords,
  commit: Commit,
) => Outcome<Result> | Promise<Outcome<Result>>

export function unchanged(state: NodeState): Transition {
  return { state, events: [], result: undefined }
}

/** The event that transactions of a block called console.log, if any did. */
export function consoleLogsOf(executed: readonly ExecutedTransaction[], blockNumber: number): NodeEvent[] {
  const logging = executed.filter(({ consoleCalls }) => consoleCalls.length > 0)
  return logging.length === 0 ? [] : [{ type: 'consoleLogged', executed: logging, blockNumber }]
}

/** Collects the steps of a command: the state of the last, and all events in order. */
export class Steps {
  readonly events: NodeEvent[] = []
  state: NodeState

  constructor(state: NodeState) {
    this.state = state
  }

  add({ state, events }: Transition<unknown>): void {
    this.state = state
    for (const event of events) this.events.push(event)
  }

  finish<Result = undefined>(result?: Result): Transition<Result> {
    return { state: this.state, events: this.events, result: result as Result }
  }
}
