// States that are known only in part. A read and an execution are synchronous, so they stop where they meet what is not known
// yet: the node loads what is missing and starts them again (docs/decisions/0027-fork.md). And an immutable map over a base of
// which entries are known in part: what is written here hides what stands there.

import type { Address, Hash } from '../primitives/hex.ts'
import * as maps from '../primitives/immutable-map.ts'
import { isPromise, type Later } from '../primitives/loading.ts'
import { PersistentMap } from '../primitives/persistent-map.ts'
import type { Trie } from './trie-nodes.ts'
import type { WorldState } from './world-state.ts'

/** A key of the world below a fork that a read needs. */
export type MissingKey =
  | { readonly kind: 'account'; readonly address: Address }
  | { readonly kind: 'code'; readonly address: Address }
  | { readonly kind: 'slot'; readonly address: Address; readonly slot: Hash }
  | { readonly kind: 'answer'; readonly method: string; readonly params: readonly unknown[] }
  /** The hash of a block up to the fork. */
  | { readonly kind: 'blockHash'; readonly number: number }
  /** The nodes of tries on the way to accounts and to slots of theirs. */
  | { readonly kind: 'proofs'; readonly keys: ReadonlyMap<Address, ReadonlySet<Hash>> }
  | { readonly kind: 'nodes'; readonly nodes: readonly MissingNode[] }

/** A node that nobody wrote to, and that becomes part of its parent. */
export interface MissingNode {
  /** The account of a storage trie; `undefined` for the account trie. */
  readonly owner: Address | undefined
  /** The nibbles from the root to it. */
  readonly prefix: Uint8Array
  readonly hash: Hash
}

/** The message that was executed when a key was missed: what it needs besides can be asked for at once. */
export interface MissedCall {
  readonly from: Address
  readonly to: Address | undefined
  readonly value: bigint
  readonly input: Uint8Array
  /** The recipient of its tips. */
  readonly coinbase?: Address
}

/** Reads that take what is not known for empty, and note it. */
interface Guessing {
  readonly state: (state: WorldState) => WorldState
  readonly read: <Value>(read: () => Value) => Value | undefined
}

/** Runs an execution again by such reads; whatever becomes of it. */
export type Guess = (guessing: Guessing) => Promise<void>

/** The execution that met a miss, as far as it is one. */
export interface MissedIn {
  /** The message that was executed. */
  readonly call?: MissedCall
  readonly guess?: Guess
}

/** Thrown by a read of what is not known. Never reaches a user. */
export class Miss extends Error {
  readonly key: MissingKey
  /** Learns what is missing. */
  private readonly source: (key: MissingKey, execution: MissedIn) => Promise<void>
  private execution: MissedIn = {}

  constructor(key: MissingKey, source: Miss['source']) {
    super(`a read stopped at an unknown ${key.kind}`)
    this.key = key
    this.source = source
  }

  /** Names what was executed; what is nearer to the read has named it first. */
  within(execution: MissedIn): this {
    this.execution = { ...execution, ...this.execution }
    return this
  }

  /** One miss of all nodes that several name. */
  static ofNodes(misses: readonly Miss[]): Miss | undefined {
    const [first] = misses
    const nodes = misses.flatMap(({ key }) => (key.kind === 'nodes' ? key.nodes : []))
    return first && new Miss({ kind: 'nodes', nodes }, first.source)
  }

  load(): Promise<void> {
    return this.source(this.key, this.execution)
  }
}

/** The error of an execution; a miss is told which one it was. */
export function missedIn(error: unknown, execution: MissedIn): unknown {
  return error instanceof Miss ? error.within(execution) : error
}

async function runAgain<Result>(run: () => Later<Result>, missed: unknown): Promise<Result> {
  for (let error = missed; ; ) {
    if (!(error instanceof Miss)) throw error
    await error.load()
    try {
      return await run()
    } catch (next) {
      error = next
    }
  }
}

/** Runs a read or a command, and again after each miss, until it finds everything that it reads. */
export function withMissesLoaded<Result>(run: () => Later<Result>): Later<Result> {
  try {
    const result = run()
    return isPromise(result) ? result.catch((error) => runAgain(run, error)) : result
  } catch (error) {
    return runAgain(run, error)
  }
}

/** The tries of a base whose roots are proven: their nodes are known as far as proofs have shown them. */
export interface ProvenBase {
  /** The trie of the entries; throws a `Miss` while its root is not known. */
  readonly trie: () => Trie
  /** Throws a `Miss` of the proofs of accounts and slots. */
  readonly miss: (keys: ReadonlyMap<Address, ReadonlySet<Hash>>) => never
}

/** Entries that never change, of which only some are here. */
export interface MapBase<K, V> {
  /** Absent if roots above the base are made up. */
  readonly proven?: ProvenBase | undefined
  /** True if entries are written without being read, each with a value that the base does not have. */
  readonly isOverwritten?: boolean
  /** The value of a key; throws a `Miss` as long as it is not known. The same object each time. */
  readonly get: (key: K) => V | undefined
  /** The entries that are known, sorted by key. */
  readonly known: () => Iterable<readonly [K, V]>
}

/** In place of a value: the base's entry is deleted. */
const DELETED = Symbol('deleted')

type Written<V> = V | typeof DELETED

function live<V>(written: Written<V>): V | undefined {
  return written === DELETED ? undefined : (written as V)
}

export class OverlayMap<K extends maps.Key, V> implements maps.ImmutableMap<K, V> {
  readonly base: MapBase<K, V>
  private readonly written: PersistentMap<K, Written<V>>

  private constructor(base: MapBase<K, V>, written: PersistentMap<K, Written<V>>) {
    this.base = base
    this.written = written
  }

  /** The map with the entries of a base. */
  static over<K extends maps.Key, V>(base: MapBase<K, V>): OverlayMap<K, V> {
    return new OverlayMap(base, PersistentMap.empty())
  }

  get untouched(): OverlayMap<K, V> {
    return OverlayMap.over(this.base)
  }

  get isEmpty(): boolean {
    return false
  }

  get(key: K): V | undefined {
    const written = this.written.get(key)
    return written === undefined ? this.base.get(key) : live(written)
  }

  has(key: K): boolean {
    return this.get(key) !== undefined
  }

  set(key: K, value: V): OverlayMap<K, V> {
    const written = this.written.set(key, value)
    return written === this.written ? this : new OverlayMap(this.base, written)
  }

  /** Asks the base nothing, so the mark stays if the base has no such key. */
  delete(key: K): OverlayMap<K, V> {
    const written = this.written.set(key, DELETED)
    return written === this.written ? this : new OverlayMap(this.base, written)
  }

  /** Drops a written entry that the earlier version did not have. */
  restore(key: K, earlier: maps.ImmutableMap<K, V>): OverlayMap<K, V> {
    if (!(earlier instanceof OverlayMap) || earlier.base !== this.base)
      return maps.restored(this, key, earlier)
    const written = this.written.restore(key, (earlier as OverlayMap<K, V>).written)
    return written === this.written ? this : new OverlayMap(this.base, written)
  }

  *entries(): IterableIterator<[K, V]> {
    for (const [key, value] of this.base.known()) if (!this.written.has(key)) yield [key, value]
    for (const [key, value] of this.written.entries()) if (value !== DELETED) yield [key, value as V]
  }

  *values(): IterableIterator<V> {
    for (const [, value] of this.entries()) yield value
  }

  visitChanges(later: maps.ImmutableMap<K, V>, visit: maps.DifferenceVisitor<K, V>): void {
    this.visit(later, (written, key) => (written === undefined ? this.base.get(key) : live(written)), visit)
  }

  visitWrites(later: maps.ImmutableMap<K, V>, visit: maps.DifferenceVisitor<K, V>): void {
    this.visit(later, (written) => (written === undefined ? undefined : live(written)), visit)
  }

  private visit(
    later: maps.ImmutableMap<K, V>,
    valueBefore: (written: Written<V> | undefined, key: K) => V | undefined,
    visit: maps.DifferenceVisitor<K, V>,
  ): void {
    if (!(later instanceof OverlayMap) || later.base !== this.base) {
      maps.visitKnown(this, later, visit)
      return
    }
    this.written.visitChanges((later as OverlayMap<K, V>).written, (key, old, now) => {
      const after = now === undefined ? this.base.get(key) : live(now)
      const before = valueBefore(old, key)
      // A deletion over an unknown value is a change too.
      if (before !== after || old === undefined) visit(key, before, after)
    })
  }
}
