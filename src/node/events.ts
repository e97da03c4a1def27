// What a transition reports. Events are published after the state they speak of is in place.

import type { PartialBlock, SealedBlock } from '../chain/block/block.ts'
import type { Chain } from '../chain/chain.ts'
import type { ExecutedTransaction } from '../execution/transaction/receipt.ts'
import type { Transaction } from '../execution/transaction/transaction.ts'
import type { Asked, FaultEffect } from './faults/fault.ts'
import type { NodeState } from './node-state.ts'

export type NodeEvent =
  | { readonly type: 'transactionAccepted'; readonly transaction: Transaction }
  | { readonly type: 'transactionReplaced'; readonly transaction: Transaction; readonly by: Transaction }
  | {
      readonly type: 'consoleLogged'
      /** The transactions that called console.log, in the order of the block. */
      readonly executed: readonly ExecutedTransaction[]
      readonly blockNumber: number
    }
  | {
      readonly type: 'partialClosed'
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
      /** The state in which the next block is begun, and still empty. */
      readonly state: NodeState
    }
  | {
      readonly type: 'blocksOrphaned'
      /** Last first. */
      readonly blocks: Iterable<SealedBlock>
      /** Those among them that may hold transactions; last first. */
      readonly full: readonly SealedBlock[]
      readonly atMs: number
    }
  | {
      readonly type: 'transactionUnincluded'
      readonly transaction: Transaction
      readonly reason: DropReason
      /** Whether it waits in the pool again. */
      readonly isPooled: boolean
    }
  | {
      readonly type: 'stateReplaced'
      /** The state that was left, and the one in its place: by a revert, a reset or a load. */
      readonly from: NodeState
      readonly to: NodeState
    }
  | { readonly type: 'requestFaulted'; readonly asked: Asked; readonly effect: FaultEffect }
  | {
      readonly type: 'quietPassed'
      readonly events: QuietEvents
      /** The chain afterwards, and how many blocks it has more. */
      readonly chain: Chain
      readonly count: number
    }
  /** The last event of every command. */
  | { readonly type: 'committed'; readonly state: NodeState }

/** Who wants to know of blocks in which nothing happens: only of the blocks, or of their partial blocks too. */
export type Audience = 'nobody' | 'blocks' | 'partials'

/** Events of empty blocks or partial blocks in their order, generated lazily and only as far as somebody listens. */
export type QuietEvents = (audienceOf: () => Audience) => Iterable<NodeEvent>

/** Why a transaction is gone, or back in the pool. */
export type DropReason = 'reorganised' | 'preconfirmationDropped' | 'reverted'

/** The outcome of a command: the next state, and what happened on the way. */
export interface Transition<Result = undefined> {
  readonly state: NodeState
  readonly events: readonly NodeEvent[]
  readonly result: Result
}

/** A state that nothing has happened to. */
export function unchanged(state: NodeState): Transition {
  return { state, events: [], result: undefined }
}

/** Performs steps one after another and keeps their events in order. */
export class Steps {
  readonly events: NodeEvent[] = []
  state: NodeState

  constructor(state: NodeState) {
    this.state = state
  }

  /** Takes over the outcome of a step that started from `state`. */
  add({ state, events }: Transition<unknown>): void {
    this.state = state
    for (const event of events) this.events.push(event)
  }

  finish(): Transition
  finish<Result>(result: Result): Transition<Result>
  finish<Result>(result?: Result): Transition<Result | undefined> {
    return { state: this.state, events: this.events, result }
  }
}
