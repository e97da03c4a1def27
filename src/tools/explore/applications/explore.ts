// Random stories: fast-check draws and shrinks them, each is performed on a clone of its own. And the replay of one.

import { asyncProperty, check, Value } from 'fast-check'
import { failure } from '../../../core/primitives/errors.ts'
import { textOf } from '../../../core/primitives/text-of.ts'
import { within } from '../limit.ts'
import { type CausedFailure, endPart, errorOf, newPart, type Part, tellProgress } from '../parts.ts'
import { keepingStrays } from '../strays.ts'
import { planOf, type SearchPlan, searchPlanOf } from './options.ts'
import {
  createPlayer,
  createProgress,
  type DrawnStep,
  type Failure,
  hungIn,
  isSameFailure,
  play,
  type RunProgress,
} from './player.ts'
import type { ExploreOptions, ExploreReport, ReplayReport, SavedStory, Scene, Step } from './scene.ts'
import { type Explorable, openStage, type Stage } from './stage.ts'
import { createTally, digestOfPlan, readStory, STORIES_PART, setUpOf } from './story.ts'
import { type FailedStory, sketchFailure, tellFailure } from './tell.ts'

function createSearch(plan: SearchPlan, root: Stage) {
  const { scene, reorgDepth, limitMs, runner, progress: tell } = plan
  const tally = createTally(Object.keys(scene.run).length, plan.adversary)
  let shrinksLeft = plan.shrinks
  let found: FailedStory | undefined
  let thrown: { readonly error: unknown } | undefined
  let running: { readonly progress: RunProgress; readonly run: number } | undefined
  const find = (failed: Failure, steps: readonly Step[], run: number): void => {
    const isFirst = found === undefined
    const origin = ` (run ${run + 1} of ${plan.runs}, seed ${plan.seed})`
    found = { failure: failed, steps, at: [run], origin }
    if (isFirst) runner?.onFailure?.(sketchFailure({ ...plan, root }, found))
  }
  /** A run that is not over has been cut. */
  const noteCut = (): void => {
    if (running === undefined) return
    const { progress, run } = running
    progress.stop()
    running = undefined
    // After a cut nothing is tried any more: each cut takes the whole limit.
    shrinksLeft = 0
    if (found === undefined) find(hungIn(progress.doing, limitMs), progress.steps, run)
  }
  const perform = async (run: number, drawn: readonly DrawnStep[]): Promise<void> => {
    const progress = createProgress(runner?.onStep)
    running = { progress, run }
    const player = await createPlayer(scene, root, reorgDepth, progress)
    const failed = await play(player, drawn)
    if (running?.progress !== progress) return
    running = undefined
    if (found === undefined) tally.add(progress.steps)
    if (failed === undefined || (found !== undefined && !isSameFailure(found.failure, failed))) return
    find(failed, progress.steps, found?.at[0] ?? run)
    throw new Error(failed.name)
  }
  return {
    /** Performs the story of a run, or one that is shrunk from it, and throws if it fails as the first that failed did. */
    async attempt(run: number, drawn: readonly DrawnStep[]): Promise<void> {
      if (thrown !== undefined) return
      noteCut()
      if (found === undefined) {
        await perform(run, drawn)
        try {
          await tellProgress(tell, tally.progress(plan.ownRuns))
        } catch (error) {
          thrown = { error }
          throw error
        }
      } else if (shrinksLeft-- > 0) await perform(run, drawn)
    },
    /** The failure; the error of the option `progress`, if it threw, which ends the search; and the counts. */
    end() {
      noteCut()
      return { found, thrown, counts: tally.counts() }
    },
  }
}

/** Thrown to end the search, since a run before has failed elsewhere. */
const UNNEEDED = new Error('unneeded')

/** Runs fast-check; resolves to what an arbitrary threw, if one did. */
async function search(
  { steps, seed, runs, limitMs, shard, runner }: SearchPlan,
  { attempt }: ReturnType<typeof createSearch>,
): Promise<{ readonly thrown: unknown } | undefined> {
  let run = 0
  const isOwn = (): boolean => run % shard.of === shard.index
  const property = asyncProperty(steps, async (drawn) => {
    if (isOwn()) await attempt(run, drawn)
  })
  const { generate } = property
  // The stories of other shards are not drawn: that would take longer than to perform short ones.
  property.generate = (random, number = 0) => {
    run = number
    if (runner?.isNeeded?.(run) === false) throw UNNEEDED
    return isOwn() ? generate.call(property, random, number) : new Value([[]], undefined)
  }
  try {
    await check(property, { seed, numRuns: runs, timeout: limitMs })
    return undefined
  } catch (thrown) {
    return thrown === UNNEEDED ? undefined : { thrown }
  }
}

/** Makes the runs of a plan; throws the first failure, told. */
async function searchAndTell(plan: SearchPlan, root: Stage, part: Part): Promise<ExploreReport> {
  const tried = createSearch(plan, root)
  const stopped = await search(plan, tried)
  const { found, thrown, counts } = tried.end()
  if (thrown !== undefined) throw thrown.error
  if (found === undefined && stopped !== undefined)
    throw failure('callbackFailed', { callback: 'an arbitrary of explore', reason: textOf(stopped.thrown) })
  const failures: CausedFailure[] = []
  if (found !== undefined) {
    const shrunk =
      stopped === undefined ? '' : `; not shrunk further, since an arbitrary threw ${textOf(stopped.thrown)}`
    const origin = found.origin.replace(/\)$/, `${shrunk})`)
    failures.push([await tellFailure({ ...plan, root }, { ...found, origin }), found.failure.error])
  }
  await endPart(plan, { ...part, counts }, failures)
  return STORIES_PART.report(counts)
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
  const { seed, runs, depth, adversary, reorgDepth } = plan
  const digest = digestOfPlan(plan.scene, root, { seed, runs, depth, adversary, reorgDepth })
  const part = newPart('stories', plan.shard, digest)
  plan.runner?.begin?.(part, setUpOf(plan.scene, root))
  return keepingStrays(() => searchAndTell(plan, root, part))
}

/** Performs a story of an application on a clone of the chain; steps that cannot happen any more are left out. */
export async function replayApplication<
  Chain extends Explorable,
  Values extends Record<string, unknown>,
  World = { readonly chain: Chain },
>(chain: Chain, scene: Scene<Chain, World, Values>, story: Partial<SavedStory>): Promise<ReplayReport> {
  const root = await openStage('replay', chain)
  const plan = planOf('replay', root, scene)
  const steps = readStory(plan.scene, root, story)
  const progress = createProgress()
  const impossible: number[] = []
  const run = async (): Promise<Failure | undefined> => {
    const player = await createPlayer(plan.scene, root, Number.MAX_SAFE_INTEGER, progress)
    return play(player, steps, (outcome, position) => {
      if (outcome === false) impossible.push(position)
    })
  }
  const ended = await within(plan.limitMs, run)
  if (ended === undefined) progress.stop()
  const failed = ended === undefined ? hungIn(progress.doing, plan.limitMs) : ended.value
  if (failed === undefined) return { steps: progress.steps.length, impossible }
  const telling = { ...plan, root, reorgDepth: Number.MAX_SAFE_INTEGER }
  const told = { failure: failed, steps: progress.steps, at: [0], origin: ', replayed' }
  throw errorOf(await tellFailure(telling, told), failed.error)
}
