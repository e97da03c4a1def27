// A test contract, run as forge runs it: deployed and set up once, and each test on the state after that.

import type { AbiValue } from '../../../core/primitives/abi.ts'
import { failure, TickchainError } from '../../../core/primitives/errors.ts'
import { load } from '../../../core/primitives/loading.ts'
import type { AbiFunction } from '../../solidity/model/contract.ts'
import { encodeCall, makeCall } from '../contracts/call.ts'
import type { WrittenCall } from '../contracts/options.ts'
import { writeCall } from '../contracts/story.ts'
import { cheatSettingOf, type Granted, withSetting } from './cheat-setting.ts'
import { actionOfTest, fixturesOf, fuzzTest } from './fuzz.ts'
import { withSnapshotCheck } from './gas-snapshots.ts'
import { exploreInvariants, IN_SET_UP } from './invariants.ts'
import type { GasSnapshots, SolidityTestResult } from './options.ts'
import * as benches from './set-up.ts'
import { type ProjectSettings, withInline } from './settings.ts'
import type { TestFunction, TestSuite } from './suites.ts'

export interface SuiteRun {
  readonly bench: benches.Bench
  readonly settings: ProjectSettings
  readonly profile: string
  readonly seed: number
  readonly fuzzRuns: number | undefined
  readonly isWanted: (suite: TestSuite, test: TestFunction) => boolean
  /** Counterexamples of earlier runs, by `file:contract:test`. */
  readonly kept: ReadonlyMap<string, readonly WrittenCall[]>
  /** Makes the contracts known for a trace. */
  readonly explain: () => Promise<void>
  readonly granted: Granted
}

/** A refusal of the machine, such as a cheatcode that is not there, is the failure of one test. */
async function refusedAsFailure(task: () => Promise<benches.TestOutcome>): Promise<benches.TestOutcome> {
  try {
    return await task()
  } catch (error) {
    if (error instanceof TickchainError) return benches.failedOutcome(error.message)
    throw error
  }
}

async function traced(
  run: SuiteRun,
  { bench, suite, address, root }: Pick<benches.SetUpMessage, 'bench' | 'suite' | 'address' | 'root'>,
  input: Uint8Array,
  isCreation = false,
) {
  await run.explain()
  const { name, abi } = suite.artifact
  const message = { from: bench.sender, to: isCreation ? undefined : address, value: 0n, input }
  const { traceOfMessage } = await load(import('../contracts/tell.ts'))
  const stage = { ...bench, scene: { contracts: [{ name, address, abi }] } }
  const traced = await traceOfMessage(stage, root, message)
  bench.machine.coverage.take()
  return traced
}

async function withTrace(
  run: SuiteRun,
  deployed: benches.DeployedSuite,
  input: Uint8Array,
  result: benches.TestOutcome,
): Promise<benches.TestOutcome> {
  if (result.status !== 'failed') return result
  return { ...result, ...(await traced(run, deployed, input)) }
}

/** The end of a set-up, if it has failed with its trace. */
async function withSetUpTrace(run: SuiteRun, done: benches.SuiteSetUp): Promise<benches.SuiteSetUp> {
  const { ended } = done
  const { message, result } = ended ?? {}
  if (ended === undefined || message === undefined || result?.status !== 'failed') return done
  const own = await traced(run, message, message.input, message.isCreation)
  return { ended: { ...ended, result: { ...result, ...own } } }
}

async function runUnit(
  run: SuiteRun,
  deployed: benches.DeployedSuite,
  fn: AbiFunction,
  args: readonly AbiValue[] = [],
): Promise<benches.TestOutcome> {
  const { machine, sender } = deployed.bench
  const input = encodeCall(fn, args)
  const called = await machine.call(deployed.root, sender, deployed.address, input)
  const verdict = benches.verdictOf(called, deployed.bench.declared)
  const noted = [...called.after.cheats.noted].map(([group, values]) => [group, Object.fromEntries(values)])
  const snapshots = noted.length > 0 && { snapshots: Object.fromEntries(noted) as GasSnapshots }
  const result = { ...benches.outcomeOfTest(verdict, called), ...snapshots }
  return withTrace(run, deployed, input, result)
}

/** The rows of a table: one for each value of its fixtures, which go together. */
async function runTable(run: SuiteRun, deployed: benches.DeployedSuite, fn: AbiFunction) {
  const inputs = fn.inputs ?? []
  if (inputs.length === 0) return benches.failedOutcome('Table test should have at least one parameter')
  const fixtures = await fixturesOf(deployed, fn)
  const columns = fixtures.flatMap((fixture) => (fixture === undefined ? [] : [fixture.values]))
  if (columns.length < inputs.length) return benches.failedOutcome('Table test should have fixtures defined')
  const count = columns[0]?.length ?? 0
  if (count === 0) return benches.failedOutcome('Table test should have at least one fixture')
  const other = columns.findIndex(({ length }) => length !== count)
  if (other > 0) {
    const [{ length }, { name }] = [
      columns[other] as readonly AbiValue[],
      inputs[other] as { readonly name: string },
    ]
    return benches.failedOutcome(`${length} fixtures defined for ${name} (expected ${count})`)
  }
  for (const [at, { type }] of inputs.entries()) {
    const given = fixtures[at]?.type
    const words = `type mismatch: expected type "${type.canonical}", got value with type "${given}"`
    if (given !== type.canonical) return benches.failedOutcome(words)
  }
  let last: benches.TestOutcome = benches.failedOutcome('')
  for (let row = 0; row < count; row++) {
    const args = columns.map((column) => column[row] as AbiValue)
    const ended = await runUnit(run, deployed, fn, args)
    const logs = ended.status === 'skipped' ? [] : [...last.logs, ...ended.logs]
    last = { ...ended, logs, runs: row + 1 }
    if (last.status === 'passed') continue
    const counterexample = [writeCall(makeCall(actionOfTest(deployed, fn), run.bench.sender, args, 0n, 0))]
    return { ...last, ...(last.status === 'failed' && { counterexample }) }
  }
  return last
}

async function runFuzz(
  run: SuiteRun,
  deployed: benches.DeployedSuite,
  { fn }: TestFunction,
  settings: ProjectSettings,
  id: string,
): Promise<benches.TestOutcome> {
  const fuzzed = await fuzzTest(deployed, fn, settings, seedOf(id, run.seed), run.kept.get(id) ?? [])
  const { verdict, runs, counterexample, call } = fuzzed
  const counted = { runs, gas: Number(fuzzed.gas), ...(counterexample && { counterexample }) }
  if (call === undefined) return { ...benches.outcomeOfTest(verdict, undefined), ...counted }
  const { snapshots: _, ...again } = await runUnit(run, deployed, call.action.fn, call.args)
  return { ...again, ...counted }
}

/** A seed for a test, so that tests do not depend on one another. */
function seedOf(id: string, seed: number): number {
  let hash = seed | 0
  for (let at = 0; at < id.length; at++) hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0
  return hash
}

async function runTest(run: SuiteRun, deployed: benches.DeployedSuite, test: TestFunction, id: string) {
  const { fn, kind, inline } = test
  const { settings: own, problems } = withInline(run.settings, inline, run.profile)
  const [problem] = problems
  if (problem !== undefined) return benches.failedOutcome(problem.reason)
  if (fn.name.startsWith('testFail')) {
    const words =
      '`testFail*` has been removed. Consider changing to test_Revert[If|When]_Condition and expecting a revert'
    return { ...benches.failedOutcome(words), gas: 0 }
  }
  if (fn.inputs === undefined)
    return benches.failedOutcome(`${fn.signature} has a parameter of a type that is not known`)
  const setting = cheatSettingOf(run.granted, own, deployed.suite)
  const begun = await benches.beforeTest(deployed, test)
  if (typeof begun === 'string') return benches.failedOutcome(begun)
  const ready = { ...deployed, root: withSetting(begun, setting, run.settings.evm_version) }
  if (kind === 'unit') return withSnapshotCheck(run.settings, run.granted, await runUnit(run, ready, fn))
  if (kind === 'table') return runTable(run, ready, fn)
  const runs = run.fuzzRuns
  const settings = runs === undefined ? own : { ...own, fuzz: { ...own.fuzz, runs } }
  return runFuzz(run, ready, test, settings, id)
}

/** Explores invariants of a contract that have the same settings, but for those that skip themselves or do not hold at first. */
async function runInvariants(
  run: SuiteRun,
  deployed: benches.DeployedSuite,
  tests: readonly TestFunction[],
  id: string,
): Promise<ReadonlyMap<string, benches.TestOutcome>> {
  const { settings, problems } = withInline(run.settings, tests[0]?.inline ?? [], run.profile)
  const [problem] = problems
  if (problem !== undefined)
    throw failure('invalidOption', { option: 'forge-config', reason: problem.reason })
  await run.explain()
  const ended = new Map<string, benches.TestOutcome>()
  for (const { fn } of tests) {
    const first = await runUnit(run, deployed, fn)
    if (first.status === 'skipped') ended.set(fn.signature, first)
    if (first.status === 'failed')
      ended.set(fn.signature, { ...first, reason: `${IN_SET_UP}${first.reason ?? ''}` })
  }
  const others = tests.filter(({ fn }) => !ended.has(fn.signature))
  if (others.length === 0) return ended
  const kept = others.flatMap(({ fn }) => {
    const calls = run.kept.get(`${id}:${fn.signature}`)
    return calls === undefined ? [] : [calls]
  })
  const explored = await exploreInvariants(deployed, others, settings, seedOf(id, run.seed), kept)
  return new Map([...ended, ...explored])
}

/** Opens a contract, whose tests can be run one by one; the first sets it up. `wanted` are the invariants that are explored together. */
export function openSuite(run: SuiteRun, suite: TestSuite, wanted: readonly TestFunction[]) {
  const { file, name: contract } = suite.artifact
  const { coverage } = run.bench.machine
  const invariants = wanted.filter(({ kind, fn }) => kind === 'invariant' && fn.inputs?.length === 0)
  let made: benches.SuiteSetUp | undefined
  /** By the lines of their settings. */
  const explored = new Map<string, ReadonlyMap<string, benches.TestOutcome>>()
  const setUp = async (): Promise<benches.SuiteSetUp> => {
    let done: benches.SuiteSetUp | undefined
    const refusal = await refusedAsFailure(async () => {
      // The lines of the contract are those of each test.
      const [first = [], ...others] = suite.tests.map(({ inline }) => inline)
      const lines = first.filter((line) => others.every((each) => each.includes(line)))
      const { settings } = withInline(run.settings, lines, run.profile)
      const setting = cheatSettingOf(run.granted, settings, suite)
      const root = withSetting(run.bench.root, setting, run.settings.evm_version)
      done = await withSetUpTrace(run, await benches.setUpSuite({ ...run.bench, root }, run.settings, suite))
      return { status: 'passed', logs: [] }
    })
    coverage.forget(coverage.take())
    return done ?? { ended: { test: 'setUp()', result: refusal } }
  }
  return {
    /** The result of a test; of the set-up, if that ends before the tests. */
    async run(test: TestFunction): Promise<SolidityTestResult> {
      made ??= await setUp()
      const { deployed, ended } = made
      if (ended !== undefined) return { file, contract, test: ended.test, ...ended.result }
      const { signature } = test.fn
      const result = await refusedAsFailure(async () => {
        const own = deployed as benches.DeployedSuite
        if (test.kind !== 'invariant') return runTest(run, own, test, `${file}:${contract}:${signature}`)
        if (test.fn.inputs?.length !== 0)
          return benches.failedOutcome(`${IN_SET_UP}Invariant test function should have no inputs`)
        const lines = test.inline.join('\n')
        const alike = invariants.filter(({ inline }) => inline.join('\n') === lines)
        const outcomes = explored.get(lines) ?? (await runInvariants(run, own, alike, `${file}:${contract}`))
        explored.set(lines, outcomes)
        return outcomes.get(signature) as benches.TestOutcome
      })
      coverage.forget(coverage.take())
      const logs = [...(deployed as benches.DeployedSuite).logs, ...result.logs]
      return { file, contract, test: signature, ...result, logs }
    },
  }
}

export async function* runSuite(run: SuiteRun, suite: TestSuite): AsyncGenerator<SolidityTestResult> {
  const wanted = suite.tests.filter((test) => run.isWanted(suite, test))
  const open = openSuite(run, suite, wanted)
  for (const test of wanted) {
    const result = await open.run(test)
    yield result
    // The set-up has ended it.
    if (result.test !== test.fn.signature) return
  }
}
