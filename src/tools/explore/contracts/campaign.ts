// The searches of an exploration, one after the other, and what they have found, told.

import type { Address } from '../../../core/primitives/hex.ts'
import { bytesToBigInt } from '../../../core/primitives/hex.ts'
import { load } from '../../../core/primitives/loading.ts'
import { readAccount } from '../../../core/state/world-state.ts'
import { whileMoving } from '../limit.ts'
import type { ToldFailure } from '../parts.ts'
import { saveFailure } from '../save.ts'
import { callsOf, NO_CALLS } from './call.ts'
import { createChecks } from './checks.ts'
import { createCorpus } from './corpus.ts'
import { constantsOf } from './dictionary.ts'
import type { ContractsPlan } from './options.ts'
import type { Played, Playground } from './play.ts'
import type { Stage } from './prepare.ts'
import type { Explorer, Failure } from './run.ts'
import { hangOf, type SearchOptions, type SearchResult, search } from './search.ts'
import { shrink } from './shrink.ts'
import { nameOfCalls } from './story.ts'
import { createWatch } from './watch.ts'
import { CALLS_WAY, type CallsCounts, NO_COUNTS } from './way.ts'

const MOST_STORED = 256

/** A failure, and its place in the order of one process. */
interface Found extends Failure {
  readonly at: readonly number[]
}

interface Campaign {
  /** Loaded apart, since it decodes traces. */
  readonly telling: typeof import('./tell.ts')
  readonly stage: Stage
  readonly plan: ContractsPlan
  readonly ground: Playground
  /** The branches that were reached before the first call. */
  readonly base: readonly number[]
  readonly found: Found[]
  /** The counts of the searches that are over. */
  counts: CallsCounts
}

/** What one search knows in the beginning: the constants of the contracts' code, and what is in their storage. */
function createExplorer({ stage, plan, ground, base }: Campaign): Explorer {
  const { scene, root } = stage
  const { seed, depth, longestWait } = plan
  const corpus = createCorpus(root)
  const { dictionary } = corpus
  for (const { address } of scene.contracts) {
    const { code, storage } = readAccount(root.state, address)
    for (const value of constantsOf(code.bytes)) dictionary.add(value)
    let left = MOST_STORED
    for (const value of storage.values()) if (left-- > 0) dictionary.add(bytesToBigInt(value))
  }
  corpus.slots.push(...base)
  ground.machine.coverage.learn(base)
  const { actions, senders, contracts } = scene
  const addresses: Address[] = [...senders, ...contracts.map(({ address }) => address)]
  const source = { actions, senders, longestWait, addresses, dictionary }
  const { machine, checks, watch } = ground
  return { machine, checks, watch, corpus, source, seed, depth }
}

/** Words on where a failure was found. */
function originOf({ plan }: Campaign, { path, run }: Failure): string {
  return path.length === 0 ? '' : ` (run ${run + 1} of ${plan.runs}, seed ${plan.seed})`
}

/** A failure told to the runner, as it was found. */
function noteFound(campaign: Campaign, failure: Failure, at: readonly number[]): void {
  const { plan, stage, found } = campaign
  const isKnown = plan.until === 'end' && found.some(({ broken }) => broken.key === failure.broken.key)
  if (isKnown) return
  found.push({ ...failure, at })
  const { broken, path } = failure
  if (plan.runner?.onFailure === undefined || broken.kind === 'storyHung') return
  const key = plan.until === 'end' ? { key: broken.key } : {}
  plan.runner.onFailure({
    ...campaign.telling.sketchCalls(stage, broken, callsOf(path), originOf(campaign, failure)),
    at,
    ...key,
  })
}

/** Makes one search, from a map of branches that knows only those of the beginning. */
async function searchOnce(campaign: Campaign, number: number): Promise<SearchResult> {
  const { plan, ground, found } = campaign
  const { runs, searches, until, limitMs, progress } = plan
  const explorer = createExplorer(campaign)
  const before = found.length
  const options: SearchOptions = {
    ...{ search: number, until, limitMs },
    from: Math.floor((runs * number) / searches),
    to: Math.floor((runs * (number + 1)) / searches),
    onFailure: (failure) => noteFound(campaign, failure, [number, found.length - before]),
    tell: (counts) => {
      if (progress === undefined) return undefined
      const sum = CALLS_WAY.report(CALLS_WAY.merge([campaign.counts, counts]))
      const coverage = { reached: sum.edges, what: 'branches' }
      return progress({ ...sum, broken: found.length, of: runsOf(plan), states: sum.kept, coverage })
    },
  }
  const result = await search(explorer, options)
  campaign.counts = CALLS_WAY.merge([campaign.counts, result.counts])
  const { coverage } = ground.machine
  coverage.forget(explorer.corpus.slots)
  return result
}

/** The numbers of the searches of this shard. */
function searchesOf({ searches, shard: { index, of } }: ContractsPlan): number[] {
  return Array.from(
    { length: Math.max(0, Math.ceil((searches - index) / of)) },
    (_, each) => index + each * of,
  )
}

/** How many runs they make. */
function runsOf(plan: ContractsPlan): number {
  const { runs, searches } = plan
  const until = (search: number): number => Math.floor((runs * search) / searches)
  return searchesOf(plan).reduce((sum, search) => sum + until(search + 1) - until(search), 0)
}

/** A failure made simpler, told and saved; as it was found, if something hangs meanwhile. */
async function tell(campaign: Campaign, found: Found, isHung: () => boolean, hang: () => void) {
  const { stage, plan, ground } = campaign
  const { sketchCalls, tellPlayed } = campaign.telling
  const { broken, path, at } = found
  const origin = originOf(campaign, found)
  let told = sketchCalls(stage, broken, callsOf(path), origin)
  let cause = broken.error
  if (!isHung()) {
    const playable = { ...ground, senders: stage.scene.senders }
    let best: Played | undefined
    const shrinking = () =>
      shrink(playable, callsOf(path), broken.key, plan.shrinks, (played) => {
        best = played
      })
    const ended = await whileMoving(plan.limitMs, ground.watch.at, shrinking)
    if (ended === undefined) {
      hang()
      if (best !== undefined)
        told = sketchCalls(stage, broken, best.calls, `${origin}, not made simpler: it hangs`)
    } else {
      const { value: played } = ended
      cause = (played.broken ?? broken).error
      told = await tellPlayed(stage, played.broken ?? broken, played, origin)
    }
  }
  const key = plan.until === 'end' ? { key: broken.key } : {}
  return { told: { ...(await saveFailure(plan.save, told, nameOfCalls)), at, ...key } as ToldFailure, cause }
}

export interface CampaignResult {
  readonly counts: CallsCounts
  readonly failures: readonly ToldFailure[]
  /** What was thrown that failures are of. */
  readonly causes: ReadonlyMap<ToldFailure, unknown>
  /** What the option `progress` threw. */
  readonly thrown: unknown
}

/** Makes the searches of a shard. */
export async function searchAll(stage: Stage, plan: ContractsPlan): Promise<CampaignResult> {
  const { machine, scene, root } = stage
  const watch = createWatch(plan.runner)
  const ground: Playground = { machine, root, watch, checks: createChecks(scene, machine, watch.show) }
  const found: Found[] = []
  let hung = false
  let thrown: unknown
  const atFirst = await whileMoving(plan.limitMs, watch.at, async () =>
    ground.checks.ofMoment(root, new Set()),
  )
  const base = machine.coverage.take()
  machine.coverage.forget(base)
  const telling = await load(import('./tell.ts'))
  const campaign: Campaign = { telling, stage, plan, ground, base, found, counts: NO_COUNTS }
  if (atFirst === undefined) {
    hung = true
    noteFound(campaign, hangOf(ground, plan.limitMs, 0), [-1])
  } else if (atFirst.value !== undefined) {
    noteFound(campaign, { broken: atFirst.value, path: NO_CALLS, run: 0 }, [-1])
  } else {
    for (const number of searchesOf(plan)) {
      const { ended } = await searchOnce(campaign, number)
      thrown = ended?.thrown
      hung = ended !== undefined && thrown === undefined
      if (ended !== undefined || (plan.until === 'first' && found.length > 0)) break
    }
  }
  const causes = new Map<ToldFailure, unknown>()
  for (const each of plan.until === 'first' ? found.slice(0, 1) : found) {
    const { told, cause } = await tell(
      campaign,
      each,
      () => hung,
      () => {
        hung = true
      },
    )
    causes.set(told, cause)
  }
  return { counts: campaign.counts, failures: [...causes.keys()], causes, thrown }
}
