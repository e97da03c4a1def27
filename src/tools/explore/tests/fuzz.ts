// Fuzzing of a test: calls of one function, each on the state after the set-up.

import { type AbiType, type AbiValue, decodeAbi, signatureOf } from '../../../core/primitives/abi.ts'
import type { Address } from '../../../core/primitives/hex.ts'
import { isPromise } from '../../../core/primitives/loading.ts'
import type { AbiFunction } from '../../solidity/model/contract.ts'
import { type Action, type Call, encodeCall, type Fixtures, makeCall } from '../contracts/call.ts'
import type { CallOutcome } from '../contracts/call-outcome.ts'
import { NO_CHECKS } from '../contracts/checks.ts'
import { createDictionary } from '../contracts/corpus.ts'
import type { WrittenCall } from '../contracts/options.ts'
import { createWatch, type Playground } from '../contracts/play.ts'
import { actionOf } from '../contracts/scene.ts'
import { shrinkCalls } from '../contracts/shrink-calls.ts'
import { readAction, writeCall } from '../contracts/story.ts'
import type { Failure } from '../failures.ts'
import { createRandom } from '../random.ts'
import { drawTestArguments } from './draw-arguments.ts'
import { type DeployedSuite, type TestVerdict, verdictOf } from './set-up.ts'
import type { ProjectSettings } from './settings.ts'

export function actionOfTest({ address, suite }: DeployedSuite, fn: AbiFunction): Action {
  return actionOf(0, suite.artifact.name, address, fn)
}

function normal(name: string): string {
  return name.replace(/^_+|_+$/g, '').toLowerCase()
}

const MOST_FIXTURES = 1000

interface Fixture {
  readonly type: string
  readonly values: readonly AbiValue[]
}

/** A fixture: a function or an array whose name is `fixture` and that of a parameter. */
async function fixtureOf(
  { bench: { machine, sender }, address, suite, root }: DeployedSuite,
  name: string,
): Promise<Fixture | undefined> {
  const fn = suite.functions.find(
    (each) => /^fixture/.test(each.name) && normal(each.name.slice(7)) === normal(name),
  )
  if (fn === undefined || name === '') return undefined
  const types = (fn.outputs ?? []).map(({ type }) => type)
  const [type] = types
  // The getter of an array of structs returns their fields.
  const ask = async (args: readonly AbiValue[]): Promise<AbiValue | undefined> => {
    const { result } = await machine.call(root, sender, address, encodeCall(fn, args))
    const returned = result.outcome === 'success' ? decodeAbi(types, result.returnData) : undefined
    return types.length > 1 ? returned : returned?.[0]
  }
  if (fn.inputs?.length === 0) {
    const values = type?.kind === 'array' && types.length === 1 ? await ask([]) : undefined
    if (type?.kind !== 'array' || values === undefined) return undefined
    return { type: type.element.canonical, values: values as readonly AbiValue[] }
  }
  const values: AbiValue[] = []
  for (let index = 0; fn.signature.endsWith('(uint256)') && index < MOST_FIXTURES; index++) {
    const value = await ask([BigInt(index)])
    if (value === undefined) break
    values.push(value)
  }
  return { type: types.length === 1 ? (type as AbiType).canonical : signatureOf('', types), values }
}

export async function fixturesOf(deployed: DeployedSuite, fn: AbiFunction) {
  const all: (Fixture | undefined)[] = []
  for (const { name } of fn.inputs ?? []) all.push(await fixtureOf(deployed, name))
  return all
}

/** Those of the parameters' types. */
export async function fittingFixtures(deployed: DeployedSuite, { fn, types }: Action): Promise<Fixtures> {
  const found = await fixturesOf(deployed, fn)
  return found.map((fixture, at) => (fixture?.type === types[at]?.canonical ? fixture?.values : undefined))
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
function createTally({ bench }: DeployedSuite) {
  const tally = { ...NO_CHECKS, gases: [] as bigint[], gasOfFailure: 0n, rejected: 0, ofCall }
  let verdict: TestVerdict | undefined
  function ofCall(_: Call, outcome: CallOutcome): Failure | undefined {
    const { executionGas } = outcome.result
    const ended = verdictOf(outcome, bench.declared)
    if (ended.status === 'rejected') tally.rejected++
    if (ended.status === 'passed') tally.gases.push(executionGas)
    if (ended.status === 'rejected' || ended.status === 'passed') return undefined
    verdict = ended
    tally.gasOfFailure = executionGas
    const { status, reason = '' } = ended
    return { kind: 'assertionFailed', name: status, reason, key: status }
  }
  return Object.assign(tally, { verdict: () => verdict })
}

/** In place of 0, by which forge would go on for ever. */
const MOST_REJECTED = 10_000_000
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
  const attempts = gas === 0n ? SHRINKS : Math.min(SHRINKS, Number(SHRINK_GAS / gas))
  const { calls } = await shrinkCalls(ground, [sender], [call], 'failed', attempts, () => {})
  return calls
}

export function tooManyRejected(most: number): string {
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
  const action = actionOfTest(deployed, fn)
  const fixtures = await fittingFixtures(deployed, action)
  const tally = createTally(deployed)
  const ground = { machine, checks: tally, watch: createWatch(undefined), root }
  const addresses = [sender, ...deployed.addresses]
  const dictionary = createDictionary(root.state, deployed.addresses)
  dictionary.add(BigInt(deployed.address))
  const [runs, knownPercent] = [Number(settings.fuzz.runs), Number(settings.fuzz.dictionary_weight)]
  const mostRejected = Number(settings.fuzz.max_test_rejects) || MOST_REJECTED
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
    if (tally.rejected >= mostRejected) break
    const source = { random: createRandom(seed, run), dictionary, addresses, literals: bench.literals }
    const args = drawTestArguments(source, action.types, fixtures, knownPercent)
    if (args.some((arg) => bench.libraries.includes(arg as Address))) tally.rejected++
    else await attempt(makeCall(action, sender, args, 0n, 0))
  }
  const verdict = tally.verdict()
  const counted = { runs: tally.gases.length, gas: median(tally.gases) ?? 0n }
  if (failing === undefined) {
    const reason = tooManyRejected(mostRejected)
    return { ...counted, verdict: counted.runs < runs ? { status: 'failed', reason } : { status: 'passed' } }
  }
  if (verdict?.status !== 'failed')
    return { ...counted, verdict: verdict as TestVerdict, counterexample: [writeCall(failing)] }
  const [call = failing] = await simplest(ground, sender, failing, tally.gasOfFailure)
  return { ...counted, verdict, counterexample: [writeCall(call)], call }
}
