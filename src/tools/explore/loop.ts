// What all ways of exploring share: how long they go on, which failures they keep, and how these are told in the end.
// fast-check has the timers: nothing but the cut itself depends on real time.

import { asyncProperty, check, constant } from 'fast-check'
import { failure } from '../../core/primitives/errors.ts'
import type { Hash } from '../../core/primitives/hex.ts'
import { textOf } from '../../core/primitives/text-of.ts'
import type { CausedFailure, Failure, ReportedFailure, ToldFailure } from './failures.ts'
import type { PartOptions } from './part-options.ts'
import { type Ended, endPart, nameShard, PART_FORMAT, type Part, type PartKind, type Shard } from './parts.ts'
import { keepingStrays, passTurn } from './strays.ts'

/** Runs a task; `undefined` if it takes longer. What the task throws is thrown. */
export async function within<Value>(limitMs: number, task: () => Promise<Value>) {
  let ended: { readonly value: Value } | { readonly error: unknown } | undefined
  const property = asyncProperty(constant(undefined), async () => {
    try {
      ended = { value: await task() }
    } catch (error) {
      ended = { error }
    }
  })
  await check(property, { numRuns: 1, timeout: limitMs, endOnFailure: true })
  if (ended !== undefined && 'error' in ended) throw ended.error
  return ended
}

/** Runs a task while `at` changes; `undefined` if it stays the same for the limit. What the task throws is thrown. */
export async function whileMoving<Value>(limitMs: number, at: () => unknown, task: () => Promise<Value>) {
  const running = task()
  for (;;) {
    const before = at()
    const ended = await within(limitMs, () => running)
    if (ended !== undefined || at() === before) return ended
  }
}

/** Begins to wait for the end of a time in seconds, if there is one. */
function beginBudget(seconds: number | undefined) {
  let isOver = false
  let stop = (): void => {}
  if (seconds !== undefined) {
    const stopped = new Promise<void>((resolve) => {
      stop = resolve
    })
    void within(1000 * seconds, () => stopped).then((ended) => {
      isOver = ended === undefined
    })
  }
  return {
    /** True when the time is over. A timer is only heard of in another turn of the event loop. */
    async isOver(): Promise<boolean> {
      if (seconds !== undefined) await passTurn()
      return isOver
    },
    stop: (): void => stop(),
  }
}

interface Finding {
  readonly failure: Failure
  /** Its place in the order in which one process comes to failures. */
  readonly at: readonly number[]
}

export interface LoopPlan {
  readonly until: 'first' | 'end'
  /** Real seconds; without them there is no limit of time. */
  readonly seconds: number | undefined
  readonly runner: PartOptions['runner'] | undefined
}

interface LoopEnd {
  readonly failures: readonly CausedFailure[]
  readonly thrown: { readonly error: unknown } | undefined
  readonly ended: Ended
}

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
  const report = ({ failure: { key }, at }: Found, told: ToldFailure): ReportedFailure => ({
    ...told,
    at,
    ...(until === 'end' && { key }),
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
      if (until === 'end' && found.some(({ failure: { key } }) => key === one.failure.key)) return false
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
        await progress(told())
      } catch (error) {
        this.end({ error: failure('callbackFailed', { callback: 'progress', reason: textOf(error) }) })
      }
    },
    /** Searches, tells the failures with their causes, then saves. Resolves also to what else was thrown, and what ended it. */
    async run(
      search: () => Promise<void>,
      tell: (one: Found) => Promise<readonly [told: ToldFailure, cause: unknown]>,
      save?: (failures: readonly CausedFailure[]) => Promise<void>,
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
      try {
        await save?.(failures)
      } catch (error) {
        thrown ??= { error }
      }
      return { failures, thrown, ended: isOutOfTime ? 'time' : 'done' }
    },
  }
}

interface PartPlan extends Pick<LoopPlan, 'runner'> {
  readonly shard: Shard
  readonly report: PartOptions['report'] | undefined
}

/** Explores a part, reports and throws. `setUp` digests what all parts have in common, `storySetUp` what stories refer to. */
export async function explorePart<Counts, Report>(
  { shard, runner, report }: PartPlan,
  kind: PartKind<Counts, Report>,
  setUp: Hash,
  storySetUp: Hash,
  search: () => Promise<Omit<LoopEnd, 'ended'> & { readonly counts: Counts }>,
): Promise<Report> {
  const { way } = kind
  const part: Part = {
    format: PART_FORMAT,
    way,
    setUp,
    shards: [nameShard(shard)],
    counts: undefined,
    failures: [],
  }
  runner?.begin?.(part, storySetUp)
  const { failures, thrown, counts } = await keepingStrays(search)
  if (failures.length === 0 && thrown !== undefined) throw thrown.error
  const notice = thrown === undefined ? '' : `\n${textOf((thrown.error as Error).message)}`
  await endPart(report, { ...part, counts }, failures, notice)
  return kind.report(counts)
}
