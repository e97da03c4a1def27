// A search: rounds of runs. The runs of a round do not see one another; what they have found is merged in the order of
// their numbers.

import { whileMoving } from '../limit.ts'
import { tellProgress } from '../parts.ts'
import { callsOf } from './call.ts'
import { addTo } from './corpus.ts'
import { type Explorer, type Failure, performRun, type RunResult } from './run.ts'
import type { CallsCounts } from './way.ts'

/** Runs of a round. Fewer would see sooner what others have found. */
const ROUND = 16

export interface SearchOptions {
  /** Its number among the searches. */
  readonly search: number
  /** The numbers of its runs, the last excluded. */
  readonly from: number
  readonly to: number
  readonly until: 'first' | 'end'
  readonly limitMs: number
  /** Called after each round. */
  readonly tell: (counts: CallsCounts, failures: readonly Failure[]) => unknown
  /** Called with each failure. */
  readonly onFailure: (failure: Failure) => void
}

/** Takes over what a run has found that is still new. */
function merge({ corpus, machine }: Explorer, { additions, values, tried }: RunResult): void {
  for (const addition of additions) {
    const slots = addition.slots.filter((slot) => !machine.coverage.isKnown(slot))
    if (slots.length === 0) continue
    machine.coverage.learn(slots)
    const { seed, after, values: found } = addition
    addTo(corpus, { seed, slots, after, values: found })
  }
  for (const value of values) corpus.dictionary.add(value)
  if (tried !== undefined) tried.tries++
}

export interface SearchResult {
  readonly failures: readonly Failure[]
  readonly counts: CallsCounts
  /** Why no other search follows: it hung, or what `tell` threw. */
  readonly ended?: { readonly thrown?: unknown }
}

/** The failure of what was cut. */
export function hangOf(
  { watch, checks }: Pick<Explorer, 'watch' | 'checks'>,
  limitMs: number,
  run: number,
): Failure {
  watch.cut()
  const path = watch.at()
  const last = callsOf(path).at(-1)?.action
  const name = checks.doing() ?? (last === undefined ? 'the set-up' : `${last.contract}.${last.fn.name}`)
  const reason = `it has taken more than ${limitMs} ms`
  return { broken: { kind: 'storyHung', name, key: 'hung', reason }, path, run }
}

export async function search(explorer: Explorer, options: SearchOptions): Promise<SearchResult> {
  const { corpus, watch } = explorer
  const { from, to, until, limitMs, tell, onFailure } = options
  const failures: Failure[] = []
  const known = new Set<string>()
  let [made, calls, failed] = [from, 0, 0]
  const counts = (): CallsCounts => ({
    ...{ runs: made - from, calls, failed },
    ...{ kept: corpus.seeds.length, slots: corpus.slots },
  })
  const find = (failure: Failure): void => {
    if (known.has(failure.broken.key)) return
    known.add(failure.broken.key)
    failures.push(failure)
    onFailure(failure)
  }
  const isOver = (): boolean => made >= to || (until === 'first' && failures.length > 0)
  while (!isOver() && watch.isNeeded(options.search)) {
    const results: RunResult[] = []
    for (let number = made; number < Math.min(to, made + ROUND); number++) {
      const found: Failure[] = []
      const run = (): Promise<RunResult | { readonly thrown: unknown }> =>
        performRun(explorer, number, known, found).catch((thrown: unknown) => ({ thrown }))
      const ended = await whileMoving(limitMs, watch.at, run)
      if (ended === undefined || 'thrown' in ended.value) {
        // What the runs before it in this round have found comes first.
        for (const result of results) result.failures.forEach(find)
        found.forEach(find)
        if (ended === undefined) find(hangOf(explorer, limitMs, number))
        const thrown = ended && 'thrown' in ended.value ? ended.value : {}
        return { failures, counts: counts(), ended: thrown }
      }
      results.push(ended.value)
    }
    for (const result of results) {
      merge(explorer, result)
      calls += result.calls
      failed += result.failed
      result.failures.forEach(find)
    }
    made += results.length
    try {
      await tellProgress((told: CallsCounts) => tell(told, failures), counts())
    } catch (thrown) {
      return { failures, counts: counts(), ended: { thrown } }
    }
  }
  return { failures, counts: counts() }
}
