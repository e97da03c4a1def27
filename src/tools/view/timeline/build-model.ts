// What a timeline shows, computed from a record by following its events: blocks with the branches that were taken off,
// partial blocks, stays in the pool, and the life of each transaction.

import { memoizeWeak } from '../../../core/primitives/lru-cache.ts'
import * as records from './record.ts'
import { failureOf, moments } from './words.ts'

export interface Span {
  readonly startMs: number
  readonly endMs: number
}

/** Sealed blocks: one with transactions, or a run of empty ones. */
export interface BlockSpan extends Span {
  readonly from: number
  readonly to: number
  readonly hash: string | undefined
  readonly transactions: readonly number[]
}

/** Blocks that were taken off the chain together. */
export interface OrphanedBranch {
  readonly blocks: readonly BlockSpan[]
  readonly reason: 'orphaned' | 'reverted'
  readonly atMs: number
}

/** A partial block with transactions. */
export interface PartialSpan extends Span {
  readonly block: number
  readonly index: number
  readonly transactions: readonly number[]
  readonly notes: readonly records.RecordedNote[]
  /** When its block was taken off the chain; `undefined` while it is part of it. */
  goneAtMs: number | undefined
}

/** The time of a transaction in the pool. */
export interface Stay extends Span {
  readonly transaction: number
  readonly end: 'included' | 'replaced' | 'dropped' | 'undone' | 'waiting'
}

export interface Mark {
  readonly kind: 'replaced' | 'dropped' | 'removed' | 'orphaned' | 'went' | 'fault' | 'clock' | 'edited'
  readonly atMs: number
  /** Target of a revert. */
  readonly toMs: number
  readonly words: string
  readonly transactions: readonly number[]
}

export interface ToldSpan extends Span {
  readonly count: number
}

/** Gives intervals rows so that none overlaps another, up to a number of rows. */
function inRows<Each>(
  all: readonly Each[],
  most: number,
  intervalOf: (each: Each) => readonly [startMs: number, endMs: number],
) {
  const ends: number[] = []
  const placed = all.map((each) => {
    const [startMs, endMs] = intervalOf(each)
    const free = ends.findIndex((end) => end <= startMs)
    const row = free === -1 ? Math.min(ends.length, most - 1) : free
    ends[row] = Math.max(ends[row] ?? endMs, endMs)
    return { ...each, row }
  })
  return { placed, count: ends.length }
}

const MOST_BRANCH_ROWS = 6
const MOST_STAY_ROWS = 8

class LayerBuilder {
  readonly #layer: records.RecordedLayer
  readonly #path: BlockSpan[] = []
  readonly #branches: OrphanedBranch[] = []
  readonly #partials: PartialSpan[] = []
  /** Partial blocks of a block that is not sealed. */
  #open: PartialSpan[] = []
  readonly #waitingSince = new Map<number, number>()
  readonly #stays: Stay[] = []
  readonly #marks: Mark[] = []
  readonly #told = new Map<string, { subscription: string; kind: string; spans: ToldSpan[] }>()
  readonly #lives: { readonly atMs: number; readonly words: string }[][]

  constructor(layer: records.RecordedLayer) {
    this.#layer = layer
    this.#lives = layer.transactions.map(() => [])
    for (const transaction of layer.start.waiting) {
      this.#waitingSince.set(transaction, layer.start.atMs)
      this.#live(transaction, layer.start.atMs, 'waits in the pool when the recording begins')
    }
  }

  #live(transaction: number, atMs: number, words: string): void {
    this.#lives[transaction]?.push({ atMs, words })
  }

  #mark(kind: Mark['kind'], atMs: number, words: string, transactions: readonly number[] = [], toMs = atMs) {
    this.#marks.push({ kind, atMs, toMs, words, transactions })
  }

  #leave(transaction: number, endMs: number, end: Stay['end']): void {
    const startMs = this.#waitingSince.get(transaction)
    if (startMs === undefined) return
    this.#waitingSince.delete(transaction)
    this.#stays.push({ transaction, startMs: Math.min(startMs, endMs), endMs, end })
  }

  #include(
    transactions: readonly number[],
    atMs: number,
    words: string,
    notes: readonly records.RecordedNote[],
  ) {
    for (const transaction of transactions) {
      this.#leave(transaction, atMs, 'included')
      this.#live(transaction, atMs, words + failureOf(notes.find((note) => note.transaction === transaction)))
    }
  }

  #headMs(): number {
    return this.#path.at(-1)?.endMs ?? this.#layer.start.atMs
  }

  #append(block: Omit<BlockSpan, 'startMs'>): void {
    this.#path.push({ ...block, startMs: Math.min(this.#headMs(), block.endMs) })
  }

  /** Opens the partial blocks again that a revert has brought back: of each transaction the last before that time. */
  #reopen(preconfirmed: readonly number[], toMs: number): void {
    const earlier = this.#partials.filter(({ endMs }) => endMs <= toMs)
    const found = preconfirmed.flatMap(
      (transaction) => earlier.filter(({ transactions }) => transactions.includes(transaction)).at(-1) ?? [],
    )
    this.#open = [...new Set(found)]
    for (const partial of this.#open) partial.goneAtMs = undefined
  }

  /** Takes the blocks from a number on off the chain. */
  #takeOff(from: number, reason: OrphanedBranch['reason'], atMs: number): readonly BlockSpan[] {
    const gone: BlockSpan[] = []
    for (let last = this.#path.at(-1); last !== undefined && last.to >= from; last = this.#path.at(-1)) {
      this.#path.pop()
      const kept = Math.max(from - last.from, 0)
      const share = kept / (last.to - last.from + 1)
      const middleMs = last.startMs + (last.endMs - last.startMs) * share
      if (kept > 0) this.#path.push({ ...last, to: from - 1, endMs: middleMs })
      gone.unshift(kept > 0 ? { ...last, from, startMs: middleMs } : last)
    }
    if (gone.length > 0) this.#branches.push({ blocks: gone, reason, atMs })
    for (let index = this.#partials.length - 1; index >= 0; index--) {
      const partial = this.#partials[index] as PartialSpan
      if (partial.block >= from) partial.goneAtMs ??= atMs
      // Those of earlier branches are gone already.
      else if (partial.goneAtMs === undefined) break
    }
    return gone
  }

  /** A branch that a revert has brought back is no branch any more. */
  #restore({ hash, block, transactions }: records.EventOf<'sealed'>): void {
    const index = this.#branches.findIndex(({ blocks }) => blocks.some((other) => other.hash === hash))
    if (index !== -1) this.#branches.splice(index, 1)
    for (const partial of this.#partials) {
      const [first] = partial.transactions
      if (partial.block === block && first !== undefined && transactions.includes(first))
        partial.goneAtMs = undefined
    }
  }

  #hashOf(transaction: number): string {
    return records.shortHash(this.#layer.transactions[transaction]?.hash ?? '')
  }

  readonly #takers: {
    readonly [Type in records.TimelineEvent['type']]: (event: records.EventOf<Type>) => void
  } = {
    accepted: ({ transaction, atMs }) => {
      this.#waitingSince.set(transaction, atMs)
      this.#live(transaction, atMs, 'entered the pool')
    },
    replaced: ({ transaction, by, atMs }) => {
      this.#leave(transaction, atMs, 'replaced')
      this.#live(transaction, atMs, `replaced by ${this.#hashOf(by)}`)
      this.#live(by, atMs, `replaces ${this.#hashOf(transaction)}`)
      this.#mark('replaced', atMs, `${this.#hashOf(transaction)} replaced`, [transaction, by])
    },
    dropped: ({ transactions, atMs }) => {
      for (const transaction of transactions) {
        this.#leave(transaction, atMs, 'dropped')
        this.#live(transaction, atMs, 'dropped from the pool')
      }
      this.#mark('dropped', atMs, moments.dropped(transactions.length), transactions)
    },
    partial: ({ atMs, block, index, transactions, notes = [] }) => {
      // Partial block 0 opens a block. One that a seal or a transaction closed, after it was due, has no length.
      const step = this.#layer.partialBlockTimeMs
      const dueMs = this.#headMs() + (index - 1) * step
      const startMs = index === 0 || atMs > dueMs + step + 1 ? atMs : Math.min(dueMs, atMs)
      const span = { startMs, endMs: atMs, block, index, transactions, notes, goneAtMs: undefined }
      this.#partials.push(span)
      this.#open.push(span)
      this.#include(transactions, atMs, `pre-confirmed in partial ${index} of block ${block}`, notes)
    },
    sealed: (event) => {
      const { atMs, timeMs, block, hash, transactions, notes = [], isRestored } = event
      if (isRestored) this.#restore(event)
      this.#append({ from: block, to: block, endMs: timeMs, hash, transactions })
      const words = isRestored ? 'in' : 'sealed in'
      this.#include(transactions, atMs, `${words} block ${block}, ${records.shortHash(hash)}`, notes)
      this.#open = []
    },
    empty: (event) => {
      this.#open = []
      this.#append({ ...event, endMs: event.timeMs, hash: undefined, transactions: [] })
    },
    orphaned: (event) => {
      this.#takeOff(event.from, 'orphaned', event.atMs)
      this.#mark('orphaned', event.atMs, moments.orphaned(event))
    },
    unincluded: ({ atMs, transaction, reason, isPooled }) => {
      const words = moments.unincluded(reason, isPooled)
      this.#live(transaction, atMs, words)
      this.#mark('removed', atMs, `${this.#hashOf(transaction)} ${words}`, [transaction])
      if (isPooled) this.#waitingSince.set(transaction, atMs)
      for (const partial of this.#open)
        if (partial.transactions.every((other) => other === transaction)) partial.goneAtMs = atMs
    },
    went: ({ atMs, toMs, block, shared, waiting, preconfirmed }) => {
      const gone = this.#takeOff(shared + 1, 'reverted', atMs).flatMap(({ transactions }) => transactions)
      const undone = new Set([...gone, ...this.#open.flatMap(({ transactions }) => transactions)])
      for (const partial of this.#open) partial.goneAtMs = atMs
      this.#reopen(preconfirmed, toMs)
      for (const transaction of [...this.#waitingSince.keys()]) {
        undone.add(transaction)
        this.#leave(transaction, atMs, 'undone')
      }
      for (const transaction of waiting) {
        undone.delete(transaction)
        this.#waitingSince.set(transaction, toMs)
        this.#live(transaction, toMs, `waits in the pool, since the chain went to block ${block}`)
      }
      for (const transaction of preconfirmed) {
        undone.delete(transaction)
        this.#live(transaction, toMs, `pre-confirmed, since the chain went to block ${block}`)
      }
      for (const transaction of undone)
        this.#live(transaction, atMs, `undone: the chain went to block ${block}`)
      this.#mark('went', atMs, `went to block ${block}`, [], toMs)
    },
    fault: ({ atMs, words }) => this.#mark('fault', atMs, words),
    shifted: ({ atMs, byMs }) => this.#mark('clock', atMs, `clock moved by ${byMs / 1000} s`),
    edited: ({ atMs, count }) => this.#mark('edited', atMs, count === 1 ? 'edit' : `${count} edits`),
    told: ({ atMs, toMs, subscription, kind, count }) => {
      const row = this.#told.get(subscription) ?? { subscription, kind, spans: [] }
      row.spans.push({ startMs: atMs, endMs: toMs, count })
      this.#told.set(subscription, row)
    },
  }

  build() {
    const { end, events } = this.#layer
    for (const event of events) {
      const take = this.#takers[event.type] as (event: records.TimelineEvent) => void
      take(event)
    }
    for (const transaction of [...this.#waitingSince.keys()]) this.#leave(transaction, end.atMs, 'waiting')
    const branches = inRows(this.#branches, MOST_BRANCH_ROWS, ({ blocks }) => {
      return [(blocks[0] as BlockSpan).startMs, (blocks.at(-1) as BlockSpan).endMs]
    })
    const sorted = this.#stays.sort((a, b) => a.startMs - b.startMs)
    const stays = inRows(sorted, MOST_STAY_ROWS, ({ startMs, endMs }) => [startMs, endMs])
    return {
      layer: this.#layer,
      /** The chain as it is in the end. */
      blocks: this.#path,
      /** With their rows below the chain. */
      branches: branches.placed,
      branchRows: branches.count,
      partials: this.#partials.sort((a, b) => a.endMs - b.endMs),
      stays: stays.placed,
      stayRows: stays.count,
      marks: this.#marks.sort((a, b) => a.atMs - b.atMs),
      told: [...this.#told.values()],
      /** By the index of the transaction. */
      lives: this.#lives,
    }
  }
}

export type LayerModel = ReturnType<LayerBuilder['build']>

export type TimelineModel = ReturnType<typeof modelOf>

/** The model of a timeline; computed once for a record. */
export const modelOf = memoizeWeak((record: records.TimelineRecord) => {
  return { record, layers: record.layers.map((layer) => new LayerBuilder(layer).build()) }
})
