// Times of blocks at a constant interval.

/** The i-th block, counted from 0, is at `firstMs + i · intervalMs`. */
export interface BlockTiming {
  readonly firstMs: number
  readonly intervalMs: number
}

/** The time of the i-th block, in milliseconds. */
export function timeMsOf({ firstMs, intervalMs }: BlockTiming, index: number): number {
  return firstMs + index * intervalMs
}

/** The timestamp of the i-th block, in seconds. */
export function timestampOf(timing: BlockTiming, index: number): number {
  return Math.floor(timeMsOf(timing, index) / 1000)
}

/** The timing without its first `count` blocks. */
export function timingFrom(timing: BlockTiming, count: number): BlockTiming {
  return { firstMs: timeMsOf(timing, count), intervalMs: timing.intervalMs }
}
