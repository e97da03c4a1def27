// Recorder of the frames of an execution, as a tree.

import type { FrameEnd, FrameStart, Observer } from './observer.ts'

export interface CallFrame extends FrameStart, FrameEnd {
  /** The frames that it opened, in their order, precompiles and SELFDESTRUCT among them. */
  readonly calls: readonly CallFrame[]
}

export interface FrameRecorder {
  readonly observer: Observer
  /** The frame of the message; only after it has ended. */
  readonly root: () => CallFrame
}

export function recordFrames(): FrameRecorder {
  const open: { readonly start: FrameStart; readonly calls: CallFrame[] }[] = []
  let root: CallFrame | undefined
  return {
    observer: {
      enter: (start) => open.push({ start, calls: [] }),
      exit(end) {
        const { start, calls } = open.pop() as (typeof open)[number]
        const frame = { ...start, ...end, calls }
        const parent = open.at(-1)
        if (parent === undefined) root = frame
        else parent.calls.push(frame)
      },
    },
    root: () => root as CallFrame,
  }
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
