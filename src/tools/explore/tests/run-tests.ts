// The tests of artifacts, one contract after the other.

import type { Upstream } from '../../../core/fork/upstream.ts'
import { loadCrypto } from '../../../core/primitives/crypto.ts'
import { load } from '../../../core/primitives/loading.ts'
import { once } from '../../../core/primitives/lru-cache.ts'
import type { CheatFiles } from '../../cheatcodes/setting.ts'
import { abiErrors } from '../../solidity/artifacts/abi.ts'
import { objectOf, refuseContracts } from '../../solidity/artifacts/json.ts'
import { readContracts, refusingUnreadable } from '../../solidity/artifacts/read-contracts.ts'
import type { WrittenCall } from '../contracts/options.ts'
import { cheatArtifacts, endpointsOf } from './cheat-setting.ts'
import { definedStructs, literalsIn } from './draw-arguments.ts'
import { forkOpener } from './open-forks.ts'
import * as testOptions from './options.ts'
import { isChosen } from './patterns.ts'
import { runSuite, type SuiteRun } from './run-suite.ts'
import { createBench } from './set-up.ts'
import { type ProjectSettings, readSettings } from './settings.ts'
import { compilerErrorsIn } from './sources.ts'
import * as testSuites from './suites.ts'

export interface TestProject {
  readonly artifacts: readonly testSuites.TestArtifact[]
  /** Artifacts of which tests may read code and texts, if those are not all, and the texts of all files. */
  readonly others?: () => readonly testSuites.TestArtifact[]
  readonly texts?: () => ReadonlyMap<string, string>
  readonly settings: ProjectSettings
  readonly kept: ReadonlyMap<string, readonly WrittenCall[]>
  /** The compilations or artifacts as traces take them, or the promise of them; read for the first failure. */
  readonly explained: () => unknown
  /** Files whose contracts are run. Default all. */
  readonly isTestFile?: (file: string) => boolean
  /** The absolute path of the project, and the files that cheatcodes use there. Default none. */
  readonly root?: string
  readonly files?: CheatFiles
  readonly connect?: (url: string) => Upstream
}

/** The literals of a project, without its libraries, in the order of its files. */
function literalsOf({ src, test }: ProjectSettings, texts: ReadonlyMap<string, string>) {
  const isOwn = (file: string): boolean =>
    file.endsWith('.t.sol') || [src, test].some((each) => file.startsWith(`${each}/`))
  const own = [...texts.keys()].filter(isOwn).sort()
  return literalsIn([...new Set(own.map((file) => texts.get(file) as string))])
}

/** A seed of any size as 32 bits. */
function seedOf({ seed }: testOptions.TestOptions, { fuzz }: ProjectSettings): number {
  const given = fuzz.seed === '' ? 0n : BigInt(fuzz.seed)
  return seed ?? Number(BigInt.asIntN(32, given ^ (given >> 32n) ^ (given >> 64n) ^ (given >> 128n)))
}

type ChosenProject = Pick<TestProject, 'artifacts' | 'isTestFile' | 'settings'>

/** The suites that have chosen tests, with the contracts of the project, linked. */
export async function chooseSuites(
  { artifacts, settings, isTestFile = () => true }: ChosenProject,
  { match }: testOptions.TestOptions,
) {
  await loadCrypto()
  const { linked, libraries } = testSuites.linkArtifacts(artifacts)
  const isWanted = ({ artifact: { file, name } }: testSuites.TestSuite, { fn }: testSuites.TestFunction) =>
    testOptions.isMatched(match, file, name, fn.signature) && isChosen(settings, file, name, fn.signature)
  const suites = testSuites
    .suitesOf(linked.filter(({ file }) => isTestFile(file)))
    .filter((suite) => suite.tests.some((test) => isWanted(suite, test)))
  return { linked, libraries, isWanted, suites }
}

/** The suites of a project that have chosen tests, and how they are run; `undefined` if there are none. */
export async function openProject(project: TestProject, options: testOptions.TestOptions) {
  const { settings, kept, explained, root = '/', files, connect, others = () => [] } = project
  const { profile = 'default', fuzzRuns, chain } = options
  const { linked, libraries, isWanted, suites } = await chooseSuites(project, options)
  if (suites.length === 0) return undefined
  const known = once(() => [...linked, ...others()])
  const { texts = () => new Map(known().map(({ file, source = '' }) => [file, source] as const)) } = project
  const declared = once(() => ({
    errors: new Map([...bench.known.customErrors, ...known().flatMap(({ abi }) => [...abiErrors(abi)])]),
    structs: definedStructs(known().map(({ source = '' }) => source)),
  }))
  const bench = await createBench(
    chain,
    settings,
    libraries,
    once(() => literalsOf(settings, texts())),
    declared,
  )
  let isExplained = false
  const explain = async (): Promise<void> => {
    if (isExplained) return
    isExplained = true
    const { addContracts } = await load(import('../../solidity/explainer.ts'))
    addContracts(bench.known, await explained())
  }
  const seed = seedOf(options, settings)
  const variables = options.env ?? {}
  const openFork = forkOpener(options.forks ?? {}, endpointsOf(settings), variables, connect)
  const artifacts = once(() => cheatArtifacts(known(), settings))
  const granted = { root, files, variables, openFork, artifacts, declared }
  const isolate = settings.isolate || bench.isMetered
  return {
    run: {
      bench,
      settings: { ...settings, isolate },
      profile,
      seed,
      fuzzRuns,
      isWanted,
      kept,
      explain,
      granted,
    },
    suites,
  }
}

/** The tests of a project, whether they are chosen or not, as `file:contract:test`. */
export function testNames({ artifacts, others = () => [], isTestFile = () => true }: TestProject): string[] {
  return testSuites
    .suitesOf([...artifacts, ...others()].filter(({ file }) => isTestFile(file)))
    .flatMap(({ artifact, tests }) =>
      tests.map(({ fn }) => `${artifact.file}:${artifact.name}:${fn.signature}`),
    )
}

/** Runs tests of a project; results come as tests end. */
export async function* runProject(
  project: TestProject,
  options: testOptions.TestOptions,
): AsyncGenerator<testOptions.SolidityTestResult> {
  const opened = await openProject(project, options)
  for (const suite of opened?.suites ?? []) yield* runSuite((opened as { run: SuiteRun }).run, suite)
}

/** Runs the tests of files, one file after the other, as long as there is a next one. */
export async function runFiles(
  project: TestProject,
  options: testOptions.TestOptions,
  next: () => string | undefined,
  tell: (file: string, results: readonly testOptions.SolidityTestResult[]) => void,
): Promise<void> {
  const opened = await openProject(project, options)
  for (let file = next(); file !== undefined && opened !== undefined; file = next()) {
    const results: testOptions.SolidityTestResult[] = []
    for (const suite of opened.suites.filter(({ artifact }) => artifact.file === file))
      for await (const result of runSuite(opened.run, suite)) results.push(result)
    tell(file, results)
  }
}

/** The contracts that there are; throws `invalidContracts` if there is none. */
function readSome(artifacts: unknown): testSuites.TestArtifact[] {
  const found = testSuites.readTestArtifacts(artifacts)
  if (found.length > 0) return found
  const [said] = compilerErrorsIn(objectOf(objectOf(artifacts)['output'])).values()
  // Says what else it got.
  if (said === undefined) readContracts(artifacts)
  return refuseContracts(said ?? 'there is no contract')
}

export async function runArtifacts(artifacts: unknown, options: testOptions.TestArtifactsOptions) {
  const { settings } = readSettings(options.foundryToml, options.profile)
  const project = {
    artifacts: refusingUnreadable(() => readSome(artifacts)),
    settings,
    kept: new Map(),
    explained: () => artifacts,
  }
  const results: testOptions.SolidityTestResult[] = []
  for await (const result of runProject(project, options)) results.push(result)
  if (results.length === 0) testOptions.refuseUnmatched(options.match, testNames(project), [])
  return results
}
