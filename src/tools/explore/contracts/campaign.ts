// The searches of an exploration, one after the other, and the failures that they have found, told. A search makes rounds of
// runs; the runs of a round do not see one another, and what they have found is merged in the order of their numbers.

import { type Address, bytesToBigInt } from '../../../core/primitives/hex.ts'
import { load } from '../../../core/primitives/loading.ts'
import { readAccount } from '../../../core/state/world-state.ts'
import { whileMoving } from '../limit.ts'
import { type ReportedFailure, saveFailure, tellProgress } from '../parts.ts'
import { callsOf, NO_CALLS } from './call.ts'
import { createChecks } from './checks.ts'
import { addTo, constantsOf, createCorpus } from './corpus.ts'
import type { ContractsPlan } from './options.ts'
import { createWatch, type Played, type Playground } from './play.ts'
import type { PreparedContracts } from './prepare.ts'
import { type ContractExplorer, type ContractFailure, performRun, type RunResult } from './run.ts'
import { shrink } from './shrink.ts'
import { CALLS_PART, type CallsCounts, nameOfCalls } from './story.ts'

const MOST_STORED = 256
/** Runs of a round. Fewer would see sooner what others have found. */
const ROUND = 16

/** A failure, and its place in the order of one process. */
interface Found extends ContractFailure {
  readonly at: readonly number[]
}

/** The searches so far. */
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

/** The parts of a stage that a search begins with. */
interface SearchStage {
  readonly scene: Pick<PreparedContracts['scene'], 'actions' | 'senders'> & {
    readonly contracts: readonly Pick<PreparedContracts['scene']['contracts'][number], 'address'>[]
  }
  readonly root: PreparedContracts['root']
}

/**
 * The knowledge of a search in the beginning: the constants of the contracts' code, and what is in their storage. `base` are
 * branches that were reached before.
 */
export function createExplorer(
  { scene, root }: SearchStage,
  { seed, depth, longestWait }: Pick<ContractsPlan, 'seed' | 'depth' | 'longestWait'>,
  { machine, checks, watch }: Playground,
  base: readonly number[],
): ContractExplorer {
  const corpus = createCorpus(root)
  const { dictionary } = corpus
  for (const { address } of scene.contracts) {
    const { code, storage } = readAccount(root.state, address)
    for (const value of constantsOf(code.bytes)) dictionary.add(value)
    let left = MOST_STORED
    for (const value of storage.values()) if (left-- > 0) dictionary.add(bytesToBigInt(value))
  }
  corpus.slots.push(...base)
  machine.coverage.learn(base)
  const { actions, senders, contracts } = scene
  const addresses: Address[] = [...senders, ...contracts.map(({ address }) => address)]
  const source = { actions, senders, longestWait, addresses, dictionary }
  return { machine, checks, watch, corpus, source, seed, depth }
}

/** Words on where a failure was found. */
function originOf({ plan }: Campaign, { path, run }: ContractFailure): string {
  return path.length === 0 ? '' : ` (run ${run + 1} of ${plan.runs}, seed ${plan.seed})`
}

/** Keeps a failure that is new, and tells the runner as it was found; returns whether it is new. */
function noteFound(campaign: Campaign, failure: ContractFailure, at: readonly number[]): boolean {
  const { plan, stage, found, telling } = campaign
  const { broken, path } = failure
  if (plan.until === 'end' && found.some((other) => other.broken.key === broken.key)) return false
  found.push({ ...failure, at })
  if (broken.kind === 'storyHung' || plan.runner?.onFailure === undefined) return true
  const told = telling.sketchCalls(stage, broken, callsOf(path), originOf(campaign, failure))
  plan.runner.onFailure({ ...told, at, ...(plan.until === 'end' && { key: broken.key }) })
  return true
}

/** The failure of what was cut. */
export function hangOf({ watch, checks }: Playground, limitMs: number, run: number): ContractFailure {
  watch.cut()
  const path = watch.at()
  const last = callsOf(path).at(-1)?.action
  const name = checks.doing() ?? (last === undefined ? 'the set-up' : `${last.contract}.${last.fn.name}`)
  const reason = `it has taken more than ${limitMs} ms`
  return { broken: { kind: 'storyHung', name, key: 'hung', reason }, path, run }
}

/** Takes over what a run has found that is still new. */
function merge({ corpus, machine }: ContractExplorer, { additions, values, tried }: RunResult): void {
  for (const addition of additions) {
    const slots = addition.slots.filter((slot) => !machine.coverage.isKnown(slot))
    if (slots.length === 0) continue
    machine.coverage.learn(slots)
    const { seed, after, values: found } = addition
    addTo(corpus, { seed, slots, after, values: found })
  }
  for (const value of values) corpus.dictionary.add(value)
  if (tried !== undefined) tried.tries++
}

/** The number of the first run of a search. */
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
  const sum = CALLS_PART.report(CALLS_PART.merge([before, counts]))
  const of = searchesOf(plan).reduce(
    (total, search) => total + firstRun(plan, search + 1) - firstRun(plan, search),
    0,
  )
  const coverage = { reached: sum.edges, what: 'branches' }
  await tellProgress(plan.progress, { ...sum, broken: found.length, of, states: sum.kept, coverage })
}

/** Makes one search, from a map of branches that knows only those of the beginning. */
async function search(campaign: Campaign, number: number): Promise<void> {
  const { plan, ground } = campaign
  const { until, limitMs } = plan
  const { watch, machine } = ground
  const explorer = createExplorer(campaign.stage, plan, ground, campaign.base)
  const { corpus } = explorer
  const known = new Set<string>()
  const [from, to] = [firstRun(plan, number), firstRun(plan, number + 1)]
  let [made, calls, failed, failures] = [from, 0, 0, 0]
  const counts = (): CallsCounts => ({
    ...{ runs: made - from, calls, failed },
    ...{ kept: corpus.seeds.length, slots: corpus.slots },
  })
  const find = (failure: ContractFailure): void => {
    if (known.has(failure.broken.key)) return
    known.add(failure.broken.key)
    if (noteFound(campaign, failure, [number, failures])) failures++
  }
  const round = async (): Promise<boolean> => {
    const results: RunResult[] = []
    for (let run = made; run < Math.min(to, made + ROUND); run++) {
      const found: ContractFailure[] = []
      const ended = await whileMoving(limitMs, watch.at, () =>
        performRun(explorer, run, known, found).catch((thrown: unknown) => ({ thrown })),
      )
      if (ended !== undefined && !('thrown' in ended.value)) {
        results.push(ended.value)
        continue
      }
      // What the runs before it in this round have found comes first.
      for (const result of results) result.failures.forEach(find)
      found.forEach(find)
      campaign.isHung = ended === undefined
      if (ended === undefined) find(hangOf(ground, limitMs, run))
      else if ('thrown' in ended.value) campaign.thrown = ended.value.thrown
      return false
    }
    for (const result of results) {
      merge(explorer, result)
      calls += result.calls
      failed += result.failed
      result.failures.forEach(find)
    }
    made += results.length
    await tellCounts(campaign, counts())
    return true
  }
  try {
    const isOver = (): boolean => made >= to || (until === 'first' && failures > 0)
    while (!isOver() && watch.isNeeded(number)) if (!(await round())) break
  } catch (thrown) {
    campaign.thrown = thrown
  }
  campaign.counts = CALLS_PART.merge([campaign.counts, counts()])
  machine.coverage.forget(corpus.slots)
}

/** A failure made simpler, told and saved; as it was found, if something hangs meanwhile. */
async function tell(
  campaign: Campaign,
  found: Found,
): Promise<readonly [told: ReportedFailure, cause: unknown]> {
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

export interface CampaignResult extends Pick<Campaign, 'counts' | 'thrown'> {
  /** Failures, with the errors that they are of. */
  readonly failures: readonly (readonly [told: ReportedFailure, cause: unknown])[]
}

/** Makes the searches of a shard. */
export async function searchAll(stage: PreparedContracts, plan: ContractsPlan): Promise<CampaignResult> {
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
  if (atFirst === undefined) noteFound(campaign, hangOf(ground, plan.limitMs, 0), [-1])
  else if (atFirst.value !== undefined) {
    noteFound(campaign, { broken: atFirst.value, path: NO_CALLS, run: 0 }, [-1])
  } else {
    for (const number of searchesOf(plan)) {
      await search(campaign, number)
      if (campaign.isHung || campaign.thrown !== undefined) break
      if (plan.until === 'first' && found.length > 0) break
    }
  }
  const failures: (readonly [ReportedFailure, unknown])[] = []
  for (const each of plan.until === 'first' ? found.slice(0, 1) : found) {
    failures.push(await tell(campaign, each))
  }
  return { counts: campaign.counts, failures, thrown: campaign.thrown }
}
