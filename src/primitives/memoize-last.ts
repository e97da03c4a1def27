// A bounded cache for values that can be computed again.

/** Memoizes `make` for the `limit` keys that were used last (LRU). */
export function memoizeLast<Key, Value>(limit: number, make: (key: Key) => Value): (key: Key) => Value {
  const entries = new Map<Key, { readonly value: Value }>()
  return (key) => {
    const entry = entries.get(key) ?? { value: make(key) }
    // A Map iterates in insertion order, so the first key is the one used longest ago.
    entries.delete(key)
    entries.set(key, entry)
    if (entries.size > limit) entries.delete(entries.keys().next().value as Key)
    return entry.value
  }
}
