// The tests of artifacts, one contract after the other.

import { decodeOptions, option, refuseOption } from '../../../core/emulator/checks.ts'
import type { EmulatorOptions } from '../../../core/emulator/options/options.ts'
import { loadCrypto } from '../../../core/primitives/crypto.ts'
import { load } from '../../../core/primitives/loading.ts'
import { asFields, asRecord, type Fields, text } from '../../../core/rpc/codecs/basic.ts'
import { numberFrom } from '../../../core/rpc/codecs/numbers.ts'
import type { CheatFiles } from '../../cheatcodes/setting.ts'
import { refusingUnreadable } from '../../solidity/artifacts/read-contracts.ts'
import type { WrittenCall } from '../contracts/story.ts'
import { createBench } from './bench.ts'
import { cheatArtifacts, endpointsOf } from './cheat-setting.ts'
import { forkOpener, type TestForks } from './open-fork.ts'
import type { SolidityTestResult } from './outcome.ts'
import { runSuite, type SuiteRun } from './run-suite.ts'
import { type ProjectSettings, readSettings } from './settings.ts'
import {
  linkArtifacts,
  readTestArtifacts,
  suitesOf,
  type TestArtifact,
  type TestFunction,
  type TestSuite,
} from './suites.ts'

/** The tests that are run, by parts of names or patterns; all that are given have to match. */
export interface TestMatch {
  /** Of the path of the file. */
  readonly file?: string | RegExp
  readonly contract?: string | RegExp
  /** Of the test as forge prints it, such as `testFuzz_bound(uint256)`. */
  readonly test?: string | RegExp
}

/** Options of running tests, wherever they run. */
export interface TestOptions {
  /** Tests that are run: by a part of `file:contract:test`, a pattern for it, or for its parts. Default all. */
  readonly match?: string | RegExp | TestMatch
  /** Options of `createEmulator` for the chain of the tests, such as `base()`. Default a chain like forge's. */
  readonly chain?: EmulatorOptions
  /** Runs of each fuzz test. Default those of the project, or 256. */
  readonly fuzzRuns?: number
  /** The same seed gives the same runs. Default that of the project, or 0. */
  readonly seed?: number
  /** The profile of foundry.toml. Default `default`. */
  readonly profile?: string
  /** The environment variables that tests see, such as by `vm.envUint`. Default none. */
  readonly env?: Readonly<Record<string, string>>
  /** What tests may fork by `vm.createFork`, by alias or URL: an upstream or a recording. Default nothing. */
  readonly forks?: TestForks
}

/** The names of options, wherever tests run. */
export const TEST_OPTIONS = ['match', 'chain', 'fuzzRuns', 'seed', 'profile', 'env', 'forks'] as const

function decodePattern(value: unknown, path: string): string | RegExp | undefined {
  if (value === undefined || typeof value === 'string' || value instanceof RegExp) return value
  return refuseOption(path, 'a text or a regular expression', value)
}

/** Decodes options; throws a refusal, to be called within `decodeOptions`. */
export function decodeTestOptions(fields: Fields<(typeof TEST_OPTIONS)[number]>): TestOptions {
  const { match, chain, seed, env, forks } = fields
  if (forks !== undefined) asRecord(forks, 'forks')
  const isText = (value: unknown) => typeof value === 'string'
  if (env !== undefined && !Object.values(asRecord(env, 'env')).every(isText)) {
    refuseOption('env', 'texts by the names of variables', env)
  }
  if (chain !== undefined) asRecord(chain, 'chain')
  const isObject = typeof match === 'object' && match !== null && !(match instanceof RegExp)
  if (isObject) {
    const parts = asFields(match, 'match', ['file', 'contract', 'test'])
    for (const [name, value] of Object.entries(parts)) decodePattern(value, `match.${name}`)
  } else decodePattern(match, 'match')
  if (seed !== undefined && !Number.isSafeInteger(seed)) refuseOption('seed', 'an integer', seed)
  const [fuzzRuns, profile] = [
    option(fields, 'fuzzRuns', numberFrom(1), undefined),
    option(fields, 'profile', text, undefined),
  ]
  return {
    ...(match !== undefined && { match: match as NonNullable<TestOptions['match']> }),
    ...(chain !== undefined && { chain: chain as EmulatorOptions }),
    ...(fuzzRuns !== undefined && { fuzzRuns }),
    ...(seed !== undefined && { seed: seed as number }),
    ...(profile !== undefined && { profile }),
    ...(env !== undefined && { env: env as Readonly<Record<string, string>> }),
    ...(forks !== undefined && { forks: forks as TestForks }),
  }
}

/** What a project hands to the tests of its artifacts. */
export interface TestProject {
  readonly artifacts: readonly TestArtifact[]
  readonly settings: ProjectSettings
  readonly kept: ReadonlyMap<string, readonly WrittenCall[]>
  /** The compilations or artifacts as traces take them; read for the first failure. */
  readonly explained: () => unknown
  /** Files whose contracts are run. Default all. */
  readonly isTestFile?: (file: string) => boolean
  /** The absolute path of the project, and the files that cheatcodes use there. Default none. */
  readonly root?: string
  readonly files?: CheatFiles
}

function hits(pattern: string | RegExp | undefined, text: string): boolean {
  if (pattern === undefined) return true
  // A pattern with a flag g remembers where it was.
  return typeof pattern === 'string' ? text.includes(pattern) : text.search(pattern) >= 0
}

/** True if a test is chosen by `match`. */
export function isMatched(
  match: TestOptions['match'],
  file: string,
  contract: string,
  test: string,
): boolean {
  if (match === undefined || typeof match === 'string' || match instanceof RegExp) {
    return hits(match, `${file}:${contract}:${test}`)
  }
  return hits(match.file, file) && hits(match.contract, contract) && hits(match.test, test)
}

/** False if a file has no test that is chosen, whatever is in it. */
export function mayMatch(match: TestOptions['match'], file: string): boolean {
  return match === undefined || typeof match === 'string' || match instanceof RegExp || hits(match.file, file)
}

/** A seed of any size as 32 bits. */
function seedOf({ seed }: TestOptions, { fuzz }: ProjectSettings): number {
  const given = fuzz.seed === '' ? 0n : BigInt(fuzz.seed)
  return seed ?? Number(BigInt.asIntN(32, given ^ (given >> 32n) ^ (given >> 64n) ^ (given >> 128n)))
}

/** The suites of a project that have chosen tests, and how they are run; `undefined` if there are none. */
export async function openProject(
  { artifacts, settings, kept, explained, isTestFile = () => true, root = '/', files }: TestProject,
  options: TestOptions,
): Promise<{ readonly run: SuiteRun; readonly suites: readonly TestSuite[] } | undefined> {
  const { match, profile = 'default', fuzzRuns, chain } = options
  await loadCrypto()
  const { linked, libraries } = linkArtifacts(artifacts)
  const isWanted = ({ artifact: { file, name } }: TestSuite, { fn }: TestFunction) =>
    isMatched(match, file, name, fn.signature)
  const suites = suitesOf(linked.filter(({ file }) => isTestFile(file))).filter((suite) =>
    suite.tests.some((test) => isWanted(suite, test)),
  )
  if (suites.length === 0) return undefined
  const bench = await createBench(chain, settings, libraries)
  let isExplained = false
  const explain = async (): Promise<void> => {
    if (isExplained) return
    isExplained = true
    const { addContracts } = await load(import('../../solidity/explainer.ts'))
    addContracts(bench.known, explained())
  }
  const seed = seedOf(options, settings)
  const variables = options.env ?? {}
  const openFork = forkOpener(options.forks ?? {}, endpointsOf(settings))
  const granted = { root, files, variables, openFork, artifacts: cheatArtifacts(linked, settings) }
  return { run: { bench, settings, profile, seed, fuzzRuns, isWanted, kept, explain, granted }, suites }
}

/** Runs tests of a project; results come as tests end. */
export async function* runProject(
  project: TestProject,
  options: TestOptions,
): AsyncGenerator<SolidityTestResult> {
  const opened = await openProject(project, options)
  for (const suite of opened?.suites ?? []) yield* runSuite((opened as { run: SuiteRun }).run, suite)
}

/** Options of running the tests of artifacts. */
export interface TestArtifactsOptions extends TestOptions {
  /** The text of foundry.toml, for its settings of tests. */
  readonly foundryToml?: string
}

/**
 * Runs Solidity tests of compiled artifacts alone, as forge would: `setUp`, `test…`, `testFuzz…`. It works in pages as well.
 * `runSolidityTests` of `tickchain/solidity-tests` takes the folder of a project.
 *
 * @param artifacts solc's standard JSON (an object with `input` and `output`), build-infos, or artifacts of Foundry or
 *   Hardhat, alone or in arrays
 * @param options The tests, the chain, and how much is tried.
 * @throws TickchainError `invalidOption`, `invalidContracts`
 * @see docs/solidity-tests.md
 * @example
 * const abi = [{ type: 'function', name: 'test_nothing', inputs: [], outputs: [], stateMutability: 'nonpayable' }]
 * // Deploys a contract whose code is STOP: PUSH1 1, PUSH0, RETURN.
 * const artifact = { contractName: 'Nothing', sourceName: 'Nothing.t.sol', abi, bytecode: '0x60015ff3' }
 * const [result] = await runTestArtifacts(artifact)
 * result.status // => 'passed'
 */
export async function runTestArtifacts(
  artifacts: unknown,
  options: TestArtifactsOptions = {},
): Promise<SolidityTestResult[]> {
  const decoded = decodeOptions(() => {
    const fields = asFields(options, '', [...TEST_OPTIONS, 'foundryToml'])
    return { ...decodeTestOptions(fields), foundryToml: option(fields, 'foundryToml', text, undefined) }
  })
  const { settings } = readSettings(decoded.foundryToml, decoded.profile)
  const project = {
    artifacts: refusingUnreadable(() => readTestArtifacts(artifacts)),
    settings,
    kept: new Map(),
    explained: () => artifacts,
  }
  const results: SolidityTestResult[] = []
  for await (const result of runProject(project, decoded)) results.push(result)
  return results
}
