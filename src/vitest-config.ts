// The entry for vitest's configuration: reports of gas and coverage for a whole test run. It uses `node:` modules, since
// it reads artifacts and writes reports; configurations run in Node.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'
import type { Reporter, TestModule, TestProject, Vitest } from 'vitest/node'
import { decodeOptions } from './core/emulator/checks.ts'
import { loadCrypto } from './core/primitives/crypto.ts'
import { failure, readArgument } from './core/primitives/errors.ts'
import { asFields } from './core/rpc/codecs/basic.ts'
import { refuseValue } from './core/rpc/codecs/codec.ts'
import { readContracts } from './tools/solidity/artifacts/read-contracts.ts'
import type { CompiledContract } from './tools/solidity/model/contract.ts'
import { coverageOf, type SourceCoverage, toIstanbul, toLcov } from './tools/solidity/usage/coverage.ts'
import { formatCoverage, formatGasReport } from './tools/solidity/usage/format-usage.ts'
import { addUsage, gasReport, type Usage } from './tools/solidity/usage/usage.ts'
import { codesOf, tellResults } from './tools/testing/reports/provided.ts'
import { matcherOf } from './tools/testing/reports/select-sources.ts'
import type { RunResults } from './tools/view/report/test-page.ts'
import { keepWorkerReady } from './vitest-ready.ts'
import {
  checkSolidityProject,
  type SolidityPlugin,
  type SolidityProjectOptions,
  solidityPlugin,
} from './vitest-solidity.ts'

export type { SolidityProjectOptions } from './vitest-solidity.ts'

/** Options of the report of coverage. */
export interface CoverageOptions {
  /** `text` is printed, `lcov` is `lcov.info`, `json` is Istanbul's `coverage-final.json`. Default all. */
  readonly reports?: readonly ('text' | 'lcov' | 'json')[]
  /** The folder of the files, from vitest's root. Default `coverage/solidity`. */
  readonly directory?: string
  /** Globs of source names. Default those that are files below vitest's root. */
  readonly include?: readonly string[]
  /** Globs of source names. Default installed packages, `lib`, and tests and scripts of Foundry. */
  readonly exclude?: readonly string[]
}

/** Options of the reports of a test run. */
export interface ReportOptions {
  /**
   * Artifacts: files, folders or globs from vitest's root. Build-infos of Hardhat or Foundry, or Foundry's `out`. Without
   * them, and without Solidity tests, reports are refused.
   */
  readonly contracts?: string | readonly string[]
  /** Makes each `*.t.sol` of a Foundry project a test file: true for one in vitest's root, or options. */
  readonly solidityTests?: boolean | SolidityProjectOptions
  /** Prints the gas of calls and deployments. */
  readonly gas?: boolean
  /** Reports coverage: true, or options of the report. */
  readonly coverage?: boolean | CoverageOptions
  /**
   * Keeps compiled JavaScript for later runs, of all modules that workers import, where Node can (22.1 and later): true,
   * or the folder from vitest's root. Default false; true is `node_modules/.cache/tickchain`.
   */
  readonly compileCache?: boolean | string
}

const SETUP_FILE = fileURLToPath(new URL('./vitest-setup.js', import.meta.url))
const DEFAULT_EXCLUDE = ['**/node_modules', 'lib', '**/*.t.sol', '**/*.s.sol']
const DEFAULT_DIRECTORY = 'coverage/solidity'
const DEFAULT_CACHE = 'node_modules/.cache/tickchain'

function refuse(reason: string): never {
  throw failure('invalidOption', { option: 'contracts', reason })
}

/** The files that a path or glob names. */
function filesOf(root: string, given: string): string[] {
  const path = resolve(root, given)
  if (existsSync(path) && statSync(path).isFile()) return [path]
  const fixed = existsSync(path) ? path : resolve(root, given.replace(/[^/]*[*?].*$/s, ''))
  const matches = existsSync(path) ? () => true : matcherOf([given])
  const found = existsSync(fixed)
    ? readdirSync(fixed, { recursive: true })
        .map((name) => join(fixed, `${name}`))
        .filter((file) => file.endsWith('.json') && !file.endsWith('.dbg.json'))
        .filter((file) => matches(relative(root, file).replaceAll('\\', '/')))
    : []
  return found.length > 0 ? found.sort() : refuse(`${given} has no JSON file, in ${root}`)
}

interface ArtifactFile {
  readonly path: string
  readonly value: Readonly<Record<string, unknown>>
}

function readJson(path: string): ArtifactFile {
  try {
    return { path, value: JSON.parse(readFileSync(path, 'utf8')) }
  } catch (error) {
    return refuse(`${path} is not readable: ${(error as Error).message}`)
  }
}

/** The text of the source of a Foundry artifact, which only its project has. */
function sourceText(root: string, { path, value }: ArtifactFile): [string, string] | undefined {
  const name = (value['ast'] as { absolutePath?: unknown } | undefined)?.absolutePath
  if (typeof name !== 'string') return undefined
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const file = resolve(folder, name)
    if (existsSync(file)) return [name, readFileSync(file, 'utf8')]
  }
  return refuse(`${path} needs the source ${name}, which is in no folder around it, nor in ${root}`)
}

interface Artifacts {
  readonly contracts: readonly CompiledContract[]
  /** As `readContracts` takes them. */
  readonly source: object
}

const NO_ARTIFACTS: Artifacts = { contracts: [], source: [] }

/** Reads the artifacts; a file that cannot be read as one is named. */
function readArtifacts(root: string, given: string | readonly string[], needsTrees: boolean): Artifacts {
  const paths = (typeof given === 'string' ? [given] : given).flatMap((each) => filesOf(root, each))
  if (paths.length === 0) refuse('expected at least one file, folder or glob of artifacts')
  // Without artifacts that have no code, beside build-infos in the folders of Hardhat and Foundry.
  const files = [...new Set(paths)].map(readJson).filter(({ value }) => {
    const isHardhat = `${value['_format'] ?? ''}`.includes('artifact')
    const isFoundryIndex = 'source_id_to_path' in value && !('output' in value)
    return !isHardhat && !isFoundryIndex && !('files' in value && 'paths' in value)
  })
  const sources = Object.fromEntries(
    files.flatMap((file) => [sourceText(root, file) ?? []].filter((each) => each.length > 0)),
  )
  const source = { artifacts: files.map(({ value }) => value), sources }
  const read = (value: unknown, path: string): readonly CompiledContract[] => {
    try {
      return readContracts(value)
    } catch (error) {
      return refuse(`${path}: ${(error as Error).message}`)
    }
  }
  // Halves of a build-info cannot be read alone.
  for (const { path, value } of files) if ('input' in value === 'output' in value) read(value, path)
  const contracts = read(source, paths.join(', '))
  const isCovered = contracts.some(
    ({ deployed, location }) => location !== undefined && deployed?.map() !== undefined,
  )
  if (needsTrees && !isCovered)
    refuse(
      `${paths[0]} has no source map and syntax tree, which coverage needs: pass build-infos, or set ast = true in foundry.toml`,
    )
  return { contracts, source }
}

/** One run of tests, or several in watch mode. */
class RunReporter implements Reporter {
  readonly projects = new Set<TestProject>()
  readonly #vitest: Vitest
  readonly #options: ReportOptions
  readonly #tests: SolidityPlugin | undefined
  #artifacts = NO_ARTIFACTS
  #usage: Usage = new Map()

  constructor(vitest: Vitest, options: ReportOptions, tests: SolidityPlugin | undefined) {
    this.#vitest = vitest
    this.#options = options
    this.#tests = tests
  }

  async readArtifacts(): Promise<void> {
    await loadCrypto()
    const { contracts, coverage = false, gas = false } = this.#options
    const isCovered = coverage !== false
    const { root } = this.#vitest.config
    const given = contracts === undefined ? NO_ARTIFACTS : readArtifacts(root, contracts, isCovered)
    // Compilations of the tests of a contract have the contract as well, which is counted by its source.
    const own = isCovered || gas ? readContracts((await this.#tests?.explained(root)) ?? []) : []
    this.#artifacts = { ...given, contracts: [...given.contracts, ...own] }
    const artifacts = JSON.stringify(given.source)
    const codes = codesOf(this.#artifacts.contracts)
    for (const project of this.projects)
      project.provide('tickchain', { gas, coverage: isCovered, codes, artifacts })
  }

  async onTestRunStart(): Promise<void> {
    this.#usage = new Map()
    // The contracts may have been compiled again.
    await this.readArtifacts()
  }

  onTestModuleEnd(module: TestModule): void {
    const meta = module.meta()
    if (meta.tickchain === undefined) return
    addUsage(this.#usage, meta.tickchain)
    // Other reporters print what is in it.
    delete meta.tickchain
  }

  /** The measurements of the run so far, for this reporter and that of failed tests. */
  results(): RunResults {
    const { coverage = false, gas = false, solidityTests } = this.#options
    const { contracts } = this.#artifacts
    const { root } = this.#vitest.config
    const exclude = [...DEFAULT_EXCLUDE, `${Object(solidityTests).root ?? '.'}/lib`]
    const options = coverage && { exclude, ...Object(coverage) }
    return {
      // Test contracts are left out, with what stands beside them.
      gas: gas ? gasReport(contracts, this.#usage).filter(({ file }) => !file.endsWith('.t.sol')) : undefined,
      coverage:
        options === false ? undefined : selectFiles(coverageOf(contracts, this.#usage), root, options),
    }
  }

  onTestRunEnd(): void {
    const { gas, coverage } = this.results()
    if (gas !== undefined) this.#vitest.logger.log(`\n${formatGasReport(gas)}`)
    if (coverage !== undefined) this.#reportCoverage(coverage)
  }

  #reportCoverage(coverage: SourceCoverage): void {
    const options = typeof this.#options.coverage === 'object' ? this.#options.coverage : {}
    const { root } = this.#vitest.config
    const { reports = ['text', 'lcov', 'json'], directory = DEFAULT_DIRECTORY } = options
    if (reports.includes('text')) this.#vitest.logger.log(`\n${formatCoverage(coverage)}`)
    const folder = resolve(root, directory)
    const write = (name: string, text: string): void => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    if (reports.includes('lcov'))
      write(
        'lcov.info',
        toLcov(coverage, ({ name }) => name),
      )
    if (reports.includes('json'))
      write('coverage-final.json', JSON.stringify(toIstanbul(coverage, ({ name }) => resolve(root, name))))
  }
}

function selectFiles(coverage: SourceCoverage, root: string, options: CoverageOptions): SourceCoverage {
  const { include, exclude = [] } = options
  const isIncluded =
    include === undefined ? (name: string) => existsSync(resolve(root, name)) : matcherOf(include)
  const isExcluded = matcherOf(exclude)
  const files = coverage.files.filter(({ file }) => isIncluded(file.name) && !isExcluded(file.name))
  const left = coverage.files.filter((file) => !files.includes(file)).map(({ file }) => file.name)
  return { ...coverage, files, left }
}

/** Reporters of test runs by their options: each project calls the plugin, or makes one of its own. */
const reporters = new WeakMap<Vitest, Map<string, RunReporter>>()

/** Checks the types of options, and that what is to be reported has artifacts. */
function checked(given: object): ReportOptions {
  const names = ['contracts', 'gas', 'coverage', 'solidityTests', 'compileCache'] as const
  return decodeOptions(() => {
    const fields = asFields(given, '', names)
    const { contracts, gas = false, coverage = false, solidityTests = false, compileCache = false } = fields
    if (typeof gas !== 'boolean') refuseValue('gas', 'a boolean', gas)
    if (typeof coverage !== 'boolean' && (typeof coverage !== 'object' || coverage === null))
      refuseValue('coverage', 'a boolean or an object', coverage)
    if (typeof compileCache !== 'boolean' && typeof compileCache !== 'string')
      refuseValue('compileCache', 'a boolean or a path', compileCache)
    if (typeof solidityTests !== 'boolean') checkSolidityProject(solidityTests)
    // Otherwise the report would be missing, and nobody would say why.
    const needs = gas ? 'gas' : 'coverage'
    if ((gas || coverage !== false) && contracts === undefined && solidityTests === false)
      refuseValue('contracts', `the artifacts whose ${needs} is reported, or solidityTests`, contracts)
    return fields as ReportOptions
  })
}

/**
 * A plugin of vitest that makes compiled contracts known to all emulators of a test run, and reports what the run did
 * with them: a table of gas, and coverage as a table, as lcov and as Istanbul's JSON.
 *
 * @param options The artifacts, and what is reported.
 * @throws TickchainError `invalidOption`, at the start of the run if artifacts are missing or not readable
 * @see vitest's plugin API
 * @example
 * const plugin = tickchain({ contracts: 'artifacts/build-info', gas: true, coverage: true })
 * plugin.name // => 'tickchain'
 */
export function tickchain(options: ReportOptions): Plugin {
  const given = readArgument('tickchain', 'options of the plugin', () =>
    typeof options === 'object' ? { ...options } : (options ?? {}),
  )
  const {
    contracts,
    solidityTests = false,
    gas = false,
    coverage = false,
    compileCache = false,
  } = checked(given)
  const tests =
    solidityTests === false ? undefined : solidityPlugin(solidityTests === true ? {} : Object(solidityTests))
  const isReported = contracts !== undefined || (tests !== undefined && (gas || coverage !== false))
  return {
    name: 'tickchain',
    config: () => ({ test: { setupFiles: [SETUP_FILE] } }),
    ...(tests && { transform: tests.transform, watchChange: tests.forget }),
    async configureVitest(context) {
      const { project, vitest } = context
      const folder = compileCache === true ? DEFAULT_CACHE : compileCache
      // Where nobody has said so already, in the words of Node.
      if (folder !== false) env['NODE_COMPILE_CACHE'] ??= resolve(vitest.config.root, `${folder}`)
      tests?.include(context)
      if (isReported) await reportRun(options, tests, project, vitest)
      await keepWorkerReady(project, vitest, tests === undefined ? './index.js' : './solidity-tests.js')
    },
  }
}

async function reportRun(
  options: ReportOptions,
  tests: SolidityPlugin | undefined,
  project: TestProject,
  vitest: Vitest,
): Promise<void> {
  const known = reporters.get(vitest) ?? new Map<string, RunReporter>()
  reporters.set(vitest, known)
  const key = JSON.stringify(options)
  let reporter = known.get(key)
  if (reporter === undefined) {
    const made = new RunReporter(vitest, options, tests)
    reporter = made
    known.set(key, reporter)
    tellResults(vitest, () => made.results())
    vitest.config.reporters.push(reporter as never)
  }
  // A project inherits both the plugin and the file that it added.
  project.config.setupFiles = [...new Set(project.config.setupFiles)]
  reporter.projects.add(project)
  await reporter.readArtifacts()
}
