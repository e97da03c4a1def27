// Lazily loaded modules in flight: every command waits for them, because a test that advances the clock in a loop would
// otherwise never yield to the event loop, which the imports need. Results that are mostly there at once are no promises
// then: waiting for one costs more than most of what is waited for.

/** A result, or the promise of it. */
export type Later<Value> = Value | Promise<Value>

export function isPromise<Value>(later: Later<Value>): later is Promise<Value> {
  return typeof (later as { readonly then?: unknown } | undefined)?.then === 'function'
}

/** Goes on with a result as soon as it is there. */
export function andThen<Value, Next>(later: Later<Value>, next: (value: Value) => Later<Next>): Later<Next> {
  return isPromise(later) ? later.then(next) : next(later)
}

const pending = new Set<Promise<unknown>>()

/** Registers a module that is loading, and resolves to it. */
export async function load<Module>(module: Promise<Module>): Promise<Module> {
  pending.add(module)
  try {
    return await module
  } finally {
    pending.delete(module)
  }
}

/** Loads a module with the first call. Later calls return it at once: even a repeated import takes microseconds. */
export function loadOnce<Module>(importModule: () => Promise<Module>): () => Module | Promise<Module> {
  let loaded: Module | undefined
  const first = async (): Promise<Module> => {
    loaded = await load(importModule())
    return loaded
  }
  return () => loaded ?? first()
}

/** Settles when the modules in flight have; `undefined` if there are none, so that callers need not await. */
export function modulesInFlight(): Promise<unknown> | undefined {
  return pending.size === 0 ? undefined : Promise.allSettled(pending)
}
