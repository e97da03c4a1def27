// The invariants of a test contract, explored together: every sequence of calls is checked by all of them.

import { CHEATCODES, CONSOLE_ADDRESS } from '../../../core/execution/evm/pooled-evm.ts'
import { addressOfWord } from '../../../core/primitives/crypto.ts'
import { TickchainError } from '../../../core/primitives/errors.ts'
import { type Address, bytesToHex, bytesToText } from '../../../core/primitives/hex.ts'
import { SCRIPT_FACTORY } from '../../cheatcodes/addresses.ts'
import { WORDED_ERRORS } from '../../cheatcodes/revert-words.ts'
import type { Action } from '../contracts/call.ts'
import type { CallOutcome } from '../contracts/call-outcome.ts'
import { searchAll } from '../contracts/campaign.ts'
import { createDictionary } from '../contracts/corpus.ts'
import type { CallCheck } from '../contracts/machine.ts'
import type { ContractsPlan, WrittenCall } from '../contracts/options.ts'
import { sceneAfterSetUp } from '../contracts/prepare.ts'
import { type ContractScene, knownContract } from '../contracts/scene.ts'
import { storyOf } from '../contracts/story.ts'
import type { ReportedFailure } from '../failures.ts'
import type { CorpusFile } from '../kept.ts'
import { sum } from '../parts.ts'
import { keepingStrays } from '../strays.ts'
import { fittingFixtures, tooManyRejected } from './fuzz.ts'
import { type DeployedSuite, failedOutcome, type TestOutcome, verdictOf } from './set-up.ts'
import type { ProjectSettings } from './settings.ts'
import type { TestFunction } from './suites.ts'

/** Accounts that call, beside that of the test. */
const OTHER_SENDERS = [`0x${'10'.repeat(20)}`, `0x${'20'.repeat(20)}`] as const
const LIMIT_MS = 60_000

const MOST_OTHERS = 64
/** Accounts that are no senders in forge. */
const NO_SENDERS: readonly string[] = [CHEATCODES, CONSOLE_ADDRESS, SCRIPT_FACTORY]

/** Contracts and the addresses that they know, and more accounts: all of which call in forge. */
function othersOf({ address, addresses, root }: DeployedSuite): Address[] {
  const known = createDictionary(root.state, addresses).addresses.slice(0, MOST_OTHERS)
  const more = Array.from({ length: 16 }, (_, index) => addressOfWord(BigInt(0xa0 + index) << 152n))
  return [...addresses, ...known, ...more].filter((each) => each !== address && !NO_SENDERS.includes(each))
}

function planOf({ invariant }: ProjectSettings, seed: number): ContractsPlan {
  const scene = { contracts: [], test: undefined, invariants: {}, maximize: {}, senders: undefined }
  return {
    scene: { ...scene, failOnRevert: invariant.fail_on_revert },
    runs: Number(invariant.runs),
    depth: Number(invariant.depth),
    longestWait: Number(invariant.max_time_delay) || Number(invariant.max_block_delay),
    shrinks: Number(invariant.shrink_run_limit),
    seed,
    searches: 1,
    shard: { index: 0, of: 1 },
    limitMs: LIMIT_MS,
    seconds: undefined,
    until: 'end',
    progress: undefined,
    report: undefined,
    runner: undefined,
    save: undefined,
    corpus: undefined,
  }
}

function outcomeOf({ reason, story, told, places = [] }: ReportedFailure, runs: number): TestOutcome {
  const { calls } = JSON.parse(story ?? '{"calls":[]}') as { readonly calls: readonly WrittenCall[] }
  return { ...failedOutcome(reason), runs, counterexample: calls, trace: told.trim(), places }
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
  [/(?<=: )(\S+ does not have the selector \w+)/, '$1'],
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

function isAssertion(words: string, { result }: CallOutcome): boolean {
  if (words === OLD_ASSERTION) return true
  // A failure that was only noted has no data.
  const isWorded =
    result.outcome === 'success' || WORDED_ERRORS.includes(bytesToHex(result.returnData.subarray(0, 4)))
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

/** Explores a contract for the invariants that are wanted, first by the calls that have broken them before; resolves to the outcome of each, by its signature. */
export async function exploreInvariants(
  deployed: DeployedSuite,
  tests: readonly TestFunction[],
  settings: ProjectSettings,
  seed: number,
  kept: readonly (readonly WrittenCall[])[],
): Promise<ReadonlyMap<string, TestOutcome>> {
  const { bench, suite, address, root } = deployed
  const { name } = suite.artifact
  const names = new Map(tests.map(({ fn }) => [`${name}.${fn.name}`, fn.signature]))
  const { sender, known, machine } = bench
  const test = knownContract({ name, option: name, address, abi: suite.artifact.abi })
  const plan = planOf(settings, seed)
  const others = othersOf(deployed)
  const senders = [sender, ...OTHER_SENDERS]
  const made = {
    machine,
    known,
    senders,
    others,
    before: bench.root,
    root,
    test,
    from: sender,
    isLikeForge: true,
  }
  const scene = await sceneAfterSetUp(made, [], plan.scene).catch(refusalOf)
  const allEnd = (reason: string) => new Map(tests.map(({ fn }) => [fn.signature, failedOutcome(reason)]))
  if (typeof scene === 'string') return allEnd(scene)
  const checked = scene.checked.filter((each) => names.has(each.name))
  const actions: Action[] = []
  for (const each of scene.actions) actions.push({ ...each, fixtures: await fittingFixtures(deployed, each) })
  const { depth, max_assume_rejects, max_time_delay, max_block_delay } = settings.invariant
  // As in forge, either passes alone.
  const ofWait = (most: number | string) => Number(most) / plan.longestWait
  const [seconds, blocks] = [ofWait(max_time_delay), ofWait(max_block_delay)]
  machine.pace = (wait) => [Math.floor(wait * seconds), Math.floor(wait * blocks)]
  const rejects = new Map<Action, { calls: number; rejected: number }>()
  machine.onOutcome = ({ isAssumption }, { action }) => {
    const { calls, rejected } = rejects.get(action) ?? { calls: 0, rejected: 0 }
    rejects.set(action, { calls: calls + 1, rejected: rejected + Number(isAssumption) })
  }
  const failureOf: FailureWords = (called) => {
    const verdict = verdictOf(called, bench.declared)
    if (verdict.status === 'failed') return verdict.reason
    const { outcome, returnData } = called.result
    return outcome === 'success' ? undefined : bytesToText(returnData)
  }
  const ofCall = handlerCheck(failureOf, settings.invariant.fail_on_revert)
  const stage = { ...bench, scene: { ...scene, actions, checked, ofCall, failureOf }, root }
  const files = kept.map((calls): CorpusFile => ['', storyOf(undefined, calls)])
  const search = machine.guided(() => keepingStrays(() => searchAll(stage, plan, files)))
  const { counts, failures, thrown } = await search.finally(() => {
    machine.onOutcome = undefined
  })
  if (thrown !== undefined) throw thrown.error
  // forge allows so many in a run, which goes on until it has so many other calls. There, each function is as frequent.
  const most = Number(max_assume_rejects)
  const rejected = sum([...rejects.values()], (each) => each.rejected / each.calls)
  if (failures.length === 0 && rejected * Number(depth) > most * (rejects.size - rejected))
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
