// A bounded cache for values that can be computed again.

/**
 * Memoizes `make` for the `limit` keys that were used last (LRU). `make` gets `recall`, which returns the value of
 * another key if it is still there.
 */
export function memoizeLast<Key, Value>(
  limit: number,
  make: (key: Key, recall: (other: Key) => Value | undefined) => Value,
): (key: Key) => Value {
  const entries = new Map<Key, { readonly value: Value }>()
  const recall = (other: Key): Value | undefined => entries.get(other)?.value
  return (key) => {
    const entry = entries.get(key) ?? { value: make(key, recall) }
    // A Map iterates in insertion order, so the first key is the one used longest ago.
    entries.delete(key)
    entries.set(key, entry)
    if (entries.size > limit) entries.delete(entries.keys().next().value as Key)
    return entry.value
  }
}
