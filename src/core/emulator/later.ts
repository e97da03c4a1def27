// The only timer of an emulator. It lets one say what a client waits for that neither polls nor ends; no answer depends
// on it.

/** Shorter than the limits of test runners, the shortest of which are two seconds. */
const PATIENCE_MS = 500

interface Timers {
  readonly setTimeout?: (run: () => void, ms: number) => unknown
  readonly clearTimeout?: (timer: unknown) => void
}

// Those of before a test puts fake ones in their place: nobody may be there to move these.
const { setTimeout, clearTimeout } = globalThis as unknown as Timers

/** Calls a function when a moment of real time has passed, unless the returned function is called before. */
export function callLater(run: () => void): () => void {
  const timer = setTimeout?.(run, PATIENCE_MS)
  return () => clearTimeout?.(timer)
}
