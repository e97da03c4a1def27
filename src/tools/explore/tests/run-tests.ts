// The tests of artifacts, one contract after the other.

import { loadCrypto } from '../../../core/primitives/crypto.ts'
import { load } from '../../../core/primitives/loading.ts'
import type { CheatFiles } from '../../cheatcodes/setting.ts'
import { refusingUnreadable } from '../../solidity/artifacts/read-contracts.ts'
import type { WrittenCall } from '../contracts/options.ts'
import { createBench } from './bench.ts'
import { cheatArtifacts, endpointsOf } from './cheat-setting.ts'
import { forkOpener } from './open-fork.ts'
import { isMatched, type SolidityTestResult, type TestArtifactsOptions, type TestOptions } from './options.ts'
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

/** Runs the tests of artifacts. */
export async function runArtifacts(
  artifacts: unknown,
  options: TestArtifactsOptions,
): Promise<SolidityTestResult[]> {
  const { settings } = readSettings(options.foundryToml, options.profile)
  const project = {
    artifacts: refusingUnreadable(() => readTestArtifacts(artifacts)),
    settings,
    kept: new Map(),
    explained: () => artifacts,
  }
  const results: SolidityTestResult[] = []
  for await (const result of runProject(project, options)) results.push(result)
  return results
}
