// What all ways of exploring share: how long they go on, which failures they keep, and how these are told in the end.

import { textOf } from '../../core/primitives/text-of.ts'
import { beginBudget } from './limit.ts'
import type { PartOptions } from './part-options.ts'
import {
  type CausedFailure,
  type Ended,
  endPart,
  type Part,
  type PartKind,
  type ReportedFailure,
  tellProgress,
} from './parts.ts'

/** A failure that was found. */
interface Finding {
  /** Equal for the same failure only. */
  readonly key: string
  /** Its place in the order in which one process comes to failures. */
  readonly at: readonly number[]
}

/** The options of a loop. */
export interface LoopPlan {
  readonly until: 'first' | 'end'
  /** Real seconds; without them there is no limit of time. */
  readonly seconds: number | undefined
  readonly runner: PartOptions['runner'] | undefined
  readonly report: PartOptions['report'] | undefined
}

/** A failure in words, but for its place among others. */
export type ToldFailure = Omit<ReportedFailure, 'at' | 'key'>

interface LoopEnd {
  readonly failures: readonly CausedFailure[]
  readonly thrown: { readonly error: unknown } | undefined
  readonly ended: Ended
}

export type Loop<Found extends Finding> = ReturnType<typeof createLoop<Found>>

/** `sketch` tells a failure as it was found, for the process that began a worker. */
export function createLoop<Found extends Finding>(
  { until, seconds, runner }: LoopPlan,
  sketch: (found: Found) => ToldFailure,
) {
  const budget = beginBudget(seconds)
  const found: Found[] = []
  let isOver = false
  let isOutOfTime = false
  let thrown: { readonly error: unknown } | undefined
  const report = (one: Found, told: ToldFailure): ReportedFailure => ({
    ...told,
    at: one.at,
    ...(until === 'end' && { key: one.key }),
  })
  return {
    found: found as readonly Found[],
    /** True if what comes next is to be tried, whose failures have places that begin with this number. */
    async goesOn(number: number): Promise<boolean> {
      if (isOver || (until === 'first' && found.length > 0)) return false
      isOutOfTime = await budget.isOver()
      return !isOutOfTime && runner?.isNeeded?.(number) !== false
    },
    /** Nothing is tried any more: something has hung, or thrown what is no failure. */
    end(error?: { readonly error: unknown }): void {
      isOver = true
      thrown ??= error
    },
    isEnded: (): boolean => isOver,
    /** Keeps a failure that is new, and tells the runner; returns whether it is new. */
    find(one: Found): boolean {
      if (until === 'end' && found.some(({ key }) => key === one.key)) return false
      found.push(one)
      runner?.onFailure?.(report(one, sketch(one)))
      return true
    },
    /** Tells of progress. What the option throws ends the loop. */
    async tell<Progress>(
      progress: ((told: Progress) => unknown) | undefined,
      told: () => Progress,
    ): Promise<void> {
      if (progress === undefined || thrown !== undefined) return
      try {
        await tellProgress(progress, told())
      } catch (error) {
        this.end({ error })
      }
    },
    /**
     * Searches, and tells the failures that were found, each with its cause; what was thrown that is no failure; and what has
     * ended the search.
     */
    async run(
      search: () => Promise<void>,
      tell: (one: Found) => Promise<readonly [told: ToldFailure, cause: unknown]>,
    ): Promise<LoopEnd> {
      try {
        await search()
      } catch (error) {
        this.end({ error })
      } finally {
        budget.stop()
      }
      const failures: CausedFailure[] = []
      for (const one of until === 'first' ? found.slice(0, 1) : found) {
        const [told, cause] = await tell(one)
        failures.push([report(one, told), cause])
      }
      return { failures, thrown, ended: isOutOfTime ? 'time' : 'done' }
    },
  }
}

/** Hands a part that is over to the option `report`, and throws its failures, or what `progress` has thrown; the report of it. */
export async function endLoop<Counts, Report>(
  plan: Pick<LoopPlan, 'report'>,
  part: Part,
  kind: PartKind<Counts, Report>,
  counts: Counts,
  { failures, thrown }: LoopEnd,
): Promise<Report> {
  if (failures.length === 0 && thrown !== undefined) throw thrown.error
  const notice = thrown === undefined ? '' : `\n${textOf((thrown.error as Error).message)}`
  await endPart(plan, { ...part, counts }, failures, notice)
  return kind.report(counts)
}
