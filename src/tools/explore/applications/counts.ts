// Counts of random stories and of scenes in full: how those of parts are merged, and the reports made of them.

import { type EndedRun, type PartKind, sum, type Worded } from '../parts.ts'
import type { AdversaryKind, Step } from './events.ts'
import type { ExploreAllReport, ExploreReport } from './scene.ts'
import { describeStep, nameOf, storyText } from './story.ts'

export interface StoryCounts {
  readonly runs: number
  readonly steps: number
  readonly events: Readonly<Partial<Record<AdversaryKind, number>>>
  /** Kinds of two steps that were performed one after the other. */
  readonly orders: readonly string[]
  /** The number of such orders that there are. */
  readonly mostOrders: number
}

/** A story of steps that were written as JSON. */
function wordStory({ setUp, steps }: EndedRun, origin: string): Worded {
  const read = steps as readonly (Step | null)[]
  const lines = read.map((step) => (step === null ? 'a step that JSON cannot hold' : describeStep(step)))
  const end = read.at(-1)
  const last = end != null && 'action' in end ? end.action : lines.at(-1)
  const worded = { last, lines, origin, unit: 'step' }
  if (steps.includes(null)) return worded
  return { ...worded, story: storyText(setUp, { kind: 'storyHung', name: last ?? 'world' }, steps) }
}

export const STORIES_PART: PartKind<StoryCounts, ExploreReport> = {
  isCounts(counts) {
    const { runs, steps, events, orders, mostOrders } = counts as Partial<StoryCounts>
    const isCounted = [runs, steps, mostOrders].every(Number.isSafeInteger)
    return isCounted && typeof events === 'object' && events !== null && Array.isArray(orders)
  },
  merge(parts) {
    const kinds = [...new Set(parts.flatMap(({ events }) => Object.keys(events) as AdversaryKind[]))].sort()
    const ofKind = (kind: AdversaryKind): number => sum(parts, ({ events }) => events[kind] ?? 0)
    return {
      runs: sum(parts, ({ runs }) => runs),
      steps: sum(parts, ({ steps }) => steps),
      events: Object.fromEntries(kinds.map((kind) => [kind, ofKind(kind)])),
      orders: [...new Set(parts.flatMap(({ orders }) => orders))].sort(),
      mostOrders: parts[0]?.mostOrders ?? 0,
    }
  },
  report: ({ runs, steps, events, orders, mostOrders }) => ({
    ...{ runs, steps, events },
    orders: { tried: orders.length, of: mostOrders },
  }),
  word: (ended) => wordStory(ended, ` (run ${ended.run + 1})`),
  nameOf,
}

function kindOf(step: Step): string {
  if ('action' in step) return `run ${step.action}`
  return 'wait' in step ? step.wait : step.adversary
}

/** Counts what has happened in runs. */
export function createTally(actions: number, adversary: readonly AdversaryKind[]) {
  let runs = 0
  let steps = 0
  const events: Partial<Record<AdversaryKind, number>> = {}
  const orders = new Set<string>()
  // The two waits are kinds as well.
  const kinds = actions + 2 + adversary.length
  return {
    add(story: readonly Step[]) {
      runs++
      steps += story.length
      let last = ''
      for (const step of story) {
        const kind = kindOf(step)
        if (last !== '') orders.add(`${last}, ${kind}`)
        last = kind
        if ('adversary' in step) events[step.adversary] = (events[step.adversary] ?? 0) + 1
      }
    },
    counts: (): StoryCounts => ({ runs, steps, events, orders: [...orders], mostOrders: kinds ** 2 }),
    progress: (of: number) => ({
      ...{ runs, steps, of, events: { ...events } },
      coverage: { reached: orders.size, of: kinds ** 2, what: 'orders of two steps' },
    }),
  }
}

/** A state of a walk: the events that it took to come there, how many were tried there, and whether a step was. */
export type CountedState = readonly [level: number, events: number, steps: 0 | 1]

export interface SceneCounts {
  readonly states: Readonly<Record<string, CountedState>>
}

export const SCENE_PART: PartKind<SceneCounts, ExploreAllReport> = {
  isCounts(counts) {
    const { states } = counts as Partial<SceneCounts>
    return typeof states === 'object' && states !== null && Object.values(states).every(Array.isArray)
  },
  merge(parts) {
    const states = new Map<string, CountedState>()
    for (const [key, state] of parts.flatMap((part) => Object.entries(part.states))) {
      // A part may have come there later, with fewer events left to try.
      const [level] = states.get(key) ?? [Number.POSITIVE_INFINITY]
      if (state[0] < level) states.set(key, state)
    }
    return { states: Object.fromEntries(states) }
  },
  report({ states }) {
    const all = Object.values(states)
    const events = sum(all, ([, tried]) => tried)
    return { states: all.length, steps: events + sum(all, ([, , steps]) => steps), events }
  },
  word: (ended) => wordStory(ended, ''),
  nameOf,
}
