// Solidity tests in worker threads, and the files of projects, their snapshots and their cheatcodes: a part of
// `tickchain/solidity-tests`. It uses `node:` modules; nobody else imports it.

import * as fs from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { failure } from './core/primitives/errors.ts'
import { textOf } from './core/primitives/text-of.ts'
// Recordings may be paths.
import './recording.ts'
import type { CheatFiles } from './tools/cheatcodes/setting.ts'
import { snapshotFile } from './tools/explore/tests/gas-snapshots.ts'
import type { SolidityTestResult, TestOptions } from './tools/explore/tests/options.ts'
import { memoryCache, type ProjectCache } from './tools/explore/tests/project.ts'
import type { ProjectFiles } from './tools/explore/tests/remappings.ts'
import { chooseSuites, runFiles, type TestProject } from './tools/explore/tests/run-tests.ts'
import type { ProjectSettings } from './tools/explore/tests/settings.ts'
import { parseObject } from './tools/solidity/artifacts/json.ts'
import { httpUpstream } from './upstream.ts'

/** The files of cheatcodes, which the project's `fs_permissions` grant. */
const FILES: CheatFiles = {
  read: (path) => new Uint8Array(fs.readFileSync(path)),
  write: (path, data, isAppended) => (isAppended ? fs.appendFileSync : fs.writeFileSync)(path, data),
  remove(path, isRecursive) {
    if (fs.lstatSync(path).isDirectory() && !isRecursive) fs.rmdirSync(path)
    else fs.rmSync(path, { recursive: isRecursive })
  },
  createDirectory: (path, isRecursive) => void fs.mkdirSync(path, { recursive: isRecursive }),
  list: (path) => fs.readdirSync(path),
  look(path, followsLinks) {
    const facts = (followsLinks ? fs.statSync : fs.lstatSync)(path, { throwIfNoEntry: false })
    if (facts === undefined) return undefined
    const { size: length, mtimeMs, atimeMs, birthtimeMs } = facts
    return {
      isDirectory: facts.isDirectory(),
      isLink: facts.isSymbolicLink(),
      length,
      isReadOnly: (facts.mode & 0o222) === 0,
      times: [mtimeMs / 1000, atimeMs / 1000, birthtimeMs / 1000],
    }
  },
  readLink: (path) => fs.readlinkSync(path),
}

/** Files and nodes that cheatcodes reach. */
export const OUTSIDE = { files: FILES, connect: httpUpstream }

/** Writes what the tests have noted, as forge does; of a choice of the tests, beside what is there. */
export function writeSnapshots(
  folder: string,
  { match }: TestOptions,
  settings: ProjectSettings,
  results: readonly SolidityTestResult[],
) {
  const groups = new Map<string, Record<string, unknown>>()
  for (const { snapshots = {} } of results)
    for (const [group, values] of Object.entries(snapshots))
      groups.set(group, Object.assign(groups.get(group) ?? {}, values))
  if (groups.size > 0) fs.mkdirSync(join(folder, settings.snapshots), { recursive: true })
  for (const [group, values] of groups) {
    const file = join(folder, snapshotFile(settings, group))
    const before = match === undefined ? {} : parseObject(textOfFile(file) ?? '')
    const all = Object.entries({ ...before, ...values }).sort(([a], [b]) => (a < b ? -1 : 1))
    fs.writeFileSync(file, JSON.stringify(Object.fromEntries(all), null, 2))
  }
}

/** The file that a compilation names: one of the project, or of a package in Hardhat's words; `undefined` if it is not there. */
export function fileOfSource(folder: string, source: string): string | undefined {
  const candidates = [source, source.replace(/^npm\/((?:@[^/]+\/)?[^/@]+)(?:@[^/]*)?\//, 'node_modules/$1/')]
  return candidates.map((each) => resolve(folder, each)).find((each) => fs.existsSync(each))
}

export function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}

/** Folders in which no sources of a project are. */
const PASSED_OVER = /(^|\/)(node_modules|\.[^/]+)(\/|$)/

export function filesBelow(root: string, folder: string, end: string): string[] {
  const isFolder = (entry: fs.Dirent, name: string): boolean =>
    entry.isDirectory() || (entry.isSymbolicLink() && fs.statSync(join(root, name)).isDirectory())
  const below = (at: string): string[] =>
    fs.readdirSync(join(root, at), { withFileTypes: true }).flatMap((entry) => {
      const name = at === '' ? entry.name : `${at}/${entry.name}`
      if (PASSED_OVER.test(name)) return []
      if (isFolder(entry, name)) return below(name)
      return name.endsWith(end) ? [name] : []
    })
  return fs.existsSync(join(root, folder)) ? below(slashed(relative(root, join(root, folder)))).sort() : []
}

export function textOfFile(path: string): string | undefined {
  const isFile = fs.statSync(path, { throwIfNoEntry: false })?.isFile() === true
  return isFile ? fs.readFileSync(path, 'utf8') : undefined
}

/** What a project keeps from run to run. */
export function cacheOf(
  root: string,
  { cache_path }: Pick<ProjectSettings, 'cache_path'>,
  { cache }: { readonly cache?: boolean | string },
): ProjectCache {
  if (cache === false) return memoryCache()
  const folder = resolve(root, typeof cache === 'string' ? cache : join(cache_path, 'tickchain'))
  return {
    has: (name) => fs.existsSync(join(folder, name)),
    remove: (name) => fs.rmSync(join(folder, name), { force: true }),
    read(name) {
      try {
        return JSON.parse(fs.readFileSync(join(folder, name), 'utf8'))
      } catch {
        // A file that is not there, or was cut off, is made again.
        return undefined
      }
    },
    write(name, json) {
      fs.mkdirSync(folder, { recursive: true })
      fs.writeFileSync(join(folder, name), json)
    },
  }
}

export function filesOf(root: string): ProjectFiles {
  return {
    text: (path) => textOfFile(join(root, path)),
    folder(path) {
      const at = join(root, path)
      if (!fs.existsSync(at) || !fs.statSync(at).isDirectory()) return undefined
      const entries = fs.readdirSync(at, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
      // Libraries may be links; one to a folder around it would lead round for ever.
      const isFolder = (entry: fs.Dirent): boolean => {
        if (!entry.isSymbolicLink()) return entry.isDirectory()
        const link = join(at, entry.name)
        if (fs.statSync(link, { throwIfNoEntry: false })?.isDirectory() !== true) return false
        return !`${fs.realpathSync(at)}${sep}`.startsWith(`${fs.realpathSync(link)}${sep}`)
      }
      return {
        folders: entries.filter(isFolder).map(({ name }) => name),
        hasSources: entries.some((entry) => entry.isFile() && entry.name.endsWith('.sol')),
      }
    },
  }
}

/** The data of a worker. */
interface Share {
  readonly project: Omit<TestProject, 'explained' | 'others' | 'files' | 'connect' | 'isTestFile'>
  readonly options: TestOptions
  /** Test files, and in shared memory the number of the next one that nobody has taken. */
  readonly names: readonly string[]
  readonly next: Int32Array
}

/** Sent by a worker: a file that it begins or has ended, a wish for what traces need, or that it cannot go on. */
type ShareMessage =
  | { readonly begun: string }
  | { readonly file: string; readonly results: readonly SolidityTestResult[] }
  | 'explain'
  | 'refused'

/** Runs test files in a worker, as long as there are some. */
export async function performShare(): Promise<void> {
  const port = parentPort as NonNullable<typeof parentPort>
  const { project, options, names, next } = workerData as Share
  const post = (message: ShareMessage): void => port.postMessage(message)
  const explained = () =>
    new Promise((resolve) => {
      port.once('message', resolve)
      post('explain')
    })
  const take = (): string | undefined => {
    const file = names[Atomics.add(next, 0, 1)]
    if (file !== undefined) post({ begun: file })
    return file
  }
  const own = { ...project, ...OUTSIDE, explained, isTestFile: (file: string) => names.includes(file) }
  try {
    await runFiles(own, options, take, (file, results) => post({ file, results }))
  } catch {
    // The process meets the same error, and tells of it.
    post('refused')
  }
}

/** The results of a file as soon as they are there; `undefined` for one that no worker has run. */
class Ended {
  readonly results: Promise<readonly SolidityTestResult[] | undefined>
  settle!: (results: readonly SolidityTestResult[] | undefined) => void

  constructor() {
    this.results = new Promise((resolve) => {
      this.settle = resolve
    })
  }
}

/** Begins a worker of the entry. Resolves when it has ended. */
function beginWorker(
  entry: string,
  share: Share,
  explained: TestProject['explained'],
  ended: ReadonlyMap<string, Ended>,
): Promise<void> {
  const code = `import("${entry}").then((loaded) => loaded.runShare())`
  const worker = new Worker(code, { eval: true, workerData: share })
  let begun = ''
  let isRefused = false
  let thrown = 'it stopped'
  worker.on('message', (message: ShareMessage) => {
    if (message === 'explain') worker.postMessage(explained())
    else if (message === 'refused') isRefused = true
    else if ('begun' in message) begun = message.begun
    else ended.get(message.file)?.settle(message.results)
  })
  worker.on('error', (error) => {
    thrown = textOf(error)
  })
  return new Promise((resolve) => {
    worker.on('exit', () => {
      const reason = `its worker has ended: ${thrown}`
      const failed = { file: begun, contract: '', test: '', status: 'failed', reason, logs: [] } as const
      // Of a file that has ended, this is not heard.
      if (!isRefused) ended.get(begun)?.settle([failed])
      resolve()
    })
  })
}

function beginWorkers(count: number, ...given: Parameters<typeof beginWorker>): Promise<void>[] {
  try {
    return Array.from({ length: count }, () => beginWorker(...given))
  } catch (error) {
    const reason = `an option cannot be sent to a worker: ${textOf((error as Error).message)}`
    throw failure('invalidOption', { option: 'workers', reason })
  }
}

/** Runs the tests of a project in workers, and tells of results in the order of one thread. */
export async function runInWorkers(
  entry: string,
  project: TestProject,
  options: TestOptions,
  workers: number,
  tell: (result: SolidityTestResult) => void,
): Promise<void> {
  const { explained, others = () => [], files: _, connect: __, isTestFile: ___, ...parts } = project
  const sent = { ...parts, artifacts: [...parts.artifacts, ...others()] }
  const { suites } = await chooseSuites(project, options)
  const names = [...new Set(suites.map(({ artifact }) => artifact.file))]
  const ended = new Map(names.map((file) => [file, new Ended()]))
  const next = new Int32Array(new SharedArrayBuffer(4))
  const share = { project: sent, options, names, next }
  const exits = Promise.all(
    beginWorkers(Math.min(workers, names.length), entry, share, explained, ended),
  ).then(() => {
    for (const each of ended.values()) each.settle(undefined)
  })
  const tellAll = (results: readonly SolidityTestResult[]): void => {
    for (const result of results) tell(result)
  }
  try {
    for (const [file, { results }] of ended) {
      const known = await results
      const left = [file].values()
      if (known !== undefined) tellAll(known)
      else
        await runFiles(
          project,
          options,
          () => left.next().value,
          (_file, own) => tellAll(own),
        )
    }
  } finally {
    // Whoever still works takes no other file.
    Atomics.store(next, 0, names.length)
    await exits
  }
}
