// The search for calls that break contracts, and the replay of a sequence that did.

import type { Emulator } from '../../../core/emulator/api.ts'
import { internalsOf } from '../../../core/emulator/internals.ts'
import { keccak256Hex } from '../../../core/primitives/crypto.ts'
import { type Hash, utf8ToBytes } from '../../../core/primitives/hex.ts'
import { load } from '../../../core/primitives/loading.ts'
import { textOf } from '../../../core/primitives/text-of.ts'
import type { ReplayReport } from '../applications/scene.ts'
import { whileMoving } from '../limit.ts'
import { type CausedFailure, endPart, errorOf, newPart, saveFailure, sum, tellProgress } from '../parts.ts'
import { keepingStrays } from '../strays.ts'
import { callsOf, NO_CALLS, type Path } from './call.ts'
import { type BrokenCheck, createChecks } from './checks.ts'
import { createDictionary } from './corpus.ts'
import {
  type ContractsPlan,
  type ContractsScene,
  contractsPlanOf,
  type ExploreContractsOptions,
  type ExploreContractsReport,
  type SavedCalls,
} from './options.ts'
import { createWatch, type Played, type Playground, playCalls, shrink } from './play.ts'
import { type PreparedContracts, prepare } from './prepare.ts'
import { type ContractExplorer, noteFailure, performRun } from './run.ts'
import { CALLS_PART, type CallsCounts, nameOfCalls, readCalls } from './story.ts'

/** Runs after which progress is told. */
const ROUND = 16

interface Found {
  readonly broken: BrokenCheck
  readonly path: Path
  /** The number of the run that found it. */
  readonly run: number
  /** Its place in the order of one process. */
  readonly at: readonly number[]
}

interface Campaign {
  /** Loaded apart, since it decodes traces. */
  readonly telling: typeof import('./tell.ts')
  readonly stage: PreparedContracts
  readonly plan: ContractsPlan
  readonly ground: Playground
  /** The branches that were reached before the first call. */
  readonly base: readonly number[]
  readonly found: Found[]
  /** Counts of the searches that are over. */
  counts: CallsCounts
  /** True when something has hung: nothing is performed any more. */
  isHung: boolean
  /** The error of the option `progress`, which ends everything. */
  thrown: unknown
}

/** Words on where a failure was found. */
function originOf({ plan }: Campaign, { path, run }: Found): string {
  return path.length === 0 ? '' : ` (run ${run + 1} of ${plan.runs}, seed ${plan.seed})`
}

/** Keeps a failure that is new, and tells the runner as it was found; returns whether it is new. */
function noteFound(campaign: Campaign, found: Found): boolean {
  const { plan, stage, telling } = campaign
  const { broken, path, at } = found
  if (plan.until === 'end' && campaign.found.some((other) => other.broken.key === broken.key)) return false
  campaign.found.push(found)
  if (broken.kind === 'storyHung' || plan.runner?.onFailure === undefined) return true
  const told = telling.sketchCalls(stage, broken, callsOf(path), originOf(campaign, found))
  plan.runner.onFailure({ ...told, at, ...(plan.until === 'end' && { key: broken.key }) })
  return true
}

/** The failure of what was cut, and the calls up to it. */
function hangOf({ watch, checks }: Playground, limitMs: number): readonly [BrokenCheck, Path] {
  watch.cut()
  const path = watch.at()
  const last = callsOf(path).at(-1)?.action
  const name = checks.doing() ?? (last === undefined ? 'the set-up' : `${last.contract}.${last.fn.name}`)
  return [{ kind: 'storyHung', name, key: 'hung', reason: `it has taken more than ${limitMs} ms` }, path]
}

function firstRun({ runs, searches }: ContractsPlan, search: number): number {
  return Math.floor((runs * search) / searches)
}

/** The numbers of the searches of this shard. */
function searchesOf({ searches, shard: { index, of } }: ContractsPlan): number[] {
  const count = Math.max(0, Math.ceil((searches - index) / of))
  return Array.from({ length: count }, (_, each) => index + each * of)
}

/** Tells of progress; throws `callbackFailed`. */
async function tellCounts({ plan, found, counts: before }: Campaign, counts: CallsCounts): Promise<void> {
  if (plan.progress === undefined) return
  const all = CALLS_PART.report(CALLS_PART.merge([before, counts]))
  const of = sum(searchesOf(plan), (search) => firstRun(plan, search + 1) - firstRun(plan, search))
  const coverage = { reached: all.edges, what: 'branches' }
  await tellProgress(plan.progress, { ...all, broken: found.length, of, states: all.kept, coverage })
}

/** Makes one search, from a map of branches that knows only those of the beginning. */
async function search(campaign: Campaign, number: number): Promise<void> {
  const { plan, ground, stage, base } = campaign
  const { until, limitMs, seed, depth, longestWait } = plan
  const { watch, machine, checks, root } = ground
  const { actions, senders, contracts } = stage.scene
  const [from, to] = [firstRun(plan, number), firstRun(plan, number + 1)]
  let [run, failures] = [from, 0]
  const own = contracts.map(({ address }) => address)
  const dictionary = createDictionary(root.state, own)
  const explorer: ContractExplorer = {
    ...{ machine, checks, watch, seed, depth, known: new Set(), calls: 0, failed: 0 },
    corpus: { nodes: [{ path: NO_CALLS, position: root }], seeds: [], calls: new Map(), slots: [...base] },
    source: { actions, senders, longestWait, addresses: [...senders, ...own], dictionary },
    find(broken, path) {
      if (noteFound(campaign, { broken, path, run, at: [number, failures] })) failures++
    },
  }
  const { seeds, slots } = explorer.corpus
  const counts = (): CallsCounts => {
    return { runs: run - from, calls: explorer.calls, failed: explorer.failed, kept: seeds.length, slots }
  }
  const isOver = (): boolean => run >= to || (until === 'first' && failures > 0)
  const makeRound = async (): Promise<true> => {
    for (const end = run + ROUND; run < end && !isOver(); run++) await performRun(explorer, run)
    return true
  }
  machine.coverage.learn(base)
  try {
    while (!isOver() && !campaign.isHung && watch.isNeeded(number)) {
      campaign.isHung = (await whileMoving(limitMs, watch.at, makeRound)) === undefined
      if (campaign.isHung) noteFailure(explorer, ...hangOf(ground, limitMs))
      else await tellCounts(campaign, counts())
    }
  } catch (thrown) {
    campaign.thrown = thrown
  }
  campaign.counts = CALLS_PART.merge([campaign.counts, counts()])
  machine.coverage.forget(slots)
}

/** A failure made simpler, told and saved; as it was found, if something hangs meanwhile. */
async function tell(campaign: Campaign, found: Found): Promise<CausedFailure> {
  const { stage, plan, ground } = campaign
  const { sketchCalls, tellPlayed } = campaign.telling
  const { broken, path, at } = found
  const origin = originOf(campaign, found)
  let told = sketchCalls(stage, broken, callsOf(path), origin)
  let cause = broken.error
  if (!campaign.isHung) {
    let best: Played | undefined
    const ended = await whileMoving(plan.limitMs, ground.watch.at, () =>
      shrink(ground, stage.scene.senders, callsOf(path), broken.key, plan.shrinks, (played) => {
        best = played
      }),
    )
    campaign.isHung = ended === undefined
    if (ended !== undefined) {
      const failed = ended.value.broken ?? broken
      cause = failed.error
      told = await tellPlayed(stage, failed, ended.value, origin)
    } else if (best !== undefined) {
      told = sketchCalls(stage, broken, best.calls, `${origin}, not made simpler: it hangs`)
    }
  }
  const saved = await saveFailure(plan.save, told, nameOfCalls)
  return [{ ...saved, at, ...(plan.until === 'end' && { key: broken.key }) }, cause]
}

/** Makes the searches of a shard; resolves to the counts and the failures, and what the option `progress` has thrown. */
export async function searchAll(stage: PreparedContracts, plan: ContractsPlan) {
  const { machine, scene, root } = stage
  const watch = createWatch(plan.runner)
  const ground: Playground = { machine, root, watch, checks: createChecks(scene, machine, watch.show) }
  const atFirst = await whileMoving(plan.limitMs, watch.at, async () =>
    ground.checks.ofPosition(root, new Set()),
  )
  const base = machine.coverage.take()
  machine.coverage.forget(base)
  const campaign: Campaign = {
    ...{ telling: await load(import('./tell.ts')), stage, plan, ground, base, found: [] },
    ...{ counts: CALLS_PART.merge([]), isHung: atFirst === undefined, thrown: undefined },
  }
  const { found } = campaign
  const [broken, path] = atFirst === undefined ? hangOf(ground, plan.limitMs) : [atFirst.value, NO_CALLS]
  if (broken !== undefined) noteFound(campaign, { broken, path, run: 0, at: [-1] })
  else {
    for (const number of searchesOf(plan)) {
      await search(campaign, number)
      if (campaign.isHung || campaign.thrown !== undefined) break
      if (plan.until === 'first' && found.length > 0) break
    }
  }
  const failures: CausedFailure[] = []
  for (const each of plan.until === 'first' ? found.slice(0, 1) : found) {
    failures.push(await tell(campaign, each))
  }
  return { counts: campaign.counts, failures, thrown: campaign.thrown }
}

/** A digest of everything that all parts have in common. */
function setUpOf({ scene, root }: PreparedContracts, plan: ContractsPlan): Hash {
  const { runs, depth, seed, searches, longestWait, until } = plan
  const { senders, failOnRevert } = scene
  const common = {
    ...{ runs, depth, seed, searches, longestWait, until, senders, failOnRevert },
    actions: scene.actions.map(({ contract, address, fn }) => [contract, address, fn.signature]),
    checked: [...scene.checked.map(({ name }) => name), scene.ending?.name, ...Object.keys(scene.invariants)],
    moment: [root.environment.number, root.environment.timestamp],
  }
  return keccak256Hex(utf8ToBytes(JSON.stringify(common)))
}

/**
 * Looks for calls that break contracts: sequences of calls of their functions, by several senders, with values and time
 * between, drawn from what the code compares and stores. What reaches a new branch is kept and varied. After every call,
 * assertions (`assert`, events named AssertionFailed), functions named `invariant_…` and `echidna_…`, and `invariants`
 * are checked. The first failure is made as short and simple as possible, and told. The chain stays as it is.
 *
 * @param chain An emulator on which the contracts are deployed; calls begin at its pending block.
 * @param options The contracts, what must hold of them, and how much is tried.
 * @throws TickchainError `invariantBroken`, `assertionFailed` or `storyHung`, with the story in its field story (all of
 *   them, with `until: 'end'`, in stories); `invalidOption`, `coverageUnavailable`, `invalidCall`, `callbackFailed`
 * @see docs/explore.md
 * @example
 * // Stores what it is called with: PUSH1 4, CALLDATALOAD, PUSH0, SSTORE.
 * const address = '0x00000000000000000000000000000000000000c1'
 * await chain.setCode(address, '0x6004355f5500')
 * const abi = [{ type: 'function', name: 'set', inputs: [{ type: 'uint256' }], stateMutability: 'nonpayable' }]
 * const report = await exploreContracts(chain, { contracts: { store: { address, abi } }, runs: 16 })
 * report.broken // => 0
 */
export async function exploreContracts(
  chain: Emulator,
  options: ExploreContractsOptions,
): Promise<ExploreContractsReport> {
  // Before the options: the first argument may be all that is given.
  internalsOf('exploreContracts', chain)
  const plan = contractsPlanOf(options)
  const stage = await prepare('exploreContracts', chain, plan.scene)
  const part = newPart('calls', plan.shard, setUpOf(stage, plan))
  plan.runner?.begin?.(part, part.setUp)
  const { counts, failures, thrown } = await keepingStrays(() => searchAll(stage, plan))
  if (failures.length === 0 && thrown !== undefined) throw thrown
  const notice = thrown === undefined ? '' : `\n${textOf((thrown as Error).message)}`
  await endPart(plan, { ...part, counts }, failures, notice)
  return CALLS_PART.report(counts)
}

const ORIGIN = ', replayed'

/** Performs the calls of a story; those that fail now are left out, and reported. */
export async function replayContracts(
  chain: Emulator,
  options: ContractsScene,
  story: SavedCalls,
): Promise<ReplayReport> {
  const plan = contractsPlanOf(options)
  const stage = await prepare('replay', chain, plan.scene)
  const { machine, scene, root } = stage
  const calls = readCalls(scene, story)
  const watch = createWatch(undefined)
  const ground = { machine, root, watch, checks: createChecks(scene, machine, watch.show) }
  const ended = await whileMoving(plan.limitMs, watch.at, () => playCalls(ground, calls))
  const { sketchCalls, tellPlayed } = await load(import('./tell.ts'))
  if (ended === undefined) {
    const [hung, path] = hangOf(ground, plan.limitMs)
    const told = await saveFailure(plan.save, sketchCalls(stage, hung, callsOf(path), ORIGIN), nameOfCalls)
    throw errorOf({ ...told, at: [] })
  }
  const { broken, ...played } = ended.value
  if (broken === undefined) return { steps: played.calls.length, impossible: played.failed }
  const told = await saveFailure(plan.save, await tellPlayed(stage, broken, ended.value, ORIGIN), nameOfCalls)
  throw errorOf({ ...told, at: [] }, broken.error)
}
