// The tree of the frames of an execution, and the frames of a tree as a list. Bytes that the traces of one request may
// hold.

import { EMPTY_BYTES } from '../../primitives/hex.ts'
import type { FrameEnd, FrameStart, ObservedLog, Observer } from './observer.ts'

export interface TraceBudget {
  readonly mostBytes: number
  /** Takes bytes, if so many are left; once they are not, it takes none any more. */
  readonly take: (bytes: number) => boolean
  readonly isExceeded: () => boolean
}

export function createBudget(mostBytes: number): TraceBudget {
  let left = mostBytes
  return {
    mostBytes,
    take(bytes) {
      left = left < 0 ? left : left - bytes
      return left >= 0
    },
    isExceeded: () => left < 0,
  }
}

export interface FrameLog extends ObservedLog {
  /** The number of calls that the frame had made before. */
  readonly position: number
  /** The number of logs of the execution in effect before: a frame that fails gives its indices back. */
  readonly index: number
}

/** A frame that has ended. */
export interface CallFrame extends FrameStart, FrameEnd {
  readonly calls: readonly CallFrame[]
  /** Also those of a frame that failed. */
  readonly logs: readonly FrameLog[]
}

export interface FrameRecorder {
  readonly observer: Observer
  /** The frame of the transaction or call; only after the execution. */
  readonly root: () => CallFrame
}

/** A frame takes about this, besides input, output and logs. */
const FRAME_BYTES = 300
const LOG_BYTES = 100
const TOPIC_BYTES = 32

interface OpenFrame {
  readonly start: FrameStart
  readonly calls: CallFrame[]
  readonly logs: FrameLog[]
}

/** Records frames; beyond the budget they have no data. */
export function recordFrames(
  { frames, logs }: { readonly frames: 'all' | 'top'; readonly logs: 'recorded' | 'ignored' },
  budget: TraceBudget,
): FrameRecorder {
  const open: OpenFrame[] = []
  let root: CallFrame | undefined
  let logCount = 0
  /** For each frame that runs, recorded or not, the logs before it. */
  const logsBefore: number[] = []
  const isRecorded = (): boolean => frames === 'all' || logsBefore.length === 1

  function log(observed: ObservedLog): void {
    const index = logCount++
    const frame = open.at(-1)
    if (frame === undefined || !isRecorded()) return
    if (budget.take(LOG_BYTES + TOPIC_BYTES * observed.topics.length + observed.data.length))
      frame.logs.push({ ...observed, position: frame.calls.length, index })
  }

  const observer: Observer = {
    enter(start) {
      logsBefore.push(logCount)
      if (!isRecorded()) return
      const isKept = budget.take(FRAME_BYTES + start.input.length)
      open.push({ start: isKept ? start : { ...start, input: EMPTY_BYTES }, calls: [], logs: [] })
    },
    exit(end) {
      if (end.error !== undefined) logCount = logsBefore.at(-1) as number
      if (isRecorded()) {
        const { start, calls, logs } = open.pop() as OpenFrame
        const output = budget.take(end.output.length) ? end.output : EMPTY_BYTES
        const frame: CallFrame = { ...start, ...end, output, calls, logs }
        const parent = open.at(-1)
        if (parent === undefined) root = frame
        else parent.calls.push(frame)
      }
      logsBefore.pop()
    },
    log: logs === 'recorded' ? log : undefined,
  }
  return { observer, root: () => root as CallFrame }
}

/** A frame with its position: the place of each ancestor's child on the way to it, empty for the root. */
export interface LocatedFrame {
  readonly frame: CallFrame
  readonly path: readonly number[]
}

/** A frame and those below it that pass, in the order in which they began; what does not pass has no place. */
export function listFrames(root: CallFrame, passes: (frame: CallFrame) => boolean): readonly LocatedFrame[] {
  const listed: LocatedFrame[] = []
  const visit = (frame: CallFrame, path: readonly number[]): void => {
    listed.push({ frame, path })
    let place = 0
    for (const call of frame.calls) if (passes(call)) visit(call, [...path, place++])
  }
  visit(root, [])
  return listed
}
