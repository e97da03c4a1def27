// What is counted of searches in contracts, how the counts of parts are merged, and what is reported.

import type { Way } from '../parts.ts'
import type { ExploreContractsReport } from './options.ts'
import { describeWritten, nameOfCalls, storyOf, type WrittenCall } from './story.ts'

export interface CallsCounts {
  readonly runs: number
  readonly calls: number
  readonly failed: number
  readonly kept: number
  /** The branches that were reached. */
  readonly slots: readonly number[]
}

export const NO_COUNTS: CallsCounts = { runs: 0, calls: 0, failed: 0, kept: 0, slots: [] }

export const CALLS_WAY: Way<CallsCounts, ExploreContractsReport> = {
  isCounts(counts) {
    const { runs, calls, failed, kept, slots } = counts as Partial<CallsCounts>
    return [runs, calls, failed, kept].every(Number.isSafeInteger) && Array.isArray(slots)
  },
  merge(parts) {
    const sum = (of: (part: CallsCounts) => number): number =>
      parts.reduce((total, part) => total + of(part), 0)
    return {
      runs: sum(({ runs }) => runs),
      calls: sum(({ calls }) => calls),
      failed: sum(({ failed }) => failed),
      kept: sum(({ kept }) => kept),
      slots: [...new Set(parts.flatMap(({ slots }) => slots))].sort((a, b) => a - b),
    }
  },
  report: ({ slots, ...counts }) => ({ ...counts, edges: slots.length, broken: 0 }),
  nameOf: nameOfCalls,
  word({ run, steps }) {
    const calls = steps as readonly (WrittenCall | null)[]
    const known = calls.flatMap((call) => call ?? [])
    const [name = 'a call'] = calls.at(-1)?.call?.split('(') ?? []
    const last = calls.length === 0 ? undefined : `the invariants after ${calls.at(-1)?.contract}.${name}`
    return {
      ...{ last, lines: known.map(describeWritten), unit: 'call', origin: ` (search ${run + 1})` },
      ...(known.length < calls.length
        ? {}
        : { story: storyOf({ kind: 'storyHung', name: last ?? '' }, known) }),
    }
  },
}
