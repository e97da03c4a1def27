// Random stories: fast-check draws and shrinks them, each is performed on a clone of its own.

import { asyncProperty, check } from 'fast-check'
import { failure } from '../../primitives/errors.ts'
import { textOf } from '../../primitives/text-of.ts'
import type { AdversaryKind, Step } from './events.ts'
import { type SearchPlan, searchPlanOf } from './options.ts'
import { createPlayer, createProgress, type DrawnStep, type Failure, type Progress, play } from './player.ts'
import type { ExploreOptions, ExploreReport } from './scene.ts'
import { type Explorable, type Stage, stageOf } from './stage.ts'
import { type FailedStory, tellFailure } from './tell.ts'

/** The failure that the search has come to. */
interface Found {
  readonly failure: Failure
  readonly steps: readonly Step[]
  /** The number of the run in which it was found. */
  readonly run: number
}

interface Search {
  /** Performs a story, and throws if it fails as the first that failed did. */
  readonly attempt: (steps: readonly DrawnStep[]) => Promise<void>
  readonly found: () => Found | undefined
  readonly report: () => ExploreReport
}

function isSame(a: Failure, b: Failure): boolean {
  return a.kind === b.kind && a.name === b.name
}

/** Counts what has happened in runs. */
function createTally() {
  let runs = 0
  let steps = 0
  const events: Partial<Record<AdversaryKind, number>> = {}
  return {
    add(progress: Progress) {
      runs++
      steps += progress.steps.length
      for (const step of progress.steps) {
        if ('adversary' in step) events[step.adversary] = (events[step.adversary] ?? 0) + 1
      }
    },
    report: (): ExploreReport => ({ runs, steps, events: { ...events } }),
  }
}

function createSearch(plan: SearchPlan, root: Stage, tell: () => void): Search {
  const { scene, shard, reorgDepth, limitMs } = plan
  const tally = createTally()
  let next = 0
  let shrinksLeft = plan.shrinks
  let found: Found | undefined
  let running: Progress | undefined
  /** A run that is not over has been cut. */
  const noteCut = (): void => {
    if (running === undefined) return
    const { doing, steps, stop } = running
    stop()
    running = undefined
    // After a cut nothing is tried any more: each cut takes the whole limit.
    shrinksLeft = 0
    const error = new Error(`it has taken more than ${limitMs} ms`)
    found ??= { failure: { kind: 'storyHung', name: doing, error }, steps, run: next - 1 }
  }
  const perform = async (drawn: readonly DrawnStep[]): Promise<void> => {
    const progress = createProgress()
    running = progress
    const player = await createPlayer(scene, root, reorgDepth, progress)
    const failed = await play(player, drawn)
    if (running !== progress) return
    running = undefined
    if (found === undefined) tally.add(progress)
    if (failed === undefined || (found !== undefined && !isSame(found.failure, failed))) return
    found = { failure: failed, steps: progress.steps, run: found?.run ?? next - 1 }
    throw new Error(failed.name)
  }
  return {
    async attempt(drawn) {
      noteCut()
      if (found !== undefined) {
        if (shrinksLeft-- > 0) await perform(drawn)
        return
      }
      const number = next++
      if (number % shard.of !== shard.index) return
      await perform(drawn)
      tell()
    },
    found() {
      noteCut()
      return found
    },
    report: tally.report,
  }
}

/** Runs fast-check; resolves to what an arbitrary threw, if one did. */
async function search(
  { steps, seed, runs, limitMs }: SearchPlan,
  { attempt }: Search,
): Promise<{ readonly thrown: unknown } | undefined> {
  try {
    await check(asyncProperty(steps, attempt), { seed, numRuns: runs, timeout: limitMs })
    return undefined
  } catch (thrown) {
    return { thrown }
  }
}

/**
 * Tries random stories of an application: actions of its users, time that passes, and between them what a real chain may
 * do. Each story is performed on a clone of the chain, and the invariants are checked after every step. The first that
 * fails is shrunk and told.
 *
 * @param chain An emulator or a pair of `createRollup`, set up; its present blocks are never replaced.
 * @param options The application, its actions and invariants, and how much is tried.
 * @throws TickchainError `invariantBroken`, `actionThrew` or `storyHung`, with the story in its field story and what
 *   was thrown as its cause; `invalidOption`, `invalidCall`; `callbackFailed` if an arbitrary throws
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
  const root = stageOf(chain)
  const plan = searchPlanOf(root, options)
  const tried: Search = createSearch(plan, root, () =>
    options.progress?.({ ...tried.report(), of: plan.runs }),
  )
  const stopped = await search(plan, tried)
  const found = tried.found()
  if (found === undefined) {
    if (stopped === undefined) return tried.report()
    throw failure('callbackFailed', { callback: 'an arbitrary of explore', reason: textOf(stopped.thrown) })
  }
  const shrunk =
    stopped === undefined ? '' : `; not shrunk further, since an arbitrary threw ${textOf(stopped.thrown)}`
  const origin = ` (run ${found.run + 1} of ${plan.runs}, seed ${plan.seed}${shrunk})`
  const story: FailedStory = { ...found, origin }
  throw await tellFailure({ ...plan, root }, story)
}
