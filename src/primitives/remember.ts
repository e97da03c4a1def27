// A memory of bounded size for what can be made again: no answer depends on what is in it.

/** `make` with its last `most` results remembered, those used last. */
export function rememberLast<Key, Value>(most: number, make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, { readonly value: Value }>()
  return (key) => {
    const entry = made.get(key) ?? { value: make(key) }
    // The order of a map is that in which its keys came.
    made.delete(key)
    made.set(key, entry)
    if (made.size > most) made.delete(made.keys().next().value as Key)
    return entry.value
  }
}
