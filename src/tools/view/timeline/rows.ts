// Rows of a lane.

/** Gives intervals rows so that none overlaps another, up to a number of rows. */
export function inRows<Each>(
  all: readonly Each[],
  most: number,
  intervalOf: (each: Each) => readonly [startMs: number, endMs: number],
) {
  const ends: number[] = []
  const placed = all.map((each) => {
    const [startMs, endMs] = intervalOf(each)
    const free = ends.findIndex((end) => end <= startMs)
    const row = free === -1 ? Math.min(ends.length, most - 1) : free
    ends[row] = Math.max(ends[row] ?? endMs, endMs)
    return { ...each, row }
  })
  return { placed, count: ends.length }
}
