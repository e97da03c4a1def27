// When the blocks of a run are: a rule instead of a list.

/** The i-th block, counted from 0, has the timestamp ⌊(firstMs + i · intervalMs) / 1000⌋. */
export interface Pace {
  readonly firstMs: number
  readonly intervalMs: number
}

/** Milliseconds at which the i-th block stands. */
export function momentOf({ firstMs, intervalMs }: Pace, index: number): number {
  return firstMs + index * intervalMs
}

/** The timestamp of the i-th block, in seconds. */
export function timestampOf(pace: Pace, index: number): number {
  return Math.floor(momentOf(pace, index) / 1000)
}

/** The pace of what is left after `count` blocks. */
export function paceFrom(pace: Pace, count: number): Pace {
  return { firstMs: momentOf(pace, count), intervalMs: pace.intervalMs }
}
