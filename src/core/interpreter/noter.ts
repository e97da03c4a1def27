// Places of opcodes, which the stepping build of the WebAssembly module notes down where an observer needs no more.

import { type Core, createCore, readNumber, refreshViews } from './core.ts'
import type { Frame } from './frame.ts'
import * as layout from './layout.ts'
import type { Observation } from './observation.ts'

export interface Noter {
  /** Continues a frame. */
  readonly resume: (observation: Observation, frame: Frame) => void
  /** Tells of what has been noted. */
  readonly flush: () => void
}

/** Creates a core of the stepping build with its noter. */
export function createNotingCore(): { readonly core: Core; readonly noter: Noter } {
  let observation: Observation
  let frame: Frame | undefined
  let last = 0

  function flush(): void {
    const { noted, places, memory } = core.exports
    if (frame === undefined || noted.value === 0) return
    // Growing linear memory detaches the buffer of the views.
    if (core.numbers.length === 0) refreshViews(core)
    const { place } = observation.observer
    const code = readNumber(core, frame.base + layout.CODE)
    for (const pc of new Uint32Array(memory.buffer, places.value, noted.value)) {
      // An opcode of block or transaction runs again once its result is cached.
      if (pc !== last) place?.(pc - code)
      last = pc
    }
    noted.value = 0
  }

  const core = createCore(flush)
  core.exports.noted.value = 0
  return {
    core,
    noter: {
      flush,
      resume(nextObservation, nextFrame) {
        if (nextFrame !== frame) last = 0
        observation = nextObservation
        frame = nextFrame
      },
    },
  }
}
