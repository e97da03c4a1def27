// The scale of a timeline: virtual time along a line on which long stretches without events are short.

import { memoizeWeak } from '../../../core/primitives/lru-cache.ts'
import { countWhile } from '../../../core/primitives/numbers.ts'
import type { LayerModel, OrphanedBranch, TimelineModel } from './build-model.ts'

export interface Stretch {
  readonly startMs: number
  readonly endMs: number
  /** Its place on the line. */
  readonly start: number
  readonly end: number
  /** True if it is shorter on the line than its time. */
  readonly isCollapsed: boolean
}

export type Scale = ReturnType<typeof scaleOf>

/** Block times of an idle stretch that are shown at its full length, and how long it is then. */
const LEAST_IDLE_BLOCKS = 6
const COLLAPSED_BLOCKS = 2

/** Intervals in which something happens. */
function activeIn({ layer, blocks, branches, partials, stays, marks, told }: LayerModel): [number, number][] {
  const all = [...blocks, ...branches.flatMap(({ blocks: taken }: OrphanedBranch) => taken)]
  const full = all.filter(({ transactions }) => transactions.length > 0)
  const active = [layer.start.atMs, layer.end.atMs].map((ms): [number, number] => [ms, ms])
  for (const { startMs, endMs } of full) active.push([Math.max(startMs, endMs - layer.blockTimeMs), endMs])
  for (const { startMs, endMs } of partials) active.push([startMs, endMs])
  for (const { startMs, endMs } of stays) active.push([startMs, startMs], [endMs, endMs])
  for (const { atMs, toMs } of marks) active.push([atMs, atMs], [toMs, toMs])
  for (const { startMs, endMs } of told.flatMap(({ spans }) => spans))
    active.push([startMs, startMs], [endMs, endMs])
  return active
}

/** Joins intervals that lie within `reach` of each other. */
function joinIntervals(intervals: readonly [number, number][], reach: number): [number, number][] {
  const joined: [number, number][] = []
  for (const [start, end] of [...intervals].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last !== undefined && start - last[1] <= reach) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}

function stretchesOf(active: readonly [number, number][], margin: number, gap: number): Stretch[] {
  const stretches: Stretch[] = []
  const add = (startMs: number, endMs: number, size: number, isCollapsed: boolean): void => {
    const start = stretches.at(-1)?.end ?? 0
    if (endMs > startMs) stretches.push({ startMs, endMs, start, end: start + size, isCollapsed })
  }
  for (const [index, [start, end]] of active.entries()) {
    const before = active[index - 1]
    const after = active[index + 1]
    const startMs = before === undefined ? start : start - margin
    const endMs = end + (after === undefined ? margin / 2 : margin)
    if (before !== undefined) add(before[1] + margin, startMs, gap, true)
    add(startMs, endMs, endMs - startMs, false)
  }
  return stretches
}

/** The index of the first stretch that is not past. */
function findStretch(stretches: readonly Stretch[], isPast: (stretch: Stretch) => boolean): number {
  return countWhile(stretches.length - 1, (index) => isPast(stretches[index] as Stretch))
}

/** The scale of a timeline, the same for all its layers; computed once. */
export const scaleOf = memoizeWeak((model: TimelineModel) => {
  const blockTimeMs = Math.max(1, Math.min(...model.layers.map(({ layer }) => layer.blockTimeMs)))
  const active = joinIntervals(model.layers.flatMap(activeIn), LEAST_IDLE_BLOCKS * blockTimeMs)
  const stretches = stretchesOf(active, blockTimeMs, COLLAPSED_BLOCKS * blockTimeMs)
  const last = stretches.at(-1) as Stretch
  return {
    /** The length of the line. */
    size: last.end,
    /** The place of a time. */
    at(ms: number): number {
      const stretch = stretches[findStretch(stretches, ({ endMs }) => endMs < ms)] as Stretch
      const share = (ms - stretch.startMs) / (stretch.endMs - stretch.startMs)
      return stretch.start + Math.min(Math.max(share, 0), 1) * (stretch.end - stretch.start)
    },
    timeAt(place: number): number {
      const index = findStretch(stretches, ({ end }) => end < place)
      const { start, end, startMs, endMs } = stretches[index] as Stretch
      return startMs + ((place - start) / (end - start)) * (endMs - startMs)
    },
    between(from: number, to: number): readonly Stretch[] {
      const first = findStretch(stretches, ({ end }) => end < from)
      return stretches.slice(first, findStretch(stretches, ({ end }) => end < to) + 1)
    },
  }
})

const STEPS_MS = [1, 2, 5].flatMap((digit) => [1, 10, 100, 1000, 10_000].map((size) => digit * size))
const LONG_STEPS_S = [60, 300, 900, 3600, 14_400, 43_200, 86_400, 604_800, 2_592_000, 31_536_000]
const ALL_STEPS_MS = [...STEPS_MS, ...LONG_STEPS_S.map((s) => s * 1000)].sort((a, b) => a - b)

/** Round times in a window of the line, so far apart that their labels have room. */
export function ticksIn(
  scale: Scale,
  [from, to]: readonly [number, number],
  leastDistance: number,
  originMs: number,
): { readonly atMs: number; readonly place: number }[] {
  const step = ALL_STEPS_MS.find((ms) => ms >= leastDistance) ?? leastDistance
  const ticks: { atMs: number; place: number }[] = []
  let free = from
  const add = (atMs: number, place: number): void => {
    if (place < free || place > to) return
    ticks.push({ atMs, place })
    free = place + leastDistance
  }
  for (const { startMs, endMs, start, end, isCollapsed } of scale.between(from, to)) {
    if (isCollapsed || end < free) continue
    // After a gap, nobody could count on from the tick before it.
    if (start > 0) add(startMs, start)
    const firstMs = startMs + Math.max(0, Math.max(from, free) - start)
    let atMs = originMs + Math.ceil((firstMs - originMs) / step) * step
    for (; atMs <= endMs && start + atMs - startMs <= to; atMs += step) add(atMs, start + atMs - startMs)
  }
  return ticks
}
