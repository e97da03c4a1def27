// What versions of an immutable map offer: one whose entries are all here (persistent-map.ts), or one over a base that is
// known in part.

export type Key = string | number

export type DifferenceVisitor<K, V> = (key: K, before: V | undefined, after: V | undefined) => void

/** One version of the map. */
export interface ImmutableMap<K extends Key, V> {
  /** True if it certainly has no entries. */
  readonly isEmpty: boolean
  /** The base of the map, known in part; `undefined` if all of its entries are here. */
  readonly base: object | undefined
  /** The map before anything was written: empty, or its base alone. */
  readonly untouched: ImmutableMap<K, V>
  get(key: K): V | undefined
  has(key: K): boolean
  set(key: K, value: V): ImmutableMap<K, V>
  delete(key: K): ImmutableMap<K, V>
  /** With the entry, or the lack of one, that an earlier version has. */
  restore(key: K, earlier: ImmutableMap<K, V>): ImmutableMap<K, V>
  /** The entries that are known, in an arbitrary order that is equal for equal content. */
  entries(): IterableIterator<[K, V]>
  values(): IterableIterator<V>
  /** Visits every key whose value is not identical in this version and a later one. */
  visitChanges(later: ImmutableMap<K, V>, visit: DifferenceVisitor<K, V>): void
  /** Like `visitChanges`, but a value that stands in the base is not looked up there: it is `undefined` before. */
  visitWrites(later: ImmutableMap<K, V>, visit: DifferenceVisitor<K, V>): void
}

/** The map that `restore` returns where only the values are known. */
export function restored<K extends Key, V, M extends ImmutableMap<K, V>>(
  map: M,
  key: K,
  earlier: ImmutableMap<K, V>,
): M {
  const value = earlier.get(key)
  return (value === undefined ? map.delete(key) : map.set(key, value)) as M
}

/** Compares maps of different bases by the entries that are known of either. */
export function visitKnown<K extends Key, V>(
  before: ImmutableMap<K, V>,
  after: ImmutableMap<K, V>,
  visit: DifferenceVisitor<K, V>,
): void {
  const keys = new Set<K>()
  for (const [key] of before.entries()) keys.add(key)
  for (const [key] of after.entries()) keys.add(key)
  for (const key of keys) {
    const [old, now] = [before.get(key), after.get(key)]
    if (old !== now) visit(key, old, now)
  }
}
