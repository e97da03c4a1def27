// Fuzzing of a test: calls of one function, each on the state after the set-up, drawn and made simpler as in the exploration
// of contracts. And the invariants of a test contract, explored together: every sequence of calls is checked by all of them.

import { type AbiValue, decodeAbi } from '../../../core/primitives/abi.ts'
import { encodeAbi } from '../../../core/primitives/encode-abi.ts'
import { TickchainError } from '../../../core/primitives/errors.ts'
import { type Address, bytesToHex, bytesToText, hexToBytes } from '../../../core/primitives/hex.ts'
import { isPromise } from '../../../core/primitives/loading.ts'
import { PANIC, TEXT_ERRORS } from '../../cheatcodes/revert-words.ts'
import type { AbiFunction } from '../../solidity/model/contract.ts'
import { type Action, type Call, makeCall } from '../contracts/call.ts'
import { searchAll } from '../contracts/campaign.ts'
import type { Checks } from '../contracts/checks.ts'
import { createDictionary } from '../contracts/corpus.ts'
import type { CallCheck, CallOutcome } from '../contracts/machine.ts'
import type { ContractsPlan, WrittenCall } from '../contracts/options.ts'
import { createWatch, type Playground, shrinkCalls } from '../contracts/play.ts'
import { sceneAfterSetUp } from '../contracts/prepare.ts'
import { actionOf, type ContractScene, knownContract } from '../contracts/scene.ts'
import { readAction, writeCall } from '../contracts/story.ts'
import type { Failure, ReportedFailure } from '../failures.ts'
import { createRandom } from '../random.ts'
import { keepingStrays } from '../strays.ts'
import { drawTestArguments } from './draw-arguments.ts'
import { type DeployedSuite, failedOutcome, type TestOutcome, type TestVerdict, verdictOf } from './set-up.ts'
import type { ProjectSettings } from './settings.ts'
import type { TestFunction } from './suites.ts'

export function actionOfTest({ address, suite }: DeployedSuite, fn: AbiFunction): Action {
  return actionOf(0, suite.artifact.name, address, fn)
}

function normal(name: string): string {
  return name.replace(/^_+|_+$/g, '').toLowerCase()
}

const MOST_FIXTURES = 1000

/** The values of a fixture: a function or an array whose name is `fixture` and that of a parameter. */
async function fixtureOf(
  { bench: { machine, sender }, address, suite, root }: DeployedSuite,
  name: string,
): Promise<readonly AbiValue[] | undefined> {
  const fn = suite.functions.find(
    (each) => /^fixture/.test(each.name) && normal(each.name.slice(7)) === normal(name),
  )
  if (fn === undefined || name === '') return undefined
  const types = (fn.outputs ?? []).map(({ type }) => type)
  const ask = async (args: readonly AbiValue[]): Promise<AbiValue | undefined> => {
    const input = encodeAbi(
      (fn.inputs ?? []).map(({ type }) => type),
      args,
      hexToBytes(fn.selector),
    )
    const { result } = await machine.call(root, sender, address, input)
    return result.outcome === 'success' ? decodeAbi(types, result.returnData)?.[0] : undefined
  }
  if (fn.inputs?.length === 0) {
    const all = await ask([])
    return Array.isArray(all) ? (all as readonly AbiValue[]) : undefined
  }
  const values: AbiValue[] = []
  for (let index = 0; index < MOST_FIXTURES; index++) {
    const value = await ask([BigInt(index)])
    if (value === undefined) break
    values.push(value)
  }
  return values
}

/** The fixtures of the parameters of a test. */
export async function fixturesOf(deployed: DeployedSuite, fn: AbiFunction) {
  const all: (readonly AbiValue[] | undefined)[] = []
  for (const { name } of fn.inputs ?? []) all.push(await fixtureOf(deployed, name))
  return all
}

interface FuzzOutcome {
  readonly verdict: TestVerdict
  readonly runs: number
  /** The median of the runs that pass. */
  readonly gas: bigint
  readonly counterexample?: readonly WrittenCall[]
  /** The call that fails, for its trace. */
  readonly call?: Call
}

/** Counts what runs have come to, and tells failures. */
class Tally implements Checks {
  /** Gas of the runs that pass. */
  readonly gases: bigint[] = []
  gasOfFailure = 0n
  rejected = 0
  verdict: TestVerdict | undefined
  private readonly deployed: DeployedSuite

  constructor(deployed: DeployedSuite) {
    this.deployed = deployed
  }

  ofCall = (_: Call, outcome: CallOutcome): Failure | undefined => {
    const { result } = outcome
    const verdict = verdictOf(outcome, this.deployed.bench.declared)
    if (verdict.status === 'rejected') {
      this.rejected++
      return undefined
    }
    if (verdict.status === 'passed') {
      this.gases.push(result.executionGas)
      return undefined
    }
    this.verdict = verdict
    this.gasOfFailure = result.executionGas
    const { status, reason = '' } = verdict
    return { kind: 'assertionFailed', name: status, reason, key: status }
  }

  ofEnd = (): undefined => undefined
  ofPosition = (): undefined => undefined
  doing = (): undefined => undefined
}

/** Attempts at a simpler counterexample. */
const SHRINKS = 2000
/** Gas of the attempts: a test that uses up its gas is not tried for minutes. */
const SHRINK_GAS = 3_000_000_000n

/** The median; of an even number the mean of the two in the middle, as in forge. */
function median(gases: readonly bigint[]): bigint | undefined {
  const sorted = [...gases].sort((a, b) => (a < b ? -1 : 1))
  const [below, above] = [(sorted.length - 1) >> 1, sorted.length >> 1].map((at) => sorted[at])
  return below === undefined || above === undefined ? undefined : (below + above) / 2n
}

async function simplest(ground: Playground, sender: Address, call: Call, gas: bigint) {
  const attempts = gas === 0n ? SHRINKS : Number(SHRINK_GAS / gas)
  const { calls } = await shrinkCalls(
    ground,
    [sender],
    [call],
    'failed',
    Math.min(SHRINKS, attempts),
    () => {},
  )
  return calls
}

function tooManyRejected(most: number): string {
  return `\`vm.assume\` rejected too many inputs (${most} allowed)`
}

/** Fuzzes a test. `kept` are counterexamples of earlier runs, which are tried first. */
export async function fuzzTest(
  deployed: DeployedSuite,
  fn: AbiFunction,
  settings: ProjectSettings,
  seed: number,
  kept: readonly WrittenCall[],
): Promise<FuzzOutcome> {
  const { bench, root } = deployed
  const { machine, sender } = bench
  const fixtures = await fixturesOf(deployed, fn)
  const action = actionOfTest(deployed, fn)
  const tally = new Tally(deployed)
  const ground = { machine, checks: tally, watch: createWatch(undefined), root }
  const addresses = [sender, ...deployed.addresses]
  const dictionary = createDictionary(root.state, deployed.addresses)
  dictionary.add(BigInt(deployed.address))
  const [runs, knownPercent] = [Number(settings.fuzz.runs), Number(settings.fuzz.dictionary_weight)]
  const mostRejected = Number(settings.fuzz.max_test_rejects)
  let failing: Call | undefined
  const attempt = async (call: Call): Promise<void> => {
    const performed = machine.perform(root, call)
    const outcome = isPromise(performed) ? await performed : performed
    if (outcome !== undefined && tally.ofCall(call, outcome) !== undefined) failing = call
  }
  for (const each of kept) {
    const call = readAction(action, sender, each)
    if (call !== undefined && failing === undefined) await attempt(call)
  }
  for (let run = 0; failing === undefined && tally.gases.length < runs; run++) {
    if (tally.rejected > mostRejected) break
    const source = { random: createRandom(seed, run), dictionary, addresses, literals: bench.literals }
    const args = drawTestArguments(source, action.types, fixtures, knownPercent)
    if (args.some((arg) => bench.libraries.includes(arg as Address))) tally.rejected++
    else await attempt(makeCall(action, sender, args, 0n, 0))
  }
  const { verdict } = tally
  const counted = { runs: tally.gases.length, gas: median(tally.gases) ?? 0n }
  if (failing === undefined) {
    const reason = tooManyRejected(mostRejected)
    return { ...counted, verdict: counted.runs < runs ? { status: 'failed', reason } : { status: 'passed' } }
  }
  if (verdict?.status !== 'failed') return { ...counted, verdict: verdict as TestVerdict }
  const [call = failing] = await simplest(ground, sender, failing, tally.gasOfFailure)
  return { ...counted, verdict, counterexample: [writeCall(call)], call }
}

/** Accounts that call, beside that of the test. */
const OTHER_SENDERS = [`0x${'10'.repeat(20)}`, `0x${'20'.repeat(20)}`] as const
const LIMIT_MS = 60_000

function planOf({ invariant }: ProjectSettings, seed: number): ContractsPlan {
  const scene = { contracts: [], test: undefined, invariants: {}, maximize: {}, senders: undefined }
  return {
    scene: { ...scene, failOnRevert: invariant.fail_on_revert },
    runs: Number(invariant.runs),
    depth: Number(invariant.depth),
    longestWait: Number(invariant.max_time_delay),
    shrinks: Number(invariant.shrink_run_limit),
    ...{ seed, searches: 1, shard: { index: 0, of: 1 }, limitMs: LIMIT_MS, seconds: undefined, until: 'end' },
    ...{ progress: undefined, report: undefined, runner: undefined, save: undefined, corpus: undefined },
  }
}

function outcomeOf({ reason, story, told }: ReportedFailure, runs: number): TestOutcome {
  const { calls } = JSON.parse(story ?? '{"calls":[]}') as { readonly calls: readonly WrittenCall[] }
  return { ...failedOutcome(reason), runs, counterexample: calls, trace: told.trim() }
}

/** The beginning of forge's words for an invariant that cannot begin. */
export const IN_SET_UP = 'failed to set up invariant testing environment: '

/** Why a contract cannot be explored, in our words and in those of forge. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/: there is no (contract|function) to call/, 'No contracts to fuzz.'],
  [
    / names (\S+), which the chain does not know/,
    '$1 not found in the project. Allowed format: `contract_name` or `contract_path:contract_name`.',
  ],
  [/: the target (\w+) is not known/, '[targetSelectors] address does not have an associated contract: $1'],
]

function refusalOf(error: unknown): string {
  const { message } = error as Error
  const [pattern, words] = REFUSALS.find(([each]) => each.test(message)) ?? []
  const [found] = pattern?.exec(message) ?? []
  if (!(error instanceof TickchainError) || pattern === undefined || found === undefined) throw error
  return `${IN_SET_UP}${found.replace(pattern, words as string)}`
}

/** Reasons of calls that forge takes for failed assertions of handlers: in code of old compilers, and by words. */
const OLD_ASSERTION = 'EvmError: InvalidFEOpcode'
const ASSERTION = 'assertion failed'
/** Errors whose words count. */
const WORDED = [...TEXT_ERRORS, PANIC]

function isAssertion(words: string, { result }: CallOutcome): boolean {
  if (words === OLD_ASSERTION) return true
  // A failure that was only noted has no data.
  const isWorded =
    result.outcome === 'success' || WORDED.includes(bytesToHex(result.returnData.subarray(0, 4)))
  return isWorded && words.includes(ASSERTION)
}

type FailureWords = NonNullable<ContractScene['failureOf']>

/** Counts calls as forge does: those that fail an assertion, and with `fail_on_revert` all that fail. */
function handlerCheck(failureOf: FailureWords, failOnRevert: boolean): CallCheck {
  return ({ action }, outcome) => {
    const words = outcome.isAssumption ? undefined : failureOf(outcome)
    if (words === undefined || (!failOnRevert && !isAssertion(words, outcome))) return undefined
    const where = `${action.contract}.${action.fn.name}`
    return { kind: 'assertionFailed', name: where, key: `failure of ${where}`, reason: words }
  }
}

/** Explores a contract for the invariants that are wanted; resolves to the outcome of each, by its signature. */
export async function exploreInvariants(
  { bench, suite, address, root }: DeployedSuite,
  tests: readonly TestFunction[],
  settings: ProjectSettings,
  seed: number,
): Promise<ReadonlyMap<string, TestOutcome>> {
  const { name } = suite.artifact
  const names = new Map(tests.map(({ fn }) => [`${name}.${fn.name}`, fn.signature]))
  const { sender, known, machine } = bench
  const test = knownContract({ name, option: name, address, abi: suite.artifact.abi })
  const plan = planOf(settings, seed)
  const senders = [sender, ...OTHER_SENDERS]
  const made = { machine, known, senders, before: bench.root, root, test, from: sender }
  const scene = await sceneAfterSetUp(made, [], plan.scene).catch(refusalOf)
  const allEnd = (reason: string) => new Map(tests.map(({ fn }) => [fn.signature, failedOutcome(reason)]))
  if (typeof scene === 'string') return allEnd(scene)
  const checked = scene.checked.filter((each) => names.has(each.name))
  const { depth, max_assume_rejects } = settings.invariant
  let [accepted, rejected] = [0, 0]
  machine.onOutcome = ({ isAssumption }) => void (isAssumption ? rejected++ : accepted++)
  const failureOf: FailureWords = (called) => {
    const verdict = verdictOf(called, bench.declared)
    if (verdict.status === 'failed') return verdict.reason
    const { outcome, returnData } = called.result
    return outcome === 'success' ? undefined : bytesToText(returnData)
  }
  const ofCall = handlerCheck(failureOf, settings.invariant.fail_on_revert)
  const stage = { ...bench, scene: { ...scene, checked, ofCall, failureOf }, root }
  const search = machine.guided(() => keepingStrays(() => searchAll(stage, plan)))
  const { counts, failures, thrown } = await search.finally(() => {
    machine.onOutcome = undefined
  })
  if (thrown !== undefined) throw thrown.error
  // forge allows so many in a run, which goes on until it has so many other calls.
  const most = Number(max_assume_rejects)
  if (failures.length === 0 && rejected * Number(depth) > most * accepted)
    return allEnd(tooManyRejected(most))
  const outcomes = new Map<string, TestOutcome>()
  for (const [told] of failures) {
    const signature = told.name === undefined ? undefined : names.get(told.name)
    if (signature !== undefined) outcomes.set(signature, outcomeOf(told, counts.runs))
    // `afterInvariant`, a call that has taken too long, and failures of handlers fail them all.
    else
      for (const { fn } of tests)
        if (!outcomes.has(fn.signature)) outcomes.set(fn.signature, outcomeOf(told, counts.runs))
  }
  const passed: TestOutcome = { status: 'passed', runs: counts.runs, logs: [] }
  return new Map(tests.map(({ fn }) => [fn.signature, outcomes.get(fn.signature) ?? passed]))
}
