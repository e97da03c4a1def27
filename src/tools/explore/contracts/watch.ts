// What an exploration of contracts is at, so that one that hangs can be cut and told.

import type { PartRunner } from '../parts.ts'
import { NO_CALLS, type Path } from './call.ts'
import { writeCall } from './story.ts'

export interface Watch {
  /** The calls up to the present one. */
  readonly at: () => Path
  /** A call begins, the last of these; throws if it goes on after it was cut. */
  readonly begin: (path: Path) => void
  /** Tells the runner the present calls, before code of the user runs. */
  readonly show: () => void
  /** Whether the search with this number still has to go on; begins the story anew for the runner. */
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
