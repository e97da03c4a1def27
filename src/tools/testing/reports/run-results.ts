// What a test run has measured, for the reporter of failed tests: told by the plugin of gas and coverage.

import type { RunResults } from '../../view/report/index-page.ts'

/** By the run, an object of vitest. */
const told = new WeakMap<object, (() => RunResults)[]>()

export function tellResults(run: object, results: () => RunResults): void {
  told.set(run, [...(told.get(run) ?? []), results])
}

export function resultsOf(run: object): RunResults[] {
  return (told.get(run) ?? []).map((results) => results())
}
