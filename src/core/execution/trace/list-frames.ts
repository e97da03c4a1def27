// The frames of a tree as a list.

import type { CallFrame } from './call-frames.ts'

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
