// The entry for exploring in Node: workers of one machine, and stories in files. It uses `node:` modules. Its clock and
// timer are for what a terminal shows and for workers that are silent; no result depends on the clock otherwise.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { Piscina } from 'piscina'
import { decodeOptions, option, refuseCall } from './emulator/checks.ts'
import type { ExploreReport, ReplayReport } from './explore/applications/scene.ts'
import type { Explorable } from './explore/applications/stage.ts'
import { saveStory } from './explore/applications/tell.ts'
import { addProgress, formatProgress } from './explore/format-progress.ts'
import { concludePart, joinParts, parsePart } from './explore/merge.ts'
import {
  callModule,
  errorOf,
  nameShard,
  type Part,
  type PartOptions,
  type Progress,
  readShard,
  reportPart,
  type Shard,
  type ToldFailure,
} from './explore/parts.ts'
import { type Replayable, replay } from './explore/replay.ts'
import { beatsOf, createTrail, readTrail } from './explore/trail.ts'
import { type Heard, type Message, NO_RUN, partOfEnded, runnerOf, type Task } from './explore/worker.ts'
import { loadCrypto } from './primitives/crypto.ts'
import { failure, TickchainError } from './primitives/errors.ts'
import { textOf } from './primitives/text-of.ts'
import { arrayOf, asFields, identityCodec, text } from './rpc/codecs/basic.ts'
import { numberFrom } from './rpc/codecs/numbers.ts'

export type { PartOptions, Progress } from './explore/parts.ts'

/** How a module is explored in workers. */
export interface WorkerOptions {
  /** How many workers. Default as many as the machine runs at once. */
  readonly workers?: number
  /** One part of several machines', such as `'2/8'`. Default all. */
  readonly shard?: string
  /** Called in the end with what came of it, as JSON text that `merge` takes with those of other machines. */
  readonly report?: (text: string) => unknown
  /** Called with the shortest story that fails, before the call rejects; `storyFolder` makes one. */
  readonly save?: (story: string, name: string) => unknown
  /** Called about ten times a second. */
  readonly progress?: (progress: Progress, elapsedMs: number) => unknown
  /** Where a line on the progress is kept up, if it is a terminal. Default `process.stderr`. */
  readonly output?: { readonly isTTY?: boolean; write(text: string): unknown }
  /**
   * Real milliseconds after which a worker in which nothing happens is ended: its code loops without waiting. More than
   * `limitMs` of the scene. Default 30,000.
   */
  readonly silenceMs?: number
  /** The most memory of a worker, in megabytes. Default 1,024. */
  readonly memoryMb?: number
  /** Options of Node for the workers, such as a loader of TypeScript. */
  readonly execArgv?: readonly string[]
}

type Settings = Required<Pick<WorkerOptions, 'workers' | 'silenceMs' | 'memoryMb'>> & {
  readonly shard: Shard
}

const OPTION_NAMES = [
  ...(['workers', 'shard', 'report', 'save', 'progress', 'output'] as const),
  ...(['silenceMs', 'memoryMb', 'execArgv'] as const),
]
const aFunction = identityCodec('a function', (value): value is () => unknown => typeof value === 'function')
const TELL_EVERY_MS = 100
/** How long a worker may take to load its module and to set up its chain. */
const SET_UP_MS = 120_000

/**
 * What a worker of `exploreModule` runs.
 *
 * @internal
 */
export async function performPart(
  task: Task<MessagePort>,
): Promise<{ readonly text?: string; readonly thrown?: string }> {
  let text: string | undefined
  let toldAt = Number.NEGATIVE_INFINITY
  const part: PartOptions = {
    shard: task.shard,
    report: (told) => {
      text = told
    },
    progress(progress) {
      const now = performance.now()
      if (now - toldAt < TELL_EVERY_MS) return
      toldAt = now
      task.port.postMessage({ progress } satisfies Message)
    },
    runner: runnerOf(task),
  }
  try {
    const { default: explored } = (await import(task.url)) as { default?: unknown }
    await callModule(explored, part)
  } catch (error) {
    if (text === undefined) return { thrown: textOf(error) }
  }
  return text === undefined ? { thrown: 'it does not explore with the part that it is given' } : { text }
}

/** What is known of a worker. */
interface Watched extends Heard {
  readonly task: Task<MessagePort>
  readonly port: MessagePort
  readonly controller: AbortController
  progress?: Progress
  beats: number
  changedAt: number
  isSilent: boolean
  isOver: boolean
}

function listen(watched: Watched, least: Int32Array): void {
  watched.port.on('message', (message: Message) => {
    if ('part' in message) watched.begin = message
    else if ('progress' in message) watched.progress = message.progress
    else {
      watched.failed = message.failed
      const [run = NO_RUN] = message.failed.at
      while (run < Atomics.load(least, 0)) Atomics.store(least, 0, run)
    }
  })
}

/** Runs the task of a worker; resolves to its part, also if it has to be ended. */
async function runTask(pool: Piscina, watched: Watched, { silenceMs }: Settings): Promise<Part> {
  const { task, controller } = watched
  try {
    const options = { signal: controller.signal, transferList: [task.port] }
    const { text, thrown } = await pool.run(task, options)
    if (thrown !== undefined) throw failure('callbackFailed', { callback: task.url, reason: thrown })
    return parsePart(text)
  } catch (error) {
    if (error instanceof TickchainError) throw error
    // What it has told before it ended arrives first.
    await setImmediate()
    const ended = partOfEnded(
      task.trail,
      watched,
      watched.isSilent
        ? `nothing has happened for ${silenceMs} ms, and its worker was ended`
        : `its worker has ended: ${textOf(error)}`,
    )
    if (ended !== undefined) return ended
    throw failure('callbackFailed', { callback: task.url, reason: textOf(error) })
  }
}

/** Ends workers in which nothing happens. */
function endSilent(workers: readonly Watched[], { silenceMs }: Settings, least: Int32Array): void {
  const now = performance.now()
  for (const watched of workers) {
    const beats = beatsOf(watched.task.trail)
    if (watched.isOver || watched.isSilent) continue
    if (beats !== watched.beats) {
      watched.beats = beats
      watched.changedAt = now
    } else if (now - watched.changedAt > (watched.begin === undefined ? SET_UP_MS : silenceMs)) {
      watched.isSilent = true
      const { run } = readTrail(watched.task.trail)
      if (watched.begin !== undefined && run < Atomics.load(least, 0)) Atomics.store(least, 0, run)
      watched.controller.abort()
    }
  }
}

function settingsOf(options: WorkerOptions): Settings {
  return decodeOptions(() => {
    const fields = asFields(options, '', OPTION_NAMES)
    for (const name of ['report', 'save', 'progress'] as const) option(fields, name, aFunction, undefined)
    option(fields, 'execArgv', arrayOf(text), undefined)
    return {
      workers: option(fields, 'workers', numberFrom(1, 1024), availableParallelism()),
      silenceMs: option(fields, 'silenceMs', numberFrom(1, 2 ** 31 - 1), 30_000),
      memoryMb: option(fields, 'memoryMb', numberFrom(16), 1024),
      shard: readShard(fields.shard),
    }
  })
}

/** The tasks of all workers: each has its share of the shard of this machine. */
function createTasks(url: string, { workers, shard }: Settings, least: Int32Array): Watched[] {
  return Array.from({ length: workers }, (_, index) => {
    const { port1, port2 } = new MessageChannel()
    const own = nameShard({ index: shard.index + shard.of * index, of: shard.of * workers })
    const shared = { trail: createTrail(), least: least.buffer as SharedArrayBuffer }
    const watched: Watched = {
      ...{
        task: { url, shard: own, port: port2, ...shared },
        port: port1,
        controller: new AbortController(),
      },
      ...{ beats: 0, changedAt: performance.now(), isSilent: false, isOver: false },
    }
    listen(watched, least)
    return watched
  })
}

/** Tells of the progress of all workers, until the function that it returns is called, which returns what was thrown. */
function followProgress(workers: readonly Watched[], { progress, output = process.stderr }: WorkerOptions) {
  const beganAt = performance.now()
  let thrown: TickchainError | undefined
  const tell = (): void => {
    const sum = addProgress(workers.flatMap((watched) => watched.progress ?? []))
    const elapsedMs = performance.now() - beganAt
    try {
      if (thrown === undefined) progress?.(sum, elapsedMs)
    } catch (error) {
      // A timer has nobody to throw to.
      thrown = failure('callbackFailed', { callback: 'progress', reason: textOf(error) })
    }
    if (output.isTTY === true) output.write(`\r\u001b[K${formatProgress(sum, elapsedMs)}`)
  }
  const timer = setInterval(tell, TELL_EVERY_MS)
  let isOver = false
  return () => {
    if (isOver) return thrown
    isOver = true
    clearInterval(timer)
    tell()
    if (output.isTTY === true) output.write('\n')
    return thrown
  }
}

/** Explores in all workers; resolves to their parts. If one cannot explore, the others make no more runs. */
async function exploreInPool(
  pool: Piscina,
  workers: readonly Watched[],
  settings: Settings,
  least: Int32Array,
): Promise<Part[]> {
  const parts = workers.map(async (watched) => {
    try {
      return await runTask(pool, watched, settings)
    } catch (error) {
      Atomics.store(least, 0, -1)
      throw error
    } finally {
      watched.isOver = true
    }
  })
  // Node 20 aborts the process if a worker is ended while it loads its modules.
  await Promise.allSettled(parts)
  return Promise.all(parts)
}

/** Saves the story of a failure; what comes of it is told with the failure. */
async function saveFailure({ save }: WorkerOptions, failed: ToldFailure): Promise<ToldFailure> {
  const { story } = failed
  if (story === undefined || save === undefined) return failed
  const [notice] = await saveStory(save, failed, story)
  return notice === undefined ? failed : { ...failed, told: `${failed.told}\n${notice}` }
}

/**
 * Explores in several workers, each of which takes a share of the runs. The report, or the failure that is thrown, is
 * that of one process, whatever the number of workers. It needs piscina.
 *
 * @param module A path, from the working directory, or a URL of a module for Node. Its default export takes a part and
 *   explores with it: `(part) => explore(chain, { ...options, ...part })`, or `exploreAll`.
 * @param options How many workers there are, and what they may take.
 * @throws TickchainError `invariantBroken`, `actionThrew` or `storyHung`, with the story in its field story; `storyHung` as well
 *   for a worker that loops without waiting, that has no memory left, or that ends; `callbackFailed` for a module that
 *   throws before it explores, and for callbacks that throw; `invalidOption`, `invalidCall`
 * @see docs/explore.md
 * @example
 * const save = storyFolder('test/stories')
 * const exploring = () => exploreModule('test/balance.story.js', { workers: 2, save })
 * typeof exploring // => 'function'
 */
export async function exploreModule<Report = ExploreReport>(
  module: string | URL,
  options: WorkerOptions = {},
): Promise<Report> {
  const settings = settingsOf(options)
  if (typeof module !== 'string' && !(module instanceof URL))
    refuseCall('exploreModule', 'the path or URL of a module', module)
  const url = typeof module === 'string' ? pathToFileURL(resolve(module)) : module
  const { Piscina } = await import('piscina')
  // Names of stories are digests.
  await loadCrypto()
  const pool = new Piscina({
    ...{ filename: fileURLToPath(import.meta.url), name: 'performPart' },
    ...{ minThreads: settings.workers, maxThreads: settings.workers },
    resourceLimits: { maxOldGenerationSizeMb: settings.memoryMb },
    ...(options.execArgv === undefined ? {} : { execArgv: [...options.execArgv] }),
  })
  const least = new Int32Array(new SharedArrayBuffer(4)).fill(NO_RUN)
  const workers = createTasks(url.href, settings, least)
  const endProgress = followProgress(workers, options)
  const watch = setInterval(() => endSilent(workers, settings, least), Math.ceil(settings.silenceMs / 4))
  try {
    const joined = joinParts(await exploreInPool(pool, workers, settings, least))
    const failed = joined.failure && (await saveFailure(options, joined.failure))
    const part = { ...joined, shards: [nameShard(settings.shard)], ...(failed && { failure: failed }) }
    const error = failed && errorOf(failed)
    await reportPart(options, part, error)
    if (error !== undefined) throw error
    const thrown = endProgress()
    if (thrown !== undefined) throw thrown
    return concludePart(part)
  } finally {
    endProgress()
    clearInterval(watch)
    await pool.destroy()
    for (const { port } of workers) port.close()
  }
}

/**
 * An option `save` that writes stories to files.
 *
 * @param folder The folder; it is made with the first story.
 * @example
 * typeof storyFolder('test/stories') // => 'function'
 */
export function storyFolder(folder: string): (story: string, name: string) => Promise<string> {
  return async (story, name) => {
    const path = join(folder, `${name.replaceAll(/[^\w.-]+/g, '-')}.json`)
    await mkdir(folder, { recursive: true })
    await writeFile(path, `${story}\n`)
    return path
  }
}

/**
 * Performs a story of a file, as `replay` does: the regression test of a failure.
 *
 * @param chain An emulator or a pair, set up as it was.
 * @param scene The application or the contracts; the options with which they were explored will do.
 * @param path The file.
 * @throws TickchainError `invariantBroken`, `actionThrew` or `storyHung` if it still fails; `invalidStory` for a story of
 *   another version or set-up, or a file that cannot be read; `invalidOption`, `invalidCall`
 * @see docs/explore.md
 * @example
 * await replayFile(chain, { run: {}, invariants: {} }, 'test/stories/none.json') // throws invalidStory
 */
export async function replayFile<
  Chain extends Explorable,
  Values extends Record<string, unknown>,
  World = { readonly chain: Chain },
>(chain: Chain, scene: Replayable<Chain, World, Values>, path: string | URL): Promise<ReplayReport> {
  let story: string
  try {
    story = await readFile(path, 'utf8')
  } catch (error) {
    throw failure('invalidStory', { reason: textOf(error) })
  }
  return replay(chain, scene, story)
}
