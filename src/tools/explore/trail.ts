// The steps of the run that a worker is at, in memory that it shares: of a worker whose code never waits, nothing else
// can be read.

import { utf8ToBytes } from '../../core/primitives/hex.ts'
import type { Step } from './applications/events.ts'
import { encodeStep } from './applications/story.ts'

/** Room for the steps of a run; what does not fit is left out. */
const TRAIL_BYTES = 1 << 18
/** Numbers before the steps: how often something has happened, the number of the run, and the bytes of the steps. */
const BEATS = 0
const RUN = 1
const LENGTH = 2
const HEADER_BYTES = 12

export function createTrail(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEADER_BYTES + TRAIL_BYTES)
}

function partsOf(memory: SharedArrayBuffer) {
  return { header: new Int32Array(memory, 0, HEADER_BYTES / 4), bytes: new Uint8Array(memory, HEADER_BYTES) }
}

/** A step as a line; of one that JSON cannot hold, nothing. */
function lineOf(step: object, index: number): Uint8Array {
  try {
    const json = 'call' in step ? step : encodeStep(step as Step, index)
    return utf8ToBytes(`${JSON.stringify(json)}\n`)
  } catch {
    return utf8ToBytes('null\n')
  }
}

/** For the worker. */
export function writeTrail(memory: SharedArrayBuffer) {
  const { header, bytes } = partsOf(memory)
  /** Where each step begins: one that turns out to be impossible is written over. */
  const starts: number[] = []
  const beat = (): void => {
    Atomics.add(header, BEATS, 1)
  }
  return {
    beat,
    beginRun(run: number): void {
      Atomics.store(header, RUN, run)
      Atomics.store(header, LENGTH, 0)
      beat()
    },
    addStep(index: number, step: object): void {
      const start = index === 0 ? 0 : (starts[index] ?? Atomics.load(header, LENGTH))
      const line = lineOf(step, index)
      starts.length = index
      starts.push(start)
      const isRoom = start + line.length <= TRAIL_BYTES
      if (isRoom) {
        bytes.set(line, start)
        Atomics.store(header, LENGTH, start + line.length)
      }
      starts.push(isRoom ? start + line.length : TRAIL_BYTES)
      beat()
    },
  }
}

export function beatsOf(memory: SharedArrayBuffer): number {
  return Atomics.load(partsOf(memory).header, BEATS)
}

/** The run that a worker is at, and its steps as JSON. */
export function readTrail(memory: SharedArrayBuffer): {
  readonly run: number
  readonly steps: readonly unknown[]
} {
  const { header, bytes } = partsOf(memory)
  const text = new TextDecoder().decode(bytes.slice(0, Atomics.load(header, LENGTH)))
  const lines = text.split('\n').slice(0, -1)
  return { run: Atomics.load(header, RUN), steps: lines.map((line) => JSON.parse(line) as unknown) }
}
