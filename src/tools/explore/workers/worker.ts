// What a worker tells while it explores a part, and the part of one that was ended. The threads are those of the entry.

import type { Hash } from '../../../core/primitives/hex.ts'
import { wayOf } from '../merge.ts'
import { leastFailures, type Part, type PartRunner, type Progress, type ToldFailure } from '../parts.ts'
import { readTrail, writeTrail } from './trail.ts'

/** What a worker is given. */
export interface Task<Port = { postMessage(message: Message): void }> {
  readonly url: string
  readonly shard: string
  readonly trail: SharedArrayBuffer
  /** The run of the least failure so far, of all workers. */
  readonly least: SharedArrayBuffer
  readonly port: Port
}

/** What a worker tells while it explores. */
export type Message =
  | { readonly part: Part; readonly storySetUp: Hash }
  | { readonly failed: ToldFailure }
  | { readonly progress: Progress }

/** More than the number of any run. */
export const NO_RUN = 2 ** 31 - 1

/** Tells of a part to the process that began the worker. */
export function runnerOf({ trail, least, port }: Task): PartRunner {
  const post = (message: Message): void => port.postMessage(message)
  const written = writeTrail(trail)
  const bound = new Int32Array(least)
  return {
    begin: (part, storySetUp) => post({ part, storySetUp }),
    onStep: written.addStep,
    beat: written.beat,
    onFailure: (failed) => post({ failed }),
    isNeeded(run) {
      written.beginRun(run)
      return run <= Atomics.load(bound, 0)
    },
  }
}

/** What is known of the part of a worker before it is over. */
export interface Heard {
  begin?: Extract<Message, { readonly part: unknown }>
  readonly failures: ToldFailure[]
}

/** The part of a worker that was ended: what it had found before, or the run that it was at. */
export function partOfEnded(
  trail: SharedArrayBuffer,
  { begin, failures }: Heard,
  reason: string,
): Part | undefined {
  if (begin === undefined) return undefined
  const { part, storySetUp } = begin
  const found = leastFailures(failures)
  // Where the first failure alone is told, it was shrinking that.
  if (found.some(({ key }) => key === undefined)) return { ...part, failures: found }
  const { run, steps } = readTrail(trail)
  const { last = 'world', lines, unit, origin, story } = wayOf(part).word({ setUp: storySetUp, run, steps })
  const notice = story === undefined ? 'The story is not saved: JSON cannot hold it' : `The story: ${story}`
  const all = [...lines.map((line) => `▸ ${line}`), '', notice].join('\n')
  const told = `\n\nAfter ${lines.length} ${unit}${lines.length === 1 ? '' : 's'}${origin}:\n\n${all}`
  const hung = { at: [run], kind: 'storyHung', name: last, reason, told } as const
  return { ...part, failures: [...found, story === undefined ? hung : { ...hung, story }] }
}
