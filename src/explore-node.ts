// The entry for exploring in Node: workers of one machine, and stories in files. It uses `node:` modules. Its clock and
// timer are for what a terminal shows and for workers that are silent; no result depends on the clock otherwise.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { Piscina } from 'piscina'
import { refuseCall } from './core/emulator/checks.ts'
import { loadCrypto } from './core/primitives/crypto.ts'
import { failure, TickchainError } from './core/primitives/errors.ts'
import { describe, textOf } from './core/primitives/text-of.ts'
import type { ExploreReport, ReplayReport } from './tools/explore/applications/scene.ts'
import type { Explorable } from './tools/explore/applications/stage.ts'
import { type CausedFailure, saveFailure } from './tools/explore/failures.ts'
import { addProgress, formatProgress } from './tools/explore/format-progress.ts'
import { loadFiles, saveKept } from './tools/explore/kept.ts'
import { joinParts, kindOf, parsePart } from './tools/explore/merge.ts'
import type { CorpusOptions, CorpusStore, PartOptions } from './tools/explore/part-options.ts'
import { endPart, nameShard, type Part } from './tools/explore/parts.ts'
import { type Replayable, replay } from './tools/explore/replay.ts'
import type { WorkerOptions } from './tools/explore/worker-options.ts'
import * as threads from './tools/explore/workers.ts'

export type { CorpusOptions, CorpusStore, PartOptions, Progress } from './tools/explore/part-options.ts'
export type { WorkerOptions } from './tools/explore/worker-options.ts'

const TELL_EVERY_MS = 100
/** Characters of a story's file, without what it ends in. */
const MOST_NAME = 200

/**
 * Runs a task of `exploreModule` in a worker.
 *
 * @internal
 */
export async function performPart(
  task: threads.WorkerTask,
): Promise<{ readonly text?: string; readonly thrown?: string }> {
  let text: string | undefined
  let toldAt = Number.NEGATIVE_INFINITY
  const { corpus } = task
  const part: PartOptions & CorpusOptions = {
    shard: task.shard,
    ...(task.seconds !== undefined && { seconds: task.seconds }),
    report: (told) => {
      text = told
    },
    progress(progress) {
      const now = performance.now()
      if (now - toldAt < TELL_EVERY_MS) return
      toldAt = now
      task.port.postMessage({ progress } satisfies threads.WorkerMessage)
    },
    ...(corpus !== undefined && { corpus: { load: () => corpus, save: () => undefined } }),
    runner: threads.runnerOf(task),
  }
  try {
    const { default: explored } = (await import(task.url)) as { default?: unknown }
    if (typeof explored !== 'function')
      throw new TypeError(`its default export is to be a function that explores, got ${describe(explored)}`)
    await explored(part)
    // What nothing awaits comes up while the task still goes on.
    await setImmediate()
  } catch (error) {
    // A failure is in the part that was reported before it was thrown.
    if (text === undefined || parsePart(text).failures.length === 0) return { thrown: textOf(error) }
  }
  return text === undefined ? { thrown: 'it does not explore with the part that it is given' } : { text }
}

/** Runs the task of a worker; resolves to its part, also if it has to be ended. */
async function runTask(
  pool: Piscina,
  watched: threads.Watched,
  { silenceMs }: threads.WorkerSettings,
): Promise<Part> {
  const { task, controller } = watched
  try {
    const options = { signal: controller.signal, transferList: [task.port as MessagePort] }
    const { text, thrown } = await pool.run(task, options)
    if (thrown !== undefined) throw failure('callbackFailed', { callback: task.url, reason: thrown })
    return parsePart(text)
  } catch (error) {
    if (error instanceof TickchainError) throw error
    // What it has told before it ended arrives first.
    await setImmediate()
    const reason = watched.isSilent
      ? `nothing has happened for ${silenceMs} ms, and its worker was ended`
      : `its worker has ended: ${textOf(error)}`
    const ended = threads.partOfEnded(watched, reason)
    if (ended !== undefined) return ended
    throw failure('callbackFailed', { callback: task.url, reason: textOf(error) })
  }
}

/** The tasks of all workers: each has its share of the shard of this machine. */
function createTasks(
  url: string,
  { workers, shard, seconds }: threads.WorkerSettings,
  least: Int32Array,
  corpus: threads.WorkerTask['corpus'],
): threads.Watched[] {
  return Array.from({ length: workers }, (_, index) => {
    const { port1, port2 } = new MessageChannel()
    const own = nameShard({ index: shard.index + shard.of * index, of: shard.of * workers })
    const shared = { trail: threads.createTrail(), least: least.buffer as SharedArrayBuffer }
    const watched: threads.Watched = {
      task: { url, shard: own, seconds, corpus, port: port2, ...shared },
      port: port1,
      controller: new AbortController(),
      failures: [],
      kept: [],
      beats: 0,
      changedAt: performance.now(),
      isSilent: false,
      isOver: false,
    }
    threads.listen(watched, least)
    return watched
  })
}

/** Tells of the progress of all workers, until the function that it returns is called, which returns what was thrown. */
function followProgress(
  workers: readonly threads.Watched[],
  { progress, output = process.stderr }: WorkerOptions,
) {
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
    if (!isOver) {
      clearInterval(timer)
      tell()
      if (output.isTTY === true) output.write('\n')
    }
    isOver = true
    return thrown
  }
}

/** Explores in all workers; resolves to their parts. If one cannot explore, the others make no more runs. */
async function exploreInPool(
  pool: Piscina,
  workers: readonly threads.Watched[],
  settings: threads.WorkerSettings,
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

async function loadPiscina() {
  try {
    return await import('piscina')
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const reason = 'the package piscina, version 5, is not installed: npm install --save-dev piscina@5'
    throw failure('invalidCall', { call: 'exploreModule', reason })
  }
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
  const settings = threads.settingsOf(options, availableParallelism())
  if (typeof module !== 'string' && !(module instanceof URL))
    refuseCall('exploreModule', 'the path or URL of a module', module)
  const url = typeof module === 'string' ? pathToFileURL(resolve(module)) : module
  const { corpus } = options
  const files = corpus && new Map(await loadFiles(corpus))
  const { Piscina } = await loadPiscina()
  // Names of stories are digests.
  await loadCrypto()
  const pool = new Piscina({
    filename: fileURLToPath(import.meta.url),
    name: 'performPart',
    minThreads: settings.workers,
    maxThreads: settings.workers,
    resourceLimits: { maxOldGenerationSizeMb: settings.memoryMb },
    ...(options.execArgv === undefined ? {} : { execArgv: [...options.execArgv] }),
  })
  const least = new Int32Array(new SharedArrayBuffer(4)).fill(threads.NO_RUN)
  let stray: TickchainError | undefined
  pool.on('error', (error) => {
    stray ??= failure('callbackFailed', { callback: url.href, reason: textOf(error) })
  })
  const workers = createTasks(url.href, settings, least, files)
  const endProgress = followProgress(workers, options)
  const watch = setInterval(
    () => threads.endSilent(workers, settings, least, performance.now()),
    Math.ceil(settings.silenceMs / 4),
  )
  try {
    const joined = joinParts(await exploreInPool(pool, workers, settings, least))
    await saveKept(
      { corpus, runner: undefined },
      workers.flatMap(({ kept }) => kept),
    )
    const { nameOf, report } = kindOf(joined)
    const failures: CausedFailure[] = []
    for (const each of joined.failures)
      failures.push([await saveFailure(options.save, each, nameOf), undefined])
    await endPart(options.report, { ...joined, shards: [nameShard(settings.shard)] }, failures)
    const thrown = endProgress() ?? stray
    if (thrown !== undefined) throw thrown
    return report(joined.counts) as Report
  } finally {
    endProgress()
    clearInterval(watch)
    await pool.destroy()
    for (const { port } of workers) port.close()
  }
}

/** A file for a text of this name. */
function fileOf(name: string): string {
  const safe = `${name}`.replaceAll(/[^\w.-]+/g, '-')
  // File systems take names of up to 255 bytes; the end tells stories apart.
  const short = safe.length > MOST_NAME ? `${safe.slice(0, MOST_NAME - 20)}-${safe.slice(-19)}` : safe
  return `${short}.json`
}

/**
 * An option `save` that writes stories to files.
 *
 * @param folder The folder; it is made with the first story.
 * @throws TickchainError `invalidCall`
 * @example
 * typeof storyFolder('test/stories') // => 'function'
 */
export function storyFolder(folder: string): (story: string, name: string) => Promise<string> {
  if (typeof folder !== 'string') refuseCall('storyFolder', 'the path of a folder', folder)
  return async (story, name) => {
    const path = join(folder, fileOf(name))
    await mkdir(folder, { recursive: true })
    await writeFile(path, `${story}\n`)
    return path
  }
}

/**
 * An option `corpus` that is a folder, of which each sequence is a file with a name that follows from its content: folders of
 * several machines are merged by copying them into one.
 *
 * @param folder The folder; it is made in the end, if it is not there.
 * @throws TickchainError `invalidCall`
 * @see docs/explore.md
 * @example
 * const files = await corpusFolder('test/no-corpus').load()
 * files.size // => 0
 */
export function corpusFolder(folder: string): CorpusStore {
  if (typeof folder !== 'string') refuseCall('corpusFolder', 'the path of a folder', folder)
  const namesIn = async (): Promise<string[]> =>
    (await readdir(folder)).flatMap((file) => (file.endsWith('.json') ? file.slice(0, -5) : []))
  return {
    async load() {
      const names = await namesIn().catch((error: { readonly code?: unknown }) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      const texts = names.map(
        async (name) => [name, await readFile(join(folder, `${name}.json`), 'utf8')] as const,
      )
      return new Map(await Promise.all(texts))
    },
    async save(kept, dropped) {
      await mkdir(folder, { recursive: true })
      const present = await namesIn()
      for (const [name, text] of kept)
        if (!present.includes(name)) await writeFile(join(folder, fileOf(name)), `${text}\n`)
      for (const name of dropped) await rm(join(folder, `${name}.json`), { force: true })
    },
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
  if (typeof path !== 'string' && !(path instanceof URL))
    refuseCall('replayFile', 'the path or URL of a file', path)
  let story: string
  try {
    story = await readFile(path, 'utf8')
  } catch (error) {
    throw failure('invalidStory', { reason: textOf(error) })
  }
  return replay(chain, scene, story)
}
