import { load } from '../../../core/primitives/loading.ts'
import { whileMoving } from '../limit.ts'
import { type CausedFailure, saveFailure, sum, tellProgress } from '../parts.ts'
import { callsOf, NO_CALLS, type Path } from './call.ts'
import { type BrokenCheck, createChecks } from './checks.ts'
import { createDictionary } from './corpus.ts'
import type { ContractsPlan } from './options.ts'
import { createWatch, type Played, type Playground, shrink } from './play.ts'
import type { PreparedContracts } from './prepare.ts'
import { type ContractExplorer, noteFailure, performRun } from './run.ts'
import { CALLS_PART, type CallsCounts, nameOfCalls } from './story.ts'

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
export function hangOf({ watch, checks }: Playground, limitMs: number): readonly [BrokenCheck, Path] {
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
  for (const each of plan.until === 'first' ? found.slice(0, 1) : found)
    failures.push(await tell(campaign, each))
  return { counts: campaign.counts, failures, thrown: campaign.thrown }
}
