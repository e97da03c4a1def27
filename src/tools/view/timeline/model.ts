// What a timeline shows: blocks with the branches that were taken off, partial blocks, stays in the pool,
// and the life of each transaction.

import type { RecordedLayer, RecordedNote, TimelineRecord } from './record.ts'

/** Sealed blocks: one with transactions, or a run of empty ones. */
export interface BlockSpan {
  readonly from: number
  readonly to: number
  readonly startMs: number
  readonly endMs: number
  readonly hash: string | undefined
  readonly transactions: readonly number[]
}

/** Blocks that were taken off the chain together. */
export interface OrphanedBranch {
  readonly blocks: readonly BlockSpan[]
  readonly reason: 'orphaned' | 'reverted'
  readonly atMs: number
  /** Its row below the chain, from 0. */
  readonly row: number
}

/** A partial block with transactions. */
export interface PartialSpan {
  readonly startMs: number
  readonly endMs: number
  readonly block: number
  readonly index: number
  readonly transactions: readonly number[]
  readonly notes: readonly RecordedNote[]
  /** True if its block is no longer part of the chain. */
  isGone: boolean
}

/** The time of a transaction in the pool. */
export interface Stay {
  readonly transaction: number
  readonly startMs: number
  readonly endMs: number
  readonly end: 'included' | 'replaced' | 'dropped' | 'undone' | 'waiting'
  readonly row: number
}

export interface Mark {
  readonly kind: 'replaced' | 'dropped' | 'removed' | 'orphaned' | 'went' | 'fault' | 'clock' | 'edited'
  readonly atMs: number
  /** Target of a revert. */
  readonly toMs: number
  readonly words: string
  readonly transactions: readonly number[]
}

export interface ToldSpan {
  readonly startMs: number
  readonly endMs: number
  readonly count: number
}

export interface LifeMoment {
  readonly atMs: number
  readonly words: string
}

export interface LayerModel {
  readonly layer: RecordedLayer
  /** The chain as it is in the end. */
  readonly blocks: readonly BlockSpan[]
  readonly branches: readonly OrphanedBranch[]
  readonly branchRows: number
  readonly partials: readonly PartialSpan[]
  readonly stays: readonly Stay[]
  readonly stayRows: number
  readonly marks: readonly Mark[]
  readonly told: readonly {
    readonly subscription: string
    readonly kind: string
    readonly spans: readonly ToldSpan[]
  }[]
  /** By the index of the transaction. */
  readonly lives: readonly (readonly LifeMoment[])[]
}

export interface TimelineModel {
  readonly record: TimelineRecord
  readonly layers: readonly LayerModel[]
}
