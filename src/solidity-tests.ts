// The entry for Solidity tests in Node: the folder of a Foundry project, compiled and tested. It uses `node:` modules: it reads
// sources and artifacts, and keeps compilations and failures in the project's cache.

import * as fs from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { decodeOptions, option, refuseCall, refuseOption } from './core/emulator/checks.ts'
import { loadCrypto } from './core/primitives/crypto.ts'
import { failure } from './core/primitives/errors.ts'
import { asFields } from './core/rpc/codecs/basic.ts'
import { numberFrom } from './core/rpc/codecs/codec.ts'
import * as work from './solidity-workers.ts'
import type { WrittenCall } from './tools/explore/contracts/options.ts'
import { readBuiltProject } from './tools/explore/tests/built-files.ts'
import { versionOf } from './tools/explore/tests/compilers.ts'
import { endTest } from './tools/explore/tests/end-test.ts'
import {
  decodeTestOptions,
  isMatched,
  mayMatch,
  refuseUnmatched,
  type SolidityTestResult,
  TEST_OPTIONS,
  type TestOptions,
} from './tools/explore/tests/options.ts'
import {
  type CompiledProject,
  compiledNames,
  compileProject,
  type ProjectCache,
  readCompiledProject,
} from './tools/explore/tests/project.ts'
import { openSuite } from './tools/explore/tests/run-suite.ts'
import { openProject, runProject, type TestProject, testNames } from './tools/explore/tests/run-tests.ts'
import { type ProjectSettings, readSettings } from './tools/explore/tests/settings.ts'
import { compilerIn, type Solc } from './tools/explore/tests/sources.ts'
import { linesIn, placedTests, type TestFunction } from './tools/explore/tests/suites.ts'

export type { SolidityTestResult, TestMatch, TestOptions } from './tools/explore/tests/options.ts'
export type { Solc } from './tools/explore/tests/sources.ts'

/** Options of running the tests of a project. */
export interface SolidityTestsOptions extends TestOptions {
  /**
   * The module `solc` of npm, which compiles the project, or several of them: each file is compiled by the newest that the
   * pragmas of the file and its imports allow. Without it, the artifacts that are there are used.
   */
  readonly solc?: Solc | readonly Solc[]
  /** Called with each result as it is known. */
  readonly onResult?: (result: SolidityTestResult) => void
  /**
   * Keeps compilations and failures of fuzzing: in the project's cache folder, in another that is named, or not. Default
   * true.
   */
  readonly cache?: boolean | string
  /** Threads that share the test files; results and their order are the same. Default 1, which is no other thread. */
  readonly workers?: number
}

const FAILURES = 'failures.json'

function readFailures(cache: ProjectCache): Map<string, readonly WrittenCall[]> {
  return new Map(Object.entries((cache.read(FAILURES) ?? {}) as Record<string, WrittenCall[]>))
}

interface DecodedOptions extends SolidityTestsOptions {
  /** Empty for the artifacts that are there. */
  readonly solc: readonly Solc[]
}

function decodeSolidityOptions(given: unknown): DecodedOptions {
  return decodeOptions(() => {
    const fields = asFields(given, '', [...TEST_OPTIONS, 'solc', 'onResult', 'cache', 'workers'])
    const { onResult, cache } = fields
    const modules = fields.solc === undefined ? [] : [fields.solc].flat().map(compilerIn)
    const solc = modules.filter((each) => each !== undefined)
    if (solc.length < modules.length || (fields.solc !== undefined && solc.length === 0))
      refuseOption('solc', 'the module solc of npm, or several of them', fields.solc)
    if (onResult !== undefined && typeof onResult !== 'function')
      refuseOption('onResult', 'a function', onResult)
    if (cache !== undefined && typeof cache !== 'boolean' && typeof cache !== 'string')
      refuseOption('cache', 'true, false or a folder', cache)
    const workers = option(fields, 'workers', numberFrom(1, 1024), undefined)
    const own = Object.entries({ onResult, cache, workers }).filter(([, value]) => value !== undefined)
    return { ...decodeTestOptions(fields), ...Object.fromEntries(own), solc }
  })
}

/** True for the files whose contracts may be tests: as in forge, those outside libraries and scripts. `npm/` are packages in Hardhat. */
function isTestOf({ libs, script }: ProjectSettings): (file: string) => boolean {
  return (file) => ![...libs, script, 'node_modules', 'npm'].some((each) => file.startsWith(`${each}/`))
}

/** The sources of a project, but for its libraries. */
function sourceNames(root: string, { src, test, script, libs }: ProjectSettings): string[] {
  const names = [src, test, script].flatMap((folder) => work.filesBelow(root, folder, '.sol'))
  return [...new Set(names)].filter((name) => !libs.some((lib) => name.startsWith(`${lib}/`))).sort()
}

type OpenedFolder = Awaited<ReturnType<typeof openFolder>>

async function openFolder(root: string, options: SolidityTestsOptions) {
  await loadCrypto()
  const folder = resolve(root)
  const src = ['src', 'contracts'].find((each) => fs.existsSync(join(folder, each)))
  const { settings, problems } = readSettings(
    work.textOfFile(join(folder, 'foundry.toml')),
    options.profile,
    src,
  )
  return {
    folder,
    settings,
    problems,
    cache: work.cacheOf(folder, settings, options),
    isTest: isTestOf(settings),
  }
}

/** Compiles the sources of a project that have changed. */
function compileFolder({ folder, settings, cache }: OpenedFolder, { match, solc }: DecodedOptions) {
  const wanted = settings.solc
  const isNamed = /^\d+\.\d+\.\d+$/.test(wanted)
  const compilers = solc.filter((each) => !isNamed || versionOf(each) === wanted)
  if (compilers.length === 0) {
    const versions = solc.map(versionOf).join(' and ')
    const reason = `foundry.toml names ${wanted}, and the module is ${versions}: npm install --save-dev solc@${wanted}`
    throw failure('invalidOption', { option: 'solc', reason })
  }
  const names = sourceNames(folder, settings).filter(
    (name) => !name.endsWith('.t.sol') || mayMatch(match, name),
  )
  return compileProject(work.filesOf(folder), cache, settings, compilers, names)
}

/** The artifacts of a folder. */
function builtIn(root: string) {
  return {
    root,
    text: (path: string) => work.textOfFile(work.fileOfSource(root, path) ?? ''),
    list: (folder: string) => work.filesBelow(root, folder, '.json'),
  }
}

/** The contracts of a project, of which what has changed is compiled. */
function readProject(
  opened: OpenedFolder,
  options: DecodedOptions,
): CompiledProject & Pick<TestProject, 'others'> {
  const { folder, settings, cache } = opened
  if (options.solc.length === 0) {
    const names = options.match === undefined ? [] : sourceNames(folder, settings)
    const chosen = new Set(
      names.filter((name) => mayMatch(options.match, name)).map((name) => basename(name)),
    )
    const passed = new Set(names.map((name) => basename(name)).filter((name) => !chosen.has(name)))
    return readBuiltProject(builtIn(folder), settings, (source) => (passed.has(source) ? 'links' : 'tests'))
  }
  const { names, failures } = compileFolder(opened, options)
  return { ...readCompiledProject(work.filesOf(folder), cache, names), failures }
}

/**
 * Runs the Solidity tests of a Foundry project, as forge would: each contract is deployed and set up once, and each test runs
 * on the state after that. Resolves to a result for each test, and for each file that cannot be tested, in the order of files,
 * contracts and tests.
 *
 * @param root The folder of the project, with its foundry.toml, if it has one.
 * @param options The compiler, the tests, the chain, and how much is tried.
 * @throws TickchainError `invalidOption`
 * @see docs/solidity-tests.md
 * @example
 * const run = (solc) => runSolidityTests('packages/contracts', { solc, match: 'Vault', seed: 1 })
 * typeof run // => 'function'
 */
export async function runSolidityTests(
  root: string,
  options: SolidityTestsOptions = {},
): Promise<SolidityTestResult[]> {
  if (typeof root !== 'string') refuseCall('runSolidityTests', 'the path of a folder', root)
  const decoded = decodeSolidityOptions(options)
  if (!fs.existsSync(root) || !fs.statSync(root).isDirectory())
    throw failure('invalidCall', { call: 'runSolidityTests', reason: `there is no folder ${root}` })
  const opened = await openFolder(root, decoded)
  const { settings, problems, cache, isTest } = opened
  const { failures, ...compiled } = readProject(opened, decoded)
  const results: SolidityTestResult[] = []
  const tell = (result: SolidityTestResult): void => {
    results.push(result)
    decoded.onResult?.(result)
  }
  for (const { key, reason } of problems)
    tell({ file: 'foundry.toml', contract: '', test: key, status: 'failed', reason, logs: [] })
  const uncompiled = [...failures].filter(([file]) => isTest(file))
  const tellUncompiled = (isTold: (file: string) => boolean): void => {
    for (const [file, reason] of uncompiled.filter(([each]) => isTold(each)))
      tell({ file, contract: '', test: '', status: 'failed', reason, logs: [] })
  }
  tellUncompiled((file) => isMatched(decoded.match, file, '', ''))
  const kept = readFailures(cache)
  const hadFailures = kept.size > 0
  const place = { root: work.slashed(opened.folder), ...work.OUTSIDE, isTestFile: isTest }
  const project = { ...compiled, ...place, settings, kept: new Map(kept) }
  const take = (result: SolidityTestResult): void => {
    tell(result)
    const id = `${result.file}:${result.contract}:${result.test}`
    if (result.status === 'failed' && result.counterexample !== undefined) kept.set(id, result.counterexample)
    else kept.delete(id)
  }
  const { solc: _, onResult: __, cache: ___, workers = 1, ...testOptions } = decoded
  if (workers === 1) for await (const result of runProject(project, testOptions)) take(result)
  else await work.runInWorkers(import.meta.url, project, testOptions, workers, take)
  if (results.every(({ file }) => file === 'foundry.toml')) {
    const tests = testNames(project)
    if (tests.length > 0 || uncompiled.length === 0)
      refuseUnmatched(decoded.match, tests, sourceNames(opened.folder, settings), uncompiled)
    else tellUncompiled(() => true)
  }
  const isEmitted = settings.gas_snapshot_emit && decoded.cache !== false
  if (isEmitted && !(settings.gas_snapshot_check && results.some(({ status }) => status === 'failed')))
    work.writeSnapshots(opened.folder, decoded, settings, results)
  if (kept.size > 0 || hadFailures) cache.write(FAILURES, JSON.stringify(Object.fromEntries(kept)))
  return results
}

/**
 * Compiles a project for a test run; with its artifacts, if there is no compiler.
 *
 * @internal
 */
export async function compileForRun(root: string, options: SolidityTestsOptions) {
  const decoded = decodeSolidityOptions(options)
  const opened = await openFolder(root, decoded)
  const { folder, settings, problems, cache, isTest } = opened
  // Without its settings, its tests would be others.
  const unread = problems.find(({ key }) => key === '' || key === `profile.${decoded.profile}`)
  if (unread !== undefined)
    throw failure('invalidOption', { option: 'solidityTests', reason: `${folder}: ${unread.reason}` })
  if (decoded.solc.length > 0) {
    const compiled = compileFolder(opened, decoded)
    const artifactsOf = (file: string) =>
      readCompiledProject(
        work.filesOf(folder),
        cache,
        compiled.names.filter((name) => name === file),
      ).artifacts
    const testsIn = (file: string) => placedTests(artifactsOf(file), settings)
    return { ...compiled, problems, isTest, testsIn }
  }
  const { artifacts, others: _, closures, ...read } = readBuiltProject(builtIn(folder), settings)
  const names = [...new Set(artifacts.map(({ file }) => file))]
  const testsIn = (file: string) =>
    placedTests(
      artifacts.filter((each) => each.file === file),
      settings,
    )
  return {
    ...read,
    names,
    problems,
    isTest,
    testsIn,
    closureOf: (file: string) => closures.get(file) ?? names,
  }
}

/**
 * Opens a file of a project that is compiled, for a test run of vitest: a function that runs a test of a contract, and throws
 * its failure. `closure` is the file with all that it imports.
 *
 * @internal
 */
export async function openSolidityFile(
  root: string,
  file: string,
  options: SolidityTestsOptions,
  closure: readonly string[],
  isBuilt: boolean,
): Promise<(contract: string, test: string, skip: (reason: string) => void) => Promise<void>> {
  const decoded = decodeSolidityOptions(options)
  const { folder, settings, cache } = await openFolder(root, decoded)
  const files = work.filesOf(folder)
  const imported = new Set(closure.map((name) => basename(name)))
  const read = isBuilt
    ? readBuiltProject(builtIn(folder), settings, (source) => {
        if (source === basename(file)) return 'tests'
        return imported.has(source) ? 'links' : undefined
      })
    : { ...readCompiledProject(files, cache, closure), others: undefined }
  const loaded = new Set(read.artifacts.map((each) => each.file))
  const others = () => {
    const names = compiledNames(files, cache).filter((name) => !loaded.has(name))
    return readCompiledProject(files, cache, names).artifacts
  }
  const texts = () => {
    const names = isBuilt ? sourceNames(folder, settings) : compiledNames(files, cache)
    return new Map(names.map((name) => [name, files.text(name) as string]))
  }
  const isTestFile = (each: string): boolean => each === file
  const known = {
    ...read,
    others: read.others ?? others,
    texts,
    settings,
    kept: readFailures(cache),
    isTestFile,
  }
  const project = { ...known, root: work.slashed(folder), ...work.OUTSIDE }
  const opened = await openProject(project, decoded)
  const suites = new Map(
    opened?.suites.map((suite) => {
      const open = openSuite(opened.run, suite, suite.tests)
      return [suite.artifact.name, { open, suite }] as const
    }),
  )
  return async (contract, test, skip) => {
    const { open, suite } = suites.get(contract) as NonNullable<ReturnType<typeof suites.get>>
    const result = await open.run(suite.tests.find(({ fn }) => fn.signature === test) as TestFunction)
    endTest(result, skip, {
      fileOf: (source) => work.fileOfSource(folder, source),
      lineOf(name) {
        const lines = linesIn(suite.artifact.source ?? '')
        return lines.get(`${contract}.${name}`) ?? lines.get(contract)
      },
    })
  }
}

/**
 * Runs test files in a worker, as long as there are some.
 *
 * @internal
 */
export async function runShare(): Promise<void> {
  await work.performShare()
}
