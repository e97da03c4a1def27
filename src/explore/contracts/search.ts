// The search: rounds of runs. The runs of a round do not see one another; what they have found is merged in the order of
// their numbers. So the search is the same however many of them are made at once.

import { tellProgress } from '../parts.ts'
import { addTo } from './corpus.ts'
import type { ExploreContractsReport } from './options.ts'
import { type Explorer, type Failure, performRun, type RunResult } from './run.ts'

/** Runs of a round. Fewer would see sooner what others have found; more could be made at once. */
const ROUND = 16

export interface SearchOptions {
  readonly runs: number
  readonly until: 'first' | 'end'
  readonly tell: (report: ExploreContractsReport) => unknown
}

/** Takes over what a run has found that is still new. */
function merge({ corpus, machine }: Explorer, { additions, values, tried }: RunResult): void {
  for (const addition of additions) {
    const slots = addition.slots.filter((slot) => !machine.coverage.isKnown(slot))
    if (slots.length === 0) continue
    machine.coverage.learn(slots)
    addTo(corpus, { ...addition, slots })
  }
  for (const value of values) corpus.dictionary.add(value)
  if (tried !== undefined) tried.tries++
}

export interface SearchResult {
  readonly failures: readonly Failure[]
  readonly report: ExploreContractsReport
  /** What `tell` threw, which ends the search. */
  readonly thrown?: unknown
}

export async function search(
  explorer: Explorer,
  { runs, until, tell }: SearchOptions,
): Promise<SearchResult> {
  const { corpus } = explorer
  const failures: Failure[] = []
  const known = new Set<string>()
  let [made, calls, failed] = [0, 0, 0]
  const report = (): ExploreContractsReport => ({
    ...{ runs: made, calls, failed, edges: corpus.edges },
    ...{ kept: corpus.seeds.length, broken: failures.length },
  })
  while (made < runs && (until === 'end' || failures.length === 0)) {
    const results: RunResult[] = []
    for (let number = made; number < Math.min(runs, made + ROUND); number++) {
      results.push(await performRun(explorer, number, known))
    }
    for (const result of results) {
      merge(explorer, result)
      calls += result.calls
      failed += result.failed
      for (const failure of result.failures) {
        if (known.has(failure.broken.key)) continue
        known.add(failure.broken.key)
        failures.push(failure)
      }
    }
    made += results.length
    try {
      await tellProgress(tell, report())
    } catch (thrown) {
      return { failures, report: report(), thrown }
    }
  }
  return { failures, report: report() }
}
