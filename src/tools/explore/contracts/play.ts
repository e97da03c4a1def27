// A sequence of calls, performed from the start.

import { type Call, NO_CALLS, withCall } from './call.ts'
import type { Broken, Checks } from './checks.ts'
import type { Machine, Moment } from './machine.ts'
import type { Watch } from './watch.ts'

export interface Played {
  readonly broken: Broken | undefined
  /** The calls that count: those that did not fail, and the one that violated an assertion. */
  readonly calls: readonly Call[]
  /** The positions of those that failed. */
  readonly failed: readonly number[]
  /** Before the last of them. */
  readonly before: Moment
  readonly after: Moment
}

/** What is looked for: one failure, by its key, or any. */
function others(key: string | undefined): ReadonlySet<string> {
  const known = new Set<string>()
  if (key !== undefined) known.has = (other) => other !== key
  return known
}

/** What calls are performed on. */
export interface Playground {
  readonly machine: Machine
  readonly checks: Checks
  readonly watch: Watch
  readonly root: Moment
}

export async function playCalls(
  { machine, checks, watch, root }: Playground,
  calls: readonly Call[],
  key?: string,
): Promise<Played> {
  const known = others(key)
  const performed: Call[] = []
  const failed: number[] = []
  let [before, after] = [root, root]
  let path = NO_CALLS
  watch.begin(path)
  let broken = await checks.ofMoment(root, known)
  for (const [index, call] of calls.entries()) {
    if (broken !== undefined) break
    path = withCall(path, call)
    watch.begin(path)
    const outcome = await machine.perform(after, call)
    const assertion = outcome && checks.ofCall(call, outcome)
    if (assertion !== undefined && !known.has(assertion.key)) broken = assertion
    const isKept = outcome?.result.outcome === 'success'
    if (!isKept && broken === undefined) {
      failed.push(index)
      continue
    }
    performed.push(call)
    ;[before, after] = [after, outcome?.moment ?? after]
    broken ??= await checks.ofMoment(after, known)
  }
  broken ??= await checks.ofEnd(after, known)
  machine.coverage.take()
  return { broken, calls: performed, failed, before, after }
}
