// Exploring in workers: options, messages, and the part of a worker that was ended. The entry for Node has the threads.

import { decodeOptions, option } from '../../core/emulator/checks.ts'
import { type Hash, utf8ToBytes } from '../../core/primitives/hex.ts'
import { arrayOf, text } from '../../core/rpc/codecs/basic.ts'
import { numberFrom } from '../../core/rpc/codecs/codec.ts'
import type { Step } from './applications/scene.ts'
import { encodeStep } from './applications/story.ts'
import { leastFailures, type ReportedFailure } from './failures.ts'
import { aCorpus } from './kept.ts'
import { kindOf } from './merge.ts'
import { aFunction, fieldsOf, seconds } from './option-names.ts'
import type { Progress } from './part-options.ts'
import { type Keepable, type Part, type PartRunner, readShard } from './parts.ts'
import type { WorkerOptions } from './worker-options.ts'

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

function writeTrail(memory: SharedArrayBuffer) {
  const { header, bytes } = partsOf(memory)
  /** Where each step begins: one that turns out to be impossible is written over. */
  const starts = [0]
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
      const start = starts[index] as number
      const line = lineOf(step, index)
      const end = start + line.length
      const isRoom = end <= TRAIL_BYTES
      if (isRoom) {
        bytes.set(line, start)
        Atomics.store(header, LENGTH, end)
      }
      starts[index + 1] = isRoom ? end : TRAIL_BYTES
      beat()
    },
  }
}

/** The run that a worker is at, and its steps as JSON. */
function readTrail(memory: SharedArrayBuffer) {
  const { header, bytes } = partsOf(memory)
  const text = new TextDecoder().decode(bytes.slice(0, Atomics.load(header, LENGTH)))
  const lines = text.split('\n').slice(0, -1)
  return { run: Atomics.load(header, RUN), steps: lines.map((line) => JSON.parse(line) as unknown) }
}

export type WorkerSettings = ReturnType<typeof settingsOf>

/** Decodes the options of `exploreModule`; throws `invalidOption`. */
export function settingsOf(options: WorkerOptions, mostAtOnce: number) {
  return decodeOptions(() => {
    const fields = fieldsOf('exploreModule', options)
    for (const name of ['report', 'save', 'progress'] as const) option(fields, name, aFunction, undefined)
    option(fields, 'execArgv', arrayOf(text), undefined)
    option(fields, 'corpus', aCorpus, undefined)
    return {
      workers: option(fields, 'workers', numberFrom(1, 1024), mostAtOnce),
      silenceMs: option(fields, 'silenceMs', numberFrom(1, 2 ** 31 - 1), 30_000),
      memoryMb: option(fields, 'memoryMb', numberFrom(16), 1024),
      shard: readShard(fields.shard),
      seconds: option(fields, 'seconds', seconds, undefined),
    }
  })
}

/** The port of a thread, as Node has it. */
interface WorkerPort {
  postMessage(message: WorkerMessage): void
  on(event: 'message', take: (message: WorkerMessage) => void): unknown
  close(): void
}

/** The data that a worker is given. */
export interface WorkerTask {
  readonly url: string
  readonly shard: string
  readonly seconds: number | undefined
  /** The files of the corpus, if there is one. */
  readonly corpus: ReadonlyMap<string, string> | undefined
  readonly trail: SharedArrayBuffer
  /** The run of the least failure so far, of all workers. */
  readonly least: SharedArrayBuffer
  readonly port: WorkerPort
}

/** Sent by a worker while it explores. */
export type WorkerMessage =
  | { readonly part: Part; readonly storySetUp: Hash }
  | { readonly failed: ReportedFailure }
  | { readonly kept: readonly Keepable[] }
  | { readonly progress: Progress }

/** More than the number of any run. */
export const NO_RUN = 2 ** 31 - 1

/** Tells of a part to the process that began the worker. */
export function runnerOf({ trail, least, port, corpus }: WorkerTask): PartRunner {
  const post = (message: WorkerMessage): void => port.postMessage(message)
  const written = writeTrail(trail)
  const bound = new Int32Array(least)
  return {
    begin: (part, storySetUp) => post({ part, storySetUp }),
    onStep: written.addStep,
    beat: written.beat,
    onFailure: (failed) => post({ failed }),
    ...(corpus !== undefined && { onKept: (kept) => post({ kept }) }),
    isNeeded(run) {
      written.beginRun(run)
      return run <= Atomics.load(bound, 0)
    },
  }
}

/** The part of a worker that was ended: what it had found before, or the run that it was at. */
export function partOfEnded(
  { task: { trail }, begin, failures }: Pick<Watched, 'task' | 'begin' | 'failures'>,
  reason: string,
): Part | undefined {
  if (begin === undefined) return undefined
  const { part, storySetUp } = begin
  const found = leastFailures(failures)
  // Where the first failure alone is told, it was shrinking that.
  if (found.some(({ key }) => key === undefined)) return { ...part, failures: found }
  const { run, steps } = readTrail(trail)
  const hung = kindOf(part).tellEnded({ setUp: storySetUp, run, steps }, reason)
  return { ...part, failures: [...found, { ...hung, at: [run] }] }
}

/** The time that a worker may take to load its module and to set up its chain. */
const SET_UP_MS = 120_000

/** A worker as seen by the process that began it, with its messages so far. */
export interface Watched {
  readonly task: WorkerTask
  readonly port: WorkerPort
  readonly controller: AbortController
  begin?: Extract<WorkerMessage, { readonly part: unknown }>
  readonly failures: ReportedFailure[]
  readonly kept: Keepable[]
  progress?: Progress
  beats: number
  changedAt: number
  isSilent: boolean
  isOver: boolean
}

function lower(least: Int32Array, run: number): void {
  while (run < Atomics.load(least, 0)) Atomics.store(least, 0, run)
}

/** Takes the messages of a worker. The first failure ends the runs of others that come after it, if it alone is told. */
export function listen(watched: Watched, least: Int32Array): void {
  watched.port.on('message', (message: WorkerMessage) => {
    if ('part' in message) watched.begin = message
    else if ('progress' in message) watched.progress = message.progress
    else if ('kept' in message) watched.kept.push(...message.kept)
    else {
      const { failed } = message
      watched.failures.push(failed)
      const [run = NO_RUN] = failed.at
      if (failed.key === undefined) lower(least, run)
    }
  })
}

/** Ends workers in which nothing has happened for too long, at a time in milliseconds. */
export function endSilent(
  workers: readonly Watched[],
  { silenceMs }: WorkerSettings,
  least: Int32Array,
  now: number,
): void {
  for (const watched of workers) {
    const beats = Atomics.load(partsOf(watched.task.trail).header, BEATS)
    if (watched.isOver || watched.isSilent) continue
    if (beats !== watched.beats) {
      watched.beats = beats
      watched.changedAt = now
    } else if (now - watched.changedAt > (watched.begin === undefined ? SET_UP_MS : silenceMs)) {
      watched.isSilent = true
      const { run } = readTrail(watched.task.trail)
      if (watched.begin !== undefined) lower(least, run)
      watched.controller.abort()
    }
  }
}
