// What a worker tells while it explores a part, and the part of one that was ended. The threads are those of the entry.

import type { Hash } from '../primitives/hex.ts'
import type { Step } from './applications/events.ts'
import { describeStep, storyText } from './applications/story.ts'
import type { Part, PartRunner, Progress, ToldFailure } from './parts.ts'
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
  failed?: ToldFailure
}

function nameOf(step: unknown): string {
  return step === null ? 'a step that JSON cannot hold' : describeStep(step as Step)
}

/** The part of a worker that was ended: what it had found before, or the run that it was at. */
export function partOfEnded(
  trail: SharedArrayBuffer,
  { begin, failed }: Heard,
  reason: string,
): Part | undefined {
  if (begin === undefined) return undefined
  if (failed !== undefined) return { ...begin.part, failure: failed }
  const { run, steps } = readTrail(trail)
  const last = steps.at(-1) as Step | null | undefined
  const name = last != null && 'action' in last ? last.action : last === undefined ? 'world' : nameOf(last)
  const kind = 'storyHung'
  const story = steps.includes(null) ? undefined : storyText(begin.storySetUp, { kind, name }, steps)
  const notice = story === undefined ? 'The story is not saved: JSON cannot hold it' : `The story: ${story}`
  const lines = [...steps.map((step) => `▸ ${nameOf(step)}`), '', notice]
  const count = `${steps.length} step${steps.length === 1 ? '' : 's'}`
  const origin = begin.part.way === 'stories' ? ` (run ${run + 1})` : ''
  const told = `\n\nAfter ${count}${origin}:\n\n${lines.join('\n')}`
  const hung = { at: [run], kind, name, reason, told } as const
  return { ...begin.part, failure: story === undefined ? hung : { ...hung, story } }
}
