// An immutable map over a base that knows its entries only in part: what is written here hides what stands there.

import type { Address, Hash } from '../primitives/hex.ts'
import * as maps from '../primitives/immutable-map.ts'
import { PersistentMap } from '../primitives/persistent-map.ts'
import type { Trie } from './trie-nodes.ts'

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
