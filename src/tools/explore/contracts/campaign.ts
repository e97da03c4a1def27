// A campaign: searches for calls that break contracts, one after the other, and the failures that they find.

import { load } from '../../../core/primitives/loading.ts'
import { readKept } from '../kept.ts'
import { whileMoving } from '../limit.ts'
import { createLoop, type Loop } from '../loop.ts'
import { saveFailure, sum } from '../parts.ts'
import { type Call, callsOf, NO_CALLS, type Path } from './call.ts'
import { type BrokenCheck, createChecks } from './checks.ts'
import { createDictionary } from './corpus.ts'
import type { CountedMaxima } from './counts.ts'
import { countFunctions } from './function-tally.ts'
import { type KeptCalls, noteReached, saveCorpus } from './kept-calls.ts'
import { checkOfMaximum, climb, createMaxima, type Maximum, type NumberAt, numbersOf } from './maxima.ts'
import { type ContractsPlan, firstRun } from './options.ts'
import { createWatch, type Played, type Playground, shrinkCalls } from './play.ts'
import type { PreparedContracts } from './prepare.ts'
import { type ContractExplorer, noteFailure, performRun } from './run.ts'
import { CALLS_PART, type CallsCounts, nameOfCalls, readCalls, writeCall } from './story.ts'

/** Runs after which progress is told. */
const ROUND = 16

interface Found {
  readonly key: string
  readonly broken: BrokenCheck
  readonly path: Path
  /** The number of the run that found it; `undefined` for one of the corpus. */
  readonly run: number | undefined
  readonly at: readonly number[]
}

interface Campaign extends KeptCalls {
  /** Loaded apart, since it decodes traces. */
  readonly telling: typeof import('./tell.ts')
  readonly stage: PreparedContracts
  readonly loop: Loop<Found>
  readonly numbers: ReadonlyMap<string, NumberAt>
  readonly maxima: Map<string, Maximum>
  /** Counts of the searches that are over. */
  counts: CallsCounts
}

/** Words on where a failure was found. */
function originOf({ runs, seed }: ContractsPlan, { path, run }: Found): string {
  if (path.length === 0) return ''
  if (run === undefined) return ' (of the corpus)'
  return ` (run ${run + 1}${runs === Infinity ? '' : ` of ${runs}`}, seed ${seed})`
}

/** The failure of what was cut, and the calls up to it. */
export function hangOf({ watch, checks }: Playground, limitMs: number): readonly [BrokenCheck, Path] {
  watch.cut()
  const path = watch.at()
  const last = callsOf(path).at(-1)?.action
  const name = checks.doing() ?? (last === undefined ? 'the set-up' : `${last.contract}.${last.fn.name}`)
  return [{ kind: 'storyHung', name, key: 'hung', reason: `it has taken more than ${limitMs} ms` }, path]
}

/** The number of runs of this shard, if there is an end of them. */
function ownRuns(plan: ContractsPlan): number | undefined {
  const { runs, searches, shard } = plan
  if (runs === Infinity) return undefined
  const own = Array.from({ length: searches }, (_, index) => index).filter(
    (index) => index % shard.of === shard.index,
  )
  return sum(own, (search) => firstRun(plan, search + 1) - firstRun(plan, search))
}

function tellCounts({ plan, loop, counts: before }: Campaign, counts: CallsCounts): Promise<void> {
  return loop.tell(plan.progress, () => {
    const all = CALLS_PART.report(CALLS_PART.merge([before, counts]))
    const of = ownRuns(plan)
    const coverage = { reached: all.edges, what: 'branches' }
    return { ...all, broken: loop.found.length, ...(of !== undefined && { of }), states: all.kept, coverage }
  })
}

/** Makes one search, from a map of branches that knows only those of the beginning, `base`. */
async function search(campaign: Campaign, number: number, base: readonly number[]): Promise<void> {
  const { plan, ground, stage, loop } = campaign
  const { limitMs, seed, depth, longestWait } = plan
  const { watch, machine, checks, root } = ground
  const { actions, senders, contracts } = stage.scene
  const { functions, counted } = countFunctions(stage.scene, root)
  const { kept: sequences, warnings } = campaign.corpus
  let isReplayed = sequences.length === 0
  const maxima = createMaxima(campaign.numbers)
  const [from, to] = [firstRun(plan, number), firstRun(plan, number + 1)]
  let failures = 0
  const own = contracts.map(({ address }) => address)
  const dictionary = createDictionary(root.state, own)
  const slots = new Map(base.map((slot) => [slot, from] as const))
  const explorer: ContractExplorer = {
    ...{ machine, checks, watch, seed, depth, known: new Set(), run: from, calls: 0, failed: 0, functions },
    corpus: { nodes: [{ path: NO_CALLS, position: root }], seeds: [], calls: new Map(), slots },
    source: { actions, senders, longestWait, addresses: [...senders, ...own], dictionary, bounds: new Map() },
    find(broken, path) {
      const run = isReplayed ? explorer.run : undefined
      const found = { key: broken.key, broken, path, run, at: [number, failures] }
      if (loop.find(found)) failures++
    },
    reach: (slots, path) => noteReached(campaign, slots, path),
    maximize: campaign.numbers.size === 0 ? undefined : maxima.note,
  }
  const { seeds } = explorer.corpus
  const counts = (): CallsCounts => {
    const { run, calls, failed } = explorer
    const reached = Object.fromEntries(slots)
    return {
      ...{ runs: run - from, calls, failed, kept: seeds.length, slots: reached, ended: 'done' },
      ...{ functions: counted(), warnings, maxima: {} },
    }
  }
  const goesOn = async (): Promise<boolean> => {
    // The runner forgets the calls of the last run.
    watch.beginStory()
    return explorer.run < to && (await loop.goesOn(number))
  }
  const makeRound = async (): Promise<true> => {
    // What was kept is known to each search, and no run.
    if (!isReplayed) for (const { items } of sequences) if (await goesOn()) await performRun(explorer, items)
    isReplayed = true
    for (const end = explorer.run + ROUND; explorer.run < end && (await goesOn()); explorer.run++)
      await performRun(explorer)
    return true
  }
  machine.coverage.learn(base)
  try {
    await maxima.note(root, NO_CALLS)
    while (await goesOn()) {
      if ((await whileMoving(limitMs, watch.at, makeRound)) !== undefined) {
        await tellCounts(campaign, counts())
        continue
      }
      noteFailure(explorer, ...hangOf(ground, limitMs))
      loop.end()
    }
  } catch (error) {
    loop.end({ error })
  }
  campaign.counts = CALLS_PART.merge([campaign.counts, counts()])
  for (const [name, each] of maxima.best)
    if (each.value > (campaign.maxima.get(name)?.value ?? each.value - 1n)) campaign.maxima.set(name, each)
  machine.coverage.forget([...slots.keys()])
}

/** Makes the searches of a shard, unless something does not hold before the first call. */
async function searchEach(campaign: Campaign, base: number[]): Promise<void> {
  const { plan, ground, loop } = campaign
  const { machine, root, checks, watch } = ground
  const atFirst = await whileMoving(plan.limitMs, watch.at, async () => checks.ofPosition(root, new Set()))
  base.push(...machine.coverage.take())
  machine.coverage.forget(base)
  const [broken, path] = atFirst === undefined ? hangOf(ground, plan.limitMs) : [atFirst.value, NO_CALLS]
  if (broken !== undefined) {
    loop.find({ key: broken.key, broken, path, run: 0, at: [-1] })
    return
  }
  const { searches, shard } = plan
  for (let number = shard.index; number < searches && (await loop.goesOn(number)); number += shard.of)
    await search(campaign, number, base)
}

/** A failure made simpler, told and saved; as it was found, if something hangs meanwhile. */
async function tell({ stage, plan, ground, telling }: Campaign, found: Found) {
  const { sketchCalls, tellPlayed } = telling
  const { broken, path } = found
  const origin = originOf(plan, found)
  let told = sketchCalls(stage, broken, callsOf(path), origin)
  let cause = broken.error
  if (!ground.watch.isCut()) {
    let best: Played | undefined
    const ended = await whileMoving(plan.limitMs, ground.watch.at, () =>
      shrinkCalls(ground, stage.scene.senders, callsOf(path), broken.key, plan.shrinks, (played) => {
        best = played
      }),
    )
    if (ended !== undefined) {
      const failed = ended.value.broken ?? broken
      cause = failed.error
      told = await tellPlayed(stage, failed, ended.value, origin)
    } else {
      ground.watch.cut()
      if (best !== undefined)
        told = sketchCalls(stage, broken, best.calls, `${origin}, not made simpler: it hangs`)
    }
  }
  return [await saveFailure(plan.save, told, nameOfCalls), cause] as const
}

/** The largest numbers, with the simplest calls that were found for them. */
async function tellMaxima({ plan, ground, scene, numbers, maxima }: Campaign): Promise<CountedMaxima> {
  const told: Record<string, CountedMaxima[string]> = {}
  for (const [name, ask] of numbers) {
    const largest = maxima.get(name)
    if (largest === undefined) continue
    let value = `${largest.value}`
    let calls: readonly Call[] = callsOf(largest.path)
    const simplify = async (): Promise<true> => {
      const most = await climb(ground, name, ask, largest, plan.shrinks)
      const checks = checkOfMaximum(name, ask, most.value)
      await shrinkCalls({ ...ground, checks }, scene.senders, most.calls, name, plan.shrinks, (played) => {
        value = played.broken?.reason ?? value
        calls = played.calls
      })
      return true
    }
    if (!ground.watch.isCut() && (await whileMoving(plan.limitMs, ground.watch.at, simplify)) === undefined)
      ground.watch.cut()
    told[name] = { value, calls: calls.map(writeCall) }
  }
  return told
}

/** Makes the searches of a shard, which begin with these files; resolves to the counts and the failures. */
export async function searchAll(
  stage: PreparedContracts,
  plan: ContractsPlan,
  files: readonly (readonly [name: string, text: string])[] = [],
) {
  const { machine, scene, root } = stage
  const watch = createWatch(plan.runner)
  const ground: Playground = { machine, root, watch, checks: createChecks(scene, machine, watch.show) }
  const telling = await load(import('./tell.ts'))
  const loop = createLoop<Found>(plan, (found) =>
    telling.sketchCalls(stage, found.broken, callsOf(found.path), originOf(plan, found)),
  )
  const corpus = readKept(files, (story) => readCalls(scene, story))
  const counts = CALLS_PART.merge([])
  const campaign: Campaign = {
    ...{ telling, stage, plan, ground, scene, loop, corpus, paths: new Map(), counts },
    ...{ numbers: numbersOf(scene, machine), maxima: new Map() },
  }
  const base: number[] = []
  const over = await loop.run(
    () => searchEach(campaign, base),
    (found) => tell(campaign, found),
  )
  let { thrown } = over
  let maxima: CountedMaxima = {}
  try {
    maxima = await tellMaxima(campaign)
    await saveCorpus(
      campaign,
      base,
      over.failures.flatMap(([{ story }]) => story ?? []),
      maxima,
    )
  } catch (error) {
    thrown ??= { error }
  }
  return { ...over, thrown, counts: { ...campaign.counts, maxima, ended: over.ended } }
}
