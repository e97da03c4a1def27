// The record of a timeline: plain JSON, from which pictures and pages are drawn.

/** A transaction of a record; events name it by its index. */
export interface RecordedTransaction {
  readonly hash: string
  readonly from: string
  /** Absent for a creation. */
  readonly to?: string
  readonly nonce: number
  /** True if it is a deposit from the layer 1. */
  readonly isDeposit?: true
}

/** Note on a transaction that did more than succeed. */
export interface RecordedNote {
  readonly transaction: number
  /** Why it failed. */
  readonly failure?: string
  /** Lines of console.log. */
  readonly logs?: readonly string[]
}

/** An event of a layer. Times are virtual, in milliseconds since the Unix epoch; `transaction` is an index. */
export type TimelineEvent = { readonly atMs: number } & (
  | { readonly type: 'accepted'; readonly transaction: number }
  | { readonly type: 'replaced'; readonly transaction: number; readonly by: number }
  /** Transactions left the pool without being in a block. */
  | { readonly type: 'dropped'; readonly transactions: readonly number[] }
  | {
      readonly type: 'partial'
      /** The number of the block that it belongs to. */
      readonly block: number
      readonly index: number
      readonly transactions: readonly number[]
      readonly notes?: readonly RecordedNote[]
    }
  | {
      readonly type: 'sealed'
      /** By its timestamp; before `atMs` if it was sealed later, as in a reorganisation. */
      readonly timeMs: number
      readonly block: number
      readonly hash: string
      readonly transactions: readonly number[]
      /** Of a block without partial blocks, whose notes theirs would be. */
      readonly notes?: readonly RecordedNote[]
      /** True if a revert brought it back. */
      readonly isRestored?: true
    }
  /** Sealed blocks without transactions, or on a rollup with none but those of the system. */
  | {
      readonly type: 'empty'
      readonly timeMs: number
      readonly from: number
      readonly to: number
      readonly isRestored?: true
    }
  | { readonly type: 'orphaned'; readonly from: number; readonly to: number }
  | {
      readonly type: 'unincluded'
      readonly transaction: number
      readonly reason: 'reorganised' | 'preconfirmationDropped' | 'reverted'
      readonly isPooled: boolean
    }
  /** A revert, a reset or a load. */
  | {
      readonly type: 'went'
      /** The time afterwards, which is earlier after most reverts. */
      readonly toMs: number
      /** The head afterwards. */
      readonly block: number
      /** The last block that both chains share. */
      readonly shared: number
      readonly waiting: readonly number[]
      readonly preconfirmed: readonly number[]
    }
  | { readonly type: 'fault'; readonly words: string }
  | { readonly type: 'shifted'; readonly byMs: number }
  | { readonly type: 'edited'; readonly count: number }
  /** Messages of a subscription, from `atMs` to `toMs`. */
  | {
      readonly type: 'told'
      readonly toMs: number
      readonly subscription: string
      readonly kind: string
      readonly count: number
    }
)

export type EventOf<Type extends TimelineEvent['type']> = Extract<TimelineEvent, { type: Type }>

/** Record of one chain. */
export interface RecordedLayer {
  readonly name: string
  readonly blockTimeMs: number
  readonly partialBlockTimeMs: number
  readonly start: { readonly atMs: number; readonly block: number; readonly waiting: readonly number[] }
  readonly end: {
    readonly atMs: number
    readonly block: number
    readonly preconfirmed: number
    readonly waiting: number
  }
  /** Events that are left out because they came before the last `mostEvents`. */
  readonly omitted: number
  /** Names of accounts, by address in lower case. */
  readonly names: Readonly<Record<string, string>>
  readonly transactions: readonly RecordedTransaction[]
  readonly events: readonly TimelineEvent[]
}

/** A message from one layer to another, as the transactions that it takes. */
export interface RecordedCrossing {
  readonly kind: 'deposit' | 'withdrawal'
  readonly steps: readonly {
    readonly name: string
    /** An index in `layers`. */
    readonly layer: number
    readonly transaction: number
  }[]
}

/** Record of a chain or of the layers of a pair: JSON that can be saved and drawn later. */
export interface TimelineRecord {
  readonly format: 'tickchain timeline 1'
  /** The layer 1 first. */
  readonly layers: readonly RecordedLayer[]
  readonly crossings: readonly RecordedCrossing[]
}

/** The first digits of a hash or an address. */
export function shortHash(hash: string): string {
  return hash.slice(0, 10)
}

/** A time such as `2.2 s`: tenths of a second, unless it needs milliseconds. */
export function secondsText(ms: number): string {
  const seconds = ms / 1000
  return `${seconds.toFixed(Number.isInteger(seconds * 10) ? 1 : 3)} s`
}

/** Why transactions are no longer in a block. */
export const REASONS = {
  reorganised: 'its block was replaced',
  preconfirmationDropped: 'its pre-confirmation was dropped',
  reverted: 'the chain went back',
}
