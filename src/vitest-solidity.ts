// Solidity tests as test files of vitest: the part of `tickchain/vitest-config` that makes modules of them. It uses `node:`
// modules for paths; nobody else imports it.

import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { TestProject, VitestPluginContext } from 'vitest/node'
import { decodeOptions } from './core/emulator/checks.ts'
import { failure } from './core/primitives/errors.ts'
import { textOf } from './core/primitives/text-of.ts'
import { asFields, fieldPath, text } from './core/rpc/codecs/basic.ts'
import { refuseValue } from './core/rpc/codecs/codec.ts'
import type { compileForRun } from './solidity-tests.ts'
import { decodeTestOptions, TEST_OPTIONS, type TestOptions } from './tools/explore/tests/options.ts'
import type { Solc } from './tools/explore/tests/sources.ts'

/** A project whose Solidity tests are a part of the test run. */
export interface SolidityProjectOptions extends Omit<TestOptions, 'match'> {
  /** The folder of the project, from vitest's root. Default that. */
  readonly root?: string
  /**
   * The name of the module that compiles the project, or of several, of which each file is compiled by the newest that its
   * pragmas allow; false for artifacts that are there. Default `solc`.
   */
  readonly solc?: string | readonly string[] | false
}

const PROJECT_OPTIONS = [...TEST_OPTIONS.slice(1), 'root', 'solc'] as const

/** Workers get the options as JSON. */
function checkJson(value: unknown, path: string): void {
  if (['function', 'bigint', 'symbol'].includes(typeof value))
    refuseValue(path, 'a value that JSON can hold', value)
  if (typeof value !== 'object' || value === null) return
  for (const [name, each] of Object.entries(value)) checkJson(each, fieldPath(path, name))
}

/** Checks the option `solidityTests`, before a file runs. */
export function checkSolidityProject(given: unknown): void {
  decodeOptions(() => {
    const fields = asFields(given, '', PROJECT_OPTIONS)
    const { root = '.', solc = 'solc' } = fields
    text.decode(root, 'root')
    const isNamed = [solc].flat().every((each) => typeof each === 'string')
    if (solc !== false && !isNamed) refuseValue('solc', 'the name of a module, several, or false', solc)
    decodeTestOptions(fields, 'solidityTests')
    checkJson(fields, '')
  }, 'solidityTests')
}

const TESTS_FILE = fileURLToPath(new URL('./solidity-tests.js', import.meta.url))

/** vitest's own limit, which is of a test in TypeScript: one in Solidity ends by its gas. */
const DEFAULT_TIMEOUT = 5000

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** A number as source maps have it. */
function vlq(value: number): string {
  let left = value < 0 ? 1 - 2 * value : 2 * value
  let text = ''
  do {
    text += DIGITS[(left & 31) | (left > 31 ? 32 : 0)]
    left >>= 5
  } while (left > 0)
  return text
}

interface ModuleLine {
  readonly text: string
  /** The line of the source that it stands for. */
  readonly line?: number | undefined
}

/**
 * A module whose lines stand for lines of a source. They come after as many empty ones, which no mapping has, because a
 * failure names lines of the source: those stay what they are.
 */
function mappedModule(path: string, source: string, lines: readonly ModuleLine[]) {
  const before = source.split('\n').length
  let last = 1
  const mappings = lines.map(({ line }) => {
    if (line === undefined) return ''
    const segment = `AA${vlq(line - last)}A`
    last = line
    return segment
  })
  return {
    code: '\n'.repeat(before) + lines.map(({ text }) => text).join('\n'),
    map: { version: 3, sources: [path], names: [], mappings: ';'.repeat(before) + mappings.join(';') },
  }
}

type CompiledRun = Awaited<ReturnType<typeof compileForRun>>

/** The lines of a test file's module: its tests, each of which is run in the worker. */
function testLines(
  suites: ReturnType<CompiledRun['testsIn']>,
  given: readonly unknown[],
  timeout?: number,
): ModuleLine[] {
  const limit = timeout === DEFAULT_TIMEOUT ? '{ timeout: 0 }' : '{}'
  return [
    { text: `import { describe, test } from 'vitest'` },
    { text: `import { openSolidityFile } from ${JSON.stringify(pathToFileURL(TESTS_FILE).href)}` },
    { text: `const run = await openSolidityFile(${given.map((each) => JSON.stringify(each)).join(', ')})` },
    // Such as a base of tests, which vitest would fail.
    ...(suites.length === 0 ? [{ text: `describe.skip('no tests', () => {})` }] : []),
    ...suites.flatMap(({ contract, line, tests }) => [
      { text: `describe(${JSON.stringify(contract)}, () => {`, line },
      ...tests.map(({ test, line: at }) => {
        const names = [contract, test].map((each) => JSON.stringify(each))
        return {
          text: `test(${names[1]}, ${limit}, ({ skip }) => run(${names.join(', ')}, skip))`,
          line: at,
        }
      }),
      { text: '})' },
    ]),
  ]
}

/** Why a test file was not compiled: without a failure it would be skipped in silence. */
function missingIn(solc: SolidityProjectOptions['solc']): string {
  return solc === false
    ? 'there is no artifact of this file: compile the project again'
    : 'this file is in none of the folders that foundry.toml names (src, test, script)'
}

/** Imports that are never made: by them vitest knows the tests of a changed source (`--changed`, `related`). */
function importsLine(paths: readonly string[]): string {
  const imports = paths.map((each) => `${['import', JSON.stringify(each)].join('(')})`)
  return `export const imported = () => [${imports.join(', ')}]`
}

/** The lines of the module of a file that does not compile, with the compiler's words and the place in them. */
function failedLines(root: string, file: string, reason: string): ModuleLine[] {
  const [, source = file, at = '1:1'] = /^ *--> (.+?):(\d+:\d+):?/m.exec(reason) ?? []
  const place = `    at ${slashed(resolve(root, source))}:${at}`
  return [
    { text: `const error = new Error(${JSON.stringify(reason)})` },
    { text: `error.stack = error.message + ${JSON.stringify(`\n${place}`)}` },
    // Not in a test, which `-t` would skip.
    { text: 'throw error' },
  ]
}

/** Files that decide about a compilation beside the sources. */
const SETTINGS = ['foundry.toml', 'remappings.txt']

interface LoadedLater extends Solc {
  readonly load?: () => unknown
}

/** The compiler. npm's solc takes a second to load, so it is only loaded if something has changed, or may. */
function compilerOf(root: string, name: string, runRoot: string): LoadedLater {
  const require = createRequire(resolve(root, 'foundry.toml'))
  // A project of Foundry alone has no packages: those of the test run are taken.
  const find = (path: string): string => require.resolve(path, { paths: [root, runRoot] })
  const load = (): Solc => {
    try {
      return require(find(name))
    } catch (error) {
      // Its own code would be read as that of a test file that is not there.
      const reason = `${root} has no module ${name}, which compiles it: npm install --save-dev ${name} (${textOf((error as Error).message)})`
      throw failure('invalidOption', { option: 'solidityTests.solc', reason })
    }
  }
  const { name: packageName, version } = (() => {
    try {
      return require(find(`${name}/package.json`))
    } catch {
      return {}
    }
  })()
  if (packageName !== 'solc') return load()
  return { load, version: () => version, compile: (...given) => load().compile(...given) }
}

function compilersOf(root: string, names: string | readonly string[], runRoot: string): LoadedLater[] {
  return [names].flat().map((name) => compilerOf(root, name, runRoot))
}

/** Has the modules of test files made again, and those tests run of which vitest does not know that a file concerns them. */
function passOn(
  { vite: { moduleGraph, watcher } }: TestProject,
  made: ReadonlyMap<string, readonly string[]>,
  file: string,
  kind: 'setting' | 'artifact' | 'source',
  isUpdate: boolean,
): void {
  for (const [path, used] of made) {
    // When a file changes, Vite loads the modules that import it again, but does not make them again.
    for (const module of moduleGraph.getModulesByFile(path) ?? []) moduleGraph.invalidateModule(module)
    // vitest runs nothing after a deletion, nor when what was missing is there, nor for what forge has built.
    const isConcerned =
      kind === 'artifact'
        ? basename(dirname(file)) === basename(path)
        : !isUpdate && (kind === 'setting' || used.includes(file))
    if (isConcerned) watcher.emit('change', path)
  }
}

/** A module of a Solidity test depends on more than its text: vitest 5 may not keep it from run to run. */
function keepUncached(context: VitestPluginContext): void {
  const never = ({ id }: { readonly id: string }) => (id.includes('.sol') ? false : undefined)
  const { defineCacheKeyGenerator: define = context.experimental_defineCacheKeyGenerator } =
    context as VitestPluginContext & { defineCacheKeyGenerator?: (generator: typeof never) => void }
  define?.(never)
}

/** Makes the tests of a folder test files of a project of vitest. */
function addTestFiles({ config, vitest, vite }: TestProject, root: string): void {
  const path = pathFrom(config.root, root)
  // Its tests would be missing in silence.
  if (!existsSync(root))
    throw failure('invalidOption', { option: 'solidityTests.root', reason: `there is no folder ${root}` })
  const below = path === '' ? '' : `${path}/`
  config.include.push(`${below}**/*.t.sol`)
  // Vite watches its own root.
  if (path.startsWith('../')) vite.watcher.add(root)
  // Tests of libraries are theirs.
  config.exclude.push(`${below}lib/**`, `${below}**/node_modules/**`)
  vitest.config.forceRerunTriggers.push(...SETTINGS.map((name) => slashed(resolve(root, name))))
  // The modules that are made of them are no code of the project.
  vitest.config.coverage.exclude.push(`${below}**/*.t.sol`)
}

/** Test files of Solidity: the project is compiled once, and again after a change. */
export function solidityPlugin({ root: folder = '.', solc = 'solc', ...options }: SolidityProjectOptions) {
  let compiled: Promise<CompiledRun> | undefined
  let root = ''
  let project: TestProject | undefined
  /** The test files of which modules were made, with all that they import. */
  const made = new Map<string, readonly string[]>()
  const compilers = () => (solc === false ? undefined : compilersOf(root, solc, `${project?.config.root}`))
  const compile = async (): Promise<CompiledRun> => {
    const modules = compilers()
    // Loaded here, because it needs fast-check, which configurations without Solidity tests may not have.
    const { compileForRun } = await import('./solidity-tests.ts')
    const run = await compileForRun(root, { ...options, ...(modules && { solc: modules }) })
    for (const { reason } of run.problems) project?.vitest.logger.warn(`${root}: ${reason}`)
    return run
  }
  const compileOnce = (): Promise<CompiledRun> => {
    compiled ??= compile()
    return compiled
  }
  return {
    include(context: VitestPluginContext): void {
      keepUncached(context)
      project = context.project
      root = resolve(project.config.root, folder)
      addTestFiles(project, root)
      // While nobody waits for it. If it cannot be loaded, the next compilation says so.
      const onWatcherStart = () => void compiled?.then(() => compilers()?.[0]?.load?.()).catch(() => {})
      context.vitest.config.reporters.push({ onWatcherStart } as never)
    },
    forget(file: string, { event }: { readonly event: string }): void {
      if (!/\.(sol|toml|json)$|remappings\.txt$/.test(file)) return
      compiled = undefined
      if (event === 'delete') made.delete(file)
      const isSetting = SETTINGS.some((name) => slashed(resolve(root, name)) === file)
      const kind = isSetting ? 'setting' : solc === false && file.endsWith('.json') ? 'artifact' : 'source'
      if (project !== undefined) passOn(project, made, file, kind, event === 'update')
    },
    /** The compilations of the project, with its files named from another folder. */
    async explained(from: string): Promise<readonly unknown[]> {
      const { explained, names } = await compileOnce()
      const userSourceNameMap = Object.fromEntries(
        names.map((name) => [pathFrom(from, resolve(root, name)), name]),
      )
      return [explained()].flat().map((each) => ({ ...Object(each), userSourceNameMap }))
    },
    async transform(this: { addWatchFile(file: string): void }, source: string, id: string) {
      const [path = ''] = id.split('?')
      const file = pathFrom(root, path)
      if (!path.endsWith('.sol') || file.startsWith('../')) return undefined
      // Only asked for to find the tests that import it, unless another plugin makes a module of it.
      if (!path.endsWith('.t.sol'))
        return readFileSync(path, 'utf8') === source ? { code: '', map: null } : undefined
      const { closureOf, failures, isTest, names, testsIn } = await compileOnce()
      const closure = closureOf(file)
      const used = closure.map((each) => slashed(resolve(root, each)))
      for (const each of used) this.addWatchFile(each)
      made.set(path, used)
      const isKnown = names.includes(file) || !isTest(file)
      const failed = failures.get(file) ?? (isKnown ? undefined : missingIn(solc))
      const given = [root, file, options, closure, solc === false]
      const lines =
        failed === undefined
          ? testLines(isTest(file) ? testsIn(file) : [], given, project?.config.testTimeout)
          : failedLines(root, file, failed)
      const imported = used.filter((each) => each !== path && existsSync(each))
      return mappedModule(path, source, [...lines, { text: importsLine(imported) }])
    },
  }
}

export type SolidityPlugin = ReturnType<typeof solidityPlugin>

function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}

function pathFrom(folder: string, path: string): string {
  return slashed(relative(folder, path))
}
