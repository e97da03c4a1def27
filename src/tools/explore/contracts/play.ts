// A sequence of calls, performed from the start, and watched so that one that hangs can be cut and told.

import type { PartRunner } from '../parts.ts'
import * as calling from './call.ts'
import type { Checks } from './checks.ts'
import type { Machine } from './machine.ts'
import { writeCall } from './story.ts'

export function createWatch(runner: PartRunner | undefined) {
  let at = calling.NO_CALLS
  let isCut = false
  /** The calls that the runner was told last. */
  let shown: calling.Path | undefined
  return {
    /** The calls up to the present one. */
    at: (): calling.Path => at,
    /** A call begins, the last of these; throws if it goes on after it was cut. */
    begin(path: calling.Path): void {
      if (isCut) throw new Error('the run was cut')
      at = path
      runner?.beat?.()
    },
    /** Tells the runner the present calls, before code of the user runs. */
    show(): void {
      if (runner?.onStep === undefined || at.call === undefined) return
      // Mostly one more call, or another one as the last: what follows a step is undone when that is told again.
      const isLastAlone = shown !== undefined && (at.before === shown || at.before === shown.before)
      const calls = isLastAlone ? [at.call] : calling.callsOf(at)
      for (const [index, call] of calls.entries())
        runner.onStep(at.length - calls.length + index, writeCall(call))
      shown = at
    },
    /** The runner has to be told of all calls again. */
    beginStory(): void {
      shown = undefined
    },
    isCut: (): boolean => isCut,
    cut(): void {
      isCut = true
    },
  }
}

export type Played = Awaited<ReturnType<typeof playCalls>>

export interface Playground {
  readonly machine: Machine
  readonly checks: Checks
  readonly watch: ReturnType<typeof createWatch>
  readonly root: calling.Position
}

/** Performs calls up to a failure; with a key, one that has it. */
export async function playCalls(
  { machine, checks, watch, root }: Playground,
  calls: readonly calling.Call[],
  key?: string,
) {
  const known = { has: (other: string) => key !== undefined && other !== key }
  const counted: number[] = []
  const failed: number[] = []
  let [before, after] = [root, root]
  let path = calling.NO_CALLS
  watch.begin(path)
  let broken = await checks.ofPosition(root, known)
  for (const [index, call] of calls.entries()) {
    if (broken !== undefined) break
    path = calling.withCall(path, call)
    watch.begin(path)
    const outcome = await machine.perform(after, call)
    const assertion = outcome && checks.ofCall(call, outcome)
    if (assertion !== undefined && !known.has(assertion.key)) broken = assertion
    const isKept = outcome?.result.outcome === 'success' || outcome?.hasMoved === true
    if (!isKept && broken === undefined) {
      failed.push(index)
      continue
    }
    counted.push(index)
    ;[before, after] = [after, outcome?.position ?? after]
    broken ??= await checks.ofPosition(after, known)
  }
  broken ??= await checks.ofEnd(after, known)
  const reached = machine.coverage.take()
  machine.coverage.forget(reached)
  return {
    broken,
    /** The positions of the calls that count: those that did not fail or have left something, and the one that violated an assertion. */
    counted,
    calls: counted.map((at) => calls[at] as calling.Call),
    failed,
    reached,
    before,
    after,
  }
}
