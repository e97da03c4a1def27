// Bounded caches for values that can be computed again.

/** The values of the keys that were used last (LRU). */
export interface RecentValues<Key, Value> {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
}

export function createRecentValues<Key, Value>(limit: number): RecentValues<Key, Value> {
  const entries = new Map<Key, Value>()
  const set = (key: Key, value: Value): void => {
    // A Map iterates in insertion order, so the first key is the one used longest ago.
    entries.delete(key)
    entries.set(key, value)
    if (entries.size > limit) entries.delete(entries.keys().next().value as Key)
  }
  return {
    get(key) {
      const value = entries.get(key)
      if (value !== undefined) set(key, value)
      return value
    },
    set,
  }
}

/** Memoizes `make`, which never returns `undefined`, for the `limit` keys that were used last. */
export function memoizeLast<Key, Value>(limit: number, make: (key: Key) => Value): (key: Key) => Value {
  const recent = createRecentValues<Key, Value>(limit)
  return (key) => {
    let value = recent.get(key)
    if (value === undefined) {
      value = make(key)
      recent.set(key, value)
    }
    return value
  }
}
