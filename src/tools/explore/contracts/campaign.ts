// A campaign: searches for calls that break contracts, one after the other, and the failures that they find.

import { load } from '../../../core/primitives/loading.ts'
import * as failing from '../failures.ts'
import { type CorpusFile, nameOfKept, readKept, saveKept } from '../kept.ts'
import { createLoop, whileMoving } from '../loop.ts'
import { type Keepable, sum } from '../parts.ts'
import { type Call, callsOf, NO_CALLS, type Path } from './call.ts'
import { createChecks } from './checks.ts'
import type { CountedMaxima } from './counts.ts'
import { createExplorer, noteFailure } from './explorer.ts'
import { createMaxima, type Maximum, numbersOf, simplifyMaximum } from './maxima.ts'
import { type ContractsPlan, firstRun } from './options.ts'
import { createWatch, type Played, type Playground, playCalls } from './play.ts'
import type { PreparedContracts } from './prepare.ts'
import { performRun } from './run.ts'
import { shrinkCalls } from './shrink-calls.ts'
import { CALLS_PART, type CallsCounts, nameOfCalls, readCalls, storyOf, writeCall } from './story.ts'

/** Runs after which progress is told. */
const ROUND = 16

interface Found {
  readonly failure: failing.Failure
  readonly path: Path
  /** The number of the run that found it; `undefined` for one of the corpus. */
  readonly run: number | undefined
  readonly at: readonly number[]
}

type Campaign = Awaited<ReturnType<typeof openCampaign>>

function placeOf(plan: ContractsPlan, { path, run }: Found): string {
  return path.length === 0 ? '' : failing.originOfRun(plan, run)
}

export function hangOf({ watch, checks }: Playground, limitMs: number): failing.Failure {
  watch.cut()
  const last = watch.at().call?.action
  const name = checks.doing() ?? (last === undefined ? 'the set-up' : `${last.contract}.${last.fn.name}`)
  return { kind: 'storyHung', name, key: 'hung', reason: failing.hungFor(limitMs) }
}

/** The number of runs of this shard, if there is an end of them. */
function ownRuns(plan: ContractsPlan): number | undefined {
  const { runs, searches, shard } = plan
  if (runs === Infinity) return undefined
  const own = [...Array(searches).keys()].filter((index) => index % shard.of === shard.index)
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
  const { plan, ground, loop, corpus, paths } = campaign
  const { watch, machine, root } = ground
  const { kept: sequences, warnings } = corpus
  let isReplayed = sequences.length === 0
  const maxima = createMaxima(campaign.numbers)
  const [from, to] = [firstRun(plan, number), firstRun(plan, number + 1)]
  let failures = 0
  const find = (failure: failing.Failure, path: Path): void => {
    const run = isReplayed ? explorer.run : undefined
    if (loop.find({ failure, path, run, at: [number, failures] })) failures++
  }
  const reach = (reached: readonly number[], path: Path): void => {
    for (const slot of plan.corpus === undefined ? [] : reached) {
      const known = paths.get(slot)
      if (known === undefined || path.length < known.length) paths.set(slot, path)
    }
  }
  const maximize = campaign.numbers.size === 0 ? undefined : maxima.note
  const explorer = createExplorer(ground, campaign.stage.scene, plan, base, from, { find, reach, maximize })
  const { seeds, slots } = explorer.corpus
  const counts = (): CallsCounts => {
    const { run, calls, failed, functions } = explorer
    return {
      runs: run - from,
      calls,
      failed,
      kept: seeds.length,
      slots: Object.fromEntries(slots),
      functions: Object.fromEntries(functions.map(({ name, counted }) => [name, counted()])),
      warnings,
      maxima: {},
      ended: 'done',
    }
  }
  const goesOn = async (): Promise<boolean> => {
    // The runner forgets the calls of the last run.
    watch.beginStory()
    return explorer.run < to && (await loop.goesOn(number))
  }
  const makeRound = async (): Promise<void> => {
    // What was kept is known to each search, and no run.
    if (!isReplayed) for (const { items } of sequences) if (await goesOn()) await performRun(explorer, items)
    isReplayed = true
    for (const end = explorer.run + ROUND; explorer.run < end && (await goesOn()); explorer.run++)
      await performRun(explorer)
  }
  machine.coverage.learn(base)
  try {
    await maxima.note(root, NO_CALLS)
    while (await goesOn()) {
      if ((await whileMoving(plan.limitMs, watch.at, makeRound)) !== undefined) {
        await tellCounts(campaign, counts())
        continue
      }
      noteFailure(explorer, hangOf(ground, plan.limitMs), watch.at())
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
  const failure = atFirst === undefined ? hangOf(ground, plan.limitMs) : atFirst.value
  if (failure !== undefined) {
    loop.find({ failure, path: watch.at(), run: 0, at: [-1] })
    return
  }
  const { searches, shard } = plan
  for (let number = shard.index; number < searches && (await loop.goesOn(number)); number += shard.of)
    await search(campaign, number, base)
}

/** A failure made simpler, told and saved; as it was found, if something hangs meanwhile. */
async function tell(
  { stage, plan, ground, telling }: Campaign,
  found: Found,
): Promise<readonly [told: failing.ToldFailure, cause: unknown]> {
  const { failure, path } = found
  const { limitMs, shrinks, save } = plan
  const origin = placeOf(plan, found)
  let best: Played | undefined
  const shrink = () =>
    shrinkCalls(ground, stage.scene.senders, callsOf(path), failure.key, shrinks, (played) => {
      best = played
    })
  const isCut = ground.watch.isCut()
  const ended = isCut ? undefined : await whileMoving(limitMs, ground.watch.at, shrink)
  if (ended !== undefined) {
    const { broken = failure } = ended.value
    const told = await telling.tellPlayed(stage, broken, ended.value, origin)
    return [await failing.saveFailure(save, told, nameOfCalls), broken.error]
  }
  ground.watch.cut()
  const words = best === undefined ? origin : `${origin}, not made simpler: it hangs`
  const told = telling.sketchCalls(stage, failure, best?.calls ?? callsOf(path), words)
  return [await failing.saveFailure(save, told, nameOfCalls), failure.error]
}

/** The largest numbers, with the simplest calls that were found for them. */
async function tellMaxima({ plan, ground, stage, numbers, maxima }: Campaign): Promise<CountedMaxima> {
  const told: Record<string, CountedMaxima[string]> = {}
  for (const [name, ask] of numbers) {
    const largest = maxima.get(name)
    if (largest === undefined) continue
    let value = `${largest.value}`
    let calls: readonly Call[] = callsOf(largest.path)
    const simplify = () =>
      simplifyMaximum(ground, stage.scene.senders, [name, ask], largest, plan.shrinks, (played) => {
        value = played.broken?.reason ?? value
        calls = played.calls
      })
    if (!ground.watch.isCut() && (await whileMoving(plan.limitMs, ground.watch.at, simplify)) === undefined)
      ground.watch.cut()
    told[name] = { value, calls: calls.map(writeCall) }
  }
  return told
}

/** Saves the corpus: all of it is performed once more, to see what each sequence reaches. */
async function saveCorpus(
  { plan, ground, stage, corpus, paths }: Campaign,
  base: readonly number[],
  failures: readonly failing.CausedFailure[],
  maxima: CountedMaxima,
): Promise<void> {
  const { watch, machine } = ground
  if (plan.corpus === undefined || watch.isCut()) return
  const sequenceOf = (text: string, isFailure: boolean, name = nameOfKept(text)) => {
    return { name, text, isFailure, items: readCalls(stage.scene, JSON.parse(text)) }
  }
  const failed = failures.flatMap(([told]) =>
    told.story === undefined ? [] : sequenceOf(told.story, true, nameOfCalls(told, told.story)),
  )
  const found = [...new Set(paths.values())].map((path) =>
    sequenceOf(storyOf(undefined, callsOf(path).map(writeCall)), false),
  )
  // Not given up until there is a larger one.
  const largest = Object.values(maxima).map(({ calls }) => sequenceOf(storyOf(undefined, calls), true))
  const loaded = corpus.kept.map((each) => ({ ...each, name: each.loaded }))
  const sequences: Keepable[] = []
  machine.coverage.learn(base)
  const performAll = async (): Promise<void> => {
    for (const { items, ...each } of [...largest, ...loaded, ...found, ...failed]) {
      // No failure is looked for, so that all calls are made.
      const { reached } = await playCalls(ground, items, '')
      sequences.push({ ...each, length: items.length, reached })
    }
  }
  if ((await whileMoving(plan.limitMs, watch.at, performAll)) === undefined) return
  await saveKept(plan, sequences)
}

async function openCampaign(stage: PreparedContracts, plan: ContractsPlan, files: readonly CorpusFile[]) {
  const { machine, scene, root } = stage
  const watch = createWatch(plan.runner)
  const ground: Playground = { machine, root, watch, checks: createChecks(scene, machine, watch.show) }
  // Loaded apart, since it decodes traces.
  const telling = await load(import('./tell.ts'))
  const loop = createLoop<Found>(plan, (found) =>
    telling.sketchCalls(stage, found.failure, callsOf(found.path), placeOf(plan, found)),
  )
  return {
    ...{ plan, ground, telling, stage, loop },
    corpus: readKept(files, (story) => readCalls(scene, story)),
    /** The shortest calls by which each branch was reached first, if there is a corpus to add them to. */
    paths: new Map<number, Path>(),
    numbers: numbersOf(scene, machine),
    maxima: new Map<string, Maximum>(),
    /** Counts of the searches that are over. */
    counts: CALLS_PART.merge([]),
  }
}

/** Makes the searches of a shard, which begin with these files; resolves to the counts and the failures. */
export async function searchAll(
  stage: PreparedContracts,
  plan: ContractsPlan,
  files: readonly CorpusFile[] = [],
) {
  const campaign = await openCampaign(stage, plan, files)
  const base: number[] = []
  let maxima: CountedMaxima = {}
  const over = await campaign.loop.run(
    () => searchEach(campaign, base),
    (found) => tell(campaign, found),
    async (failures) => {
      maxima = await tellMaxima(campaign)
      await saveCorpus(campaign, base, failures, maxima)
    },
  )
  return { ...over, counts: { ...campaign.counts, maxima, ended: over.ended } }
}
