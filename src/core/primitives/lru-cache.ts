// Caches for values that can be computed again: bounded ones, one that lasts as long as its keys are in use, and single values.

interface Cache<Key, Value> {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
}

/**
 * The values of the keys that were used last (LRU). For small limits: arrays that are searched from the key used last. A
 * Map would be copied now and then, and its old copies would hold values, among them states of chains, up to a full
 * garbage collection.
 */
export function createLruCache<Key, Value>(limit: number): Cache<Key, Value> {
  const keys: Key[] = []
  const values: Value[] = []
  // A loop takes a third of the time of lastIndexOf.
  const indexOf = (key: Key): number => {
    let index = keys.length - 1
    while (index >= 0 && keys[index] !== key) index--
    return index
  }
  /** Moves an entry to the end. */
  const use = (index: number, key: Key, value: Value): void => {
    const end = keys.length - 1
    // A loop takes a fraction of the time of copyWithin.
    for (let i = index; i < end; i++) {
      keys[i] = keys[i + 1] as Key
      values[i] = values[i + 1] as Value
    }
    keys[end] = key
    values[end] = value
  }
  return {
    get(key) {
      const last = keys.length - 1
      if (last >= 0 && keys[last] === key) return values[last]
      const index = indexOf(key)
      if (index === -1) return undefined
      const value = values[index] as Value
      use(index, key, value)
      return value
    },
    set(key, value) {
      const index = indexOf(key)
      if (index !== -1) use(index, key, value)
      else if (keys.length === limit) use(0, key, value)
      else {
        keys.push(key)
        values.push(value)
      }
    },
  }
}

/** Memoizes `make`, which never returns `undefined`. */
function memoizeIn<Key, Value>(made: Cache<Key, Value>, make: (key: Key) => Value): (key: Key) => Value {
  return (key) => {
    let value = made.get(key)
    if (value === undefined) {
      value = make(key)
      made.set(key, value)
    }
    return value
  }
}

/** Memoizes `make` for the `limit` keys that were used last. */
export function memoizeLru<Key, Value>(limit: number, make: (key: Key) => Value): (key: Key) => Value {
  return memoizeIn(createLruCache(limit), make)
}

/** Memoizes `make` for up to `limit` keys, and then forgets them all: for many small values. */
export function memoizeMany<Key, Value>(limit: number, make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>()
  const makeWithin = (key: Key): Value => {
    if (made.size === limit) made.clear()
    return make(key)
  }
  return memoizeIn(made, makeWithin)
}

/** Memoizes `make` for as long as each key is in use. */
export function memoizeWeak<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  return memoizeIn(new WeakMap(), make)
}

/** A value that is made when it is first asked for. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}
