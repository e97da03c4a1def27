// A sequence of calls, performed from the start, and watched so that one that hangs can be cut and told.

import type { PartRunner } from '../parts.ts'
import { type Call, NO_CALLS, type Path, withCall } from './call.ts'
import type { BrokenCheck, Checks } from './checks.ts'
import type { Machine } from './machine.ts'
import type { Position } from './reads.ts'
import { writeCall } from './story.ts'

/** The calls that are being performed. */
export interface Watch {
  /** The calls up to the present one. */
  readonly at: () => Path
  /** A call begins, the last of these; throws if it goes on after it was cut. */
  readonly begin: (path: Path) => void
  /** Tells the runner the present calls, before code of the user runs. */
  readonly show: () => void
  /** True if the search with this number still has to go on; begins the story anew for the runner. */
  readonly isNeeded: (search: number) => boolean
  /** Cuts what goes on. */
  readonly cut: () => void
}

export function createWatch(runner: PartRunner | undefined): Watch {
  let at = NO_CALLS
  let isCut = false
  /** The paths up to the one that the runner was told last. */
  const shown: Path[] = []
  return {
    at: () => at,
    begin(path) {
      if (isCut) throw new Error('the run was cut')
      at = path
      runner?.beat?.()
    },
    show() {
      if (runner?.onStep === undefined) return
      const missing: Path[] = []
      let known = at
      for (; known.before !== undefined && shown[known.length - 1] !== known; known = known.before)
        missing.push(known)
      // What follows the last step is undone when that is told again.
      if (missing.length === 0 && shown.length > known.length && known.length > 0) missing.push(known)
      shown.length = at.length - missing.length
      for (const path of missing.reverse()) {
        if (path.call !== undefined) runner.onStep(path.length - 1, writeCall(path.call))
        shown.push(path)
      }
    },
    isNeeded(search) {
      shown.length = 0
      return runner?.isNeeded?.(search) !== false
    },
    cut() {
      isCut = true
    },
  }
}

export interface Played {
  readonly broken: BrokenCheck | undefined
  /** The calls that count: those that did not fail, and the one that violated an assertion. */
  readonly calls: readonly Call[]
  /** The positions of those that failed. */
  readonly failed: readonly number[]
  /** Before the last of them. */
  readonly before: Position
  readonly after: Position
}

/** The failures that are not looked for: all but that with the key, or none. */
function others(key: string | undefined): ReadonlySet<string> {
  const known = new Set<string>()
  if (key !== undefined) known.has = (other) => other !== key
  return known
}

/** Everything that calls are performed with. */
export interface Playground {
  readonly machine: Machine
  readonly checks: Checks
  readonly watch: Watch
  readonly root: Position
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
  let broken = await checks.ofPosition(root, known)
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
    ;[before, after] = [after, outcome?.position ?? after]
    broken ??= await checks.ofPosition(after, known)
  }
  broken ??= await checks.ofEnd(after, known)
  machine.coverage.take()
  return { broken, calls: performed, failed, before, after }
}
