// Results that are mostly there at once: waiting for a promise costs more than most of what is waited for.

/** A result, or the promise of it. */
export type Later<Value> = Value | Promise<Value>

export function isPromise<Value>(later: Later<Value>): later is Promise<Value> {
  return typeof (later as { readonly then?: unknown } | undefined)?.then === 'function'
}

/** Goes on with a result as soon as it is there. */
export function andThen<Value, Next>(later: Later<Value>, next: (value: Value) => Later<Next>): Later<Next> {
  return isPromise(later) ? later.then(next) : next(later)
}
