// Random stories, each performed on a clone of its own and made simpler if it fails. And the replay of one.

import { type Arbitrary, Value } from 'fast-check'
import { resultOfCallback } from '../../../core/primitives/errors.ts'
import { textOf } from '../../../core/primitives/text-of.ts'
import { type CausedFailure, errorOf, type Failure, originOfRun } from '../failures.ts'
import * as corpora from '../kept.ts'
import { createLoop, explorePart, whileMoving, within } from '../loop.ts'
import type { Keepable } from '../parts.ts'
import { arbitraryRandom } from '../random.ts'
import { drawSequence, simplerBy, simplify } from '../shrink.ts'
import { planOf, type SearchPlan, searchPlanOf } from './options.ts'
import { createPlayer, createProgress, type DrawnStep, hungIn, play, type RunProgress } from './player.ts'
import type { ExploreOptions, ExploreReport, ReplayReport, Scene, Step } from './scene.ts'
import { type Explorable, openStage, type Stage } from './stage.ts'
import * as format from './story.ts'
import { type FailedStory, sketchStory, tellStory } from './tell.ts'

function createStories(plan: SearchPlan, root: Stage) {
  const { scene, reorgDepth, limitMs, runner } = plan
  let running: { readonly progress: RunProgress; readonly run: number } | undefined
  let attempts = 0
  const perform = async (run: number, drawn: readonly DrawnStep[]) => {
    attempts++
    const progress = createProgress(runner?.onStep)
    running = { progress, run }
    const player = await createPlayer(scene, root, reorgDepth, progress)
    const counted: number[] = []
    /** The steps that count, with the kinds of events that have happened. */
    const made: DrawnStep[] = []
    const failed = await play(player, drawn, (outcome, position) => {
      if (outcome === false) return
      counted.push(position)
      const [step, performed] = [drawn[position] as DrawnStep, progress.steps.at(-1)]
      const isEvent = 'among' in step && performed !== undefined && 'adversary' in performed
      made.push(isEvent ? { adversary: performed.adversary, pick: step.pick } : step)
    })
    return { failure: failed, steps: progress.steps, counted, made }
  }
  return {
    perform,
    /** Performs stories as long as none takes longer than the limit; resolves to the one that does, which is cut. */
    async limited(task: () => Promise<void>) {
      const ended = await whileMoving(limitMs, () => attempts, task)
      if (ended === undefined) running?.progress.stop()
      return ended === undefined ? running : undefined
    },
  }
}

const OF_CORPUS = -1

interface FoundStory extends FailedStory {
  readonly drawn: readonly Value<DrawnStep>[]
}

/** Simpler steps: of an event, one that comes before it among those that are possible. */
function* simplerSteps(step: Arbitrary<DrawnStep>, drawn: Value<DrawnStep>): Generator<Value<DrawnStep>> {
  const { value } = drawn
  if (!('pick' in value)) yield* simplerBy(step, drawn)
  else
    for (const pick of new Set([0, value.pick >> 1, value.pick - 1]))
      if (pick >= 0 && pick < value.pick) yield new Value({ ...value, pick }, undefined)
}

/** Makes a story that failed simpler. What an arbitrary throws, or what hangs, leaves it as it was until then. */
async function shrink(
  { step, shrinks }: SearchPlan,
  stories: ReturnType<typeof createStories>,
  found: FoundStory,
): Promise<FailedStory> {
  const [run = 0] = found.at
  let best: FailedStory = found
  const attempt = async (tried: readonly DrawnStep[]) => {
    const { failure: failed, steps, counted } = await stories.perform(run, tried)
    if (failed?.key !== found.failure.key) return undefined
    best = { ...best, failure: failed, steps }
    return counted
  }
  try {
    const simpler = (drawn: Value<DrawnStep>) => simplerSteps(step, drawn)
    await stories.limited(() => simplify({ simpler, attempts: shrinks, attempt }, found.drawn))
    return best
  } catch (thrown) {
    const notice = `; not shrunk further, since an arbitrary threw ${textOf(thrown)}`
    return { ...best, origin: found.origin.replace(/\)$/, `${notice})`) }
  }
}

/** The stories of a corpus, of earlier runs, and those that come to new orders of steps. */
function openKeptStories(plan: SearchPlan, root: Stage, files: readonly corpora.CorpusFile[]) {
  const staged = { scene: plan.scene, root }
  const sequences: Keepable[] = []
  const known = new Set<string>()
  return {
    ...corpora.readKept(files, (story) => format.readStory(staged, story)),
    /** Notes what a story has come to, which is one of those that were kept, or a new one. */
    note(steps: readonly Step[], from?: corpora.Kept<Step>): void {
      const reached = format.ordersIn(steps)
      const isNew = plan.corpus !== undefined && reached.some((order) => !known.has(order))
      for (const order of reached) known.add(order)
      const text = from?.text ?? (isNew ? format.writeStory(staged, undefined, steps) : undefined)
      if (typeof text !== 'string') return
      const { loaded, isFailure = false } = from ?? {}
      const named = loaded === undefined ? { name: corpora.nameOfKept(text) } : { name: loaded, loaded }
      sequences.push({ ...named, text, isFailure, length: steps.length, reached })
    },
    async save(failures: readonly CausedFailure[]): Promise<void> {
      const failed = failures.flatMap(([told]): Keepable | [] => {
        const { story: text } = told
        if (text === undefined) return []
        return { name: format.nameOf(told, text), text, isFailure: true, length: 0, reached: [] }
      })
      await corpora.saveKept(plan, [...sequences, ...failed])
    },
  }
}

/** Makes the runs of a plan; resolves to what they came to, and the failures, told. */
async function searchStories(plan: SearchPlan, root: Stage, corpus: ReturnType<typeof openKeptStories>) {
  const { scene, seed, runs, depth, shard, step, limitMs } = plan
  const telling = { ...plan, root }
  const stories = createStories(plan, root)
  const tally = format.createTally(Object.keys(scene.run).length, plan.adversary, corpus.warnings)
  const loop = createLoop<FoundStory>(plan, (found) => sketchStory(telling, found))
  const find = (run: number, failed: Failure, steps: readonly Step[], drawn: readonly Value<DrawnStep>[]) =>
    loop.find({
      failure: failed,
      steps,
      drawn,
      at: [run],
      origin: originOfRun(plan, run === OF_CORPUS ? undefined : run),
    })
  /** Performs a story; resolves to its steps, or to nothing if it was cut. */
  const perform = async (run: number, drawn: readonly Value<DrawnStep>[]) => {
    const values = drawn.map(({ value }) => value)
    const { failure: failed, steps, counted, made } = await stories.perform(run, values)
    if (loop.isEnded()) return undefined
    const kept = counted.map((at, index) => new Value(made[index] as DrawnStep, drawn[at]?.context))
    if (failed !== undefined) find(run, failed, steps, kept)
    return steps
  }
  const draw = (run: number): Value<DrawnStep>[] =>
    resultOfCallback('an arbitrary of explore', () =>
      drawSequence(step, depth, arbitraryRandom(seed, run), run),
    )
  const search = async (): Promise<void> => {
    for (const each of corpus.kept) {
      if (!(await loop.goesOn(OF_CORPUS))) return
      const drawn = each.items.map((one) => new Value<DrawnStep>(one, undefined))
      const steps = await perform(OF_CORPUS, drawn)
      if (steps === undefined) return
      tally.reach(0, steps)
      corpus.note(steps, each)
    }
    for (let run = shard.index; run < runs && (await loop.goesOn(run)); run += shard.of) {
      const steps = await perform(run, draw(run))
      if (steps === undefined) return
      tally.add(run, steps)
      corpus.note(steps)
      await loop.tell(plan.progress, () => tally.progress(plan.ownRuns))
    }
  }
  const searchLimited = async (): Promise<void> => {
    const cut = await stories.limited(search)
    if (cut === undefined) return
    loop.end()
    find(cut.run, hungIn(cut.progress.doing, limitMs), cut.progress.steps, [])
  }
  const tell = async (found: FoundStory) => {
    const simplest = found.drawn.length === 0 ? found : await shrink(plan, stories, found)
    return [await tellStory(telling, simplest), simplest.failure.error] as const
  }
  const over = await loop.run(searchLimited, tell, corpus.save)
  return { ...over, counts: tally.counts(over.ended) }
}

/**
 * Tries random stories of an application: actions of its users, time that passes, and between them what a real chain may
 * do. Each story is performed on a clone of the chain, and the invariants are checked after every step. The first that
 * fails is shrunk and told.
 *
 * @param chain An emulator or a pair of `createRollup`, set up; its present blocks are never replaced.
 * @param options The application, its actions and invariants, and how much is tried.
 * @throws TickchainError `invariantBroken`, `actionThrew` or `storyHung`, with the story in its field story and what
 *   was thrown as its cause; `invalidOption`, `invalidCall`; `callbackFailed` if an arbitrary or a callback throws
 * @see docs/explore.md
 * @example
 * const [alice = '0x', bob = '0x'] = await chain.listAccounts()
 * const report = await explore(chain, {
 *   actions: { pay: fc.record({ value: fc.bigInt(1n, 100n) }) },
 *   run: {
 *     pay: ({ chain }, { value }) => chain.request('eth_sendTransaction', [{ from: alice, to: bob, value: `0x${value.toString(16)}` }]),
 *   },
 *   invariants: {
 *     'bob loses nothing': async ({ chain }) =>
 *       BigInt(await chain.request('eth_getBalance', [bob, 'pending'])) >= 10n ** 22n,
 *   },
 *   adversary: ['partials', 'drops', 'reorgs'],
 *   runs: 5,
 * })
 * report.runs // => 5
 */
export async function explore<
  Chain extends Explorable,
  Values extends Record<string, unknown>,
  World = { readonly chain: Chain },
>(chain: Chain, options: ExploreOptions<Chain, World, Values>): Promise<ExploreReport> {
  const root = await openStage('explore', chain)
  const plan = searchPlanOf(root, options)
  const { seed, runs, seconds, depth, adversary, reorgDepth } = plan
  const files = await corpora.loadFiles(plan.corpus)
  const common = { seed, runs, seconds, depth, adversary, reorgDepth, corpus: corpora.digestOfFiles(files) }
  const staged = { scene: plan.scene, root }
  const corpus = openKeptStories(plan, root, files)
  return explorePart(
    plan,
    format.STORIES_PART,
    format.digestOfPlan(staged, common),
    format.setUpOf(staged),
    () => searchStories(plan, root, corpus),
  )
}

/** Performs a story of an application on a clone of the chain; steps that cannot happen any more are left out. */
export async function replayApplication<
  Chain extends Explorable,
  Values extends Record<string, unknown>,
  World = { readonly chain: Chain },
>(
  chain: Chain,
  scene: Scene<Chain, World, Values>,
  story: Readonly<Record<string, unknown>>,
): Promise<ReplayReport> {
  const root = await openStage('replay', chain)
  const plan = planOf('replay', root, scene)
  const telling = { ...plan, root, reorgDepth: Number.MAX_SAFE_INTEGER }
  const steps = format.readStory(telling, story)
  const progress = createProgress()
  const impossible: number[] = []
  const ended = await within(plan.limitMs, async () => {
    const player = await createPlayer(plan.scene, root, telling.reorgDepth, progress)
    return play(player, steps, (outcome, position) => {
      if (outcome === false) impossible.push(position)
    })
  })
  if (ended === undefined) progress.stop()
  const failed = ended === undefined ? hungIn(progress.doing, plan.limitMs) : ended.value
  if (failed === undefined) return { steps: progress.steps.length, impossible }
  const told = { failure: failed, steps: progress.steps, at: [0], origin: ', replayed' }
  throw errorOf(await tellStory(telling, told), failed.error)
}
