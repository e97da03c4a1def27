// A long sequence in which each item follows from the one before, remembered at intervals: any part of it can be
// had for the work of one segment, and the whole of it takes next to no memory.

/** Items of a segment. */
export const SEGMENT_LENGTH = 256

/** How many segments stay at hand: the one that is read and the one before. */
const KEPT = 2

export interface Segments<Segment> {
  /** The segment with this number, counted from 0. */
  readonly at: (number: number) => Segment
}

/** Makes segments one after another from what the one before hands on; `make` must be pure. */
export function createSegments<Mark, Segment>(
  first: Mark,
  make: (mark: Mark, number: number) => { readonly segment: Segment; readonly next: Mark },
): Segments<Segment> {
  const marks: Mark[] = [first]
  const kept = new Map<number, Segment>()
  const remake = (number: number): Segment => {
    const { segment, next } = make(marks[number] as Mark, number)
    if (marks.length === number + 1) marks.push(next)
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value as number)
    kept.set(number, segment)
    return segment
  }
  return {
    at(number) {
      const found = kept.get(number)
      if (found !== undefined) return found
      while (marks.length <= number) remake(marks.length - 1)
      return kept.get(number) ?? remake(number)
    },
  }
}
