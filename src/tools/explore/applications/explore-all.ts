// A small scene in full: all positions and orders of up to so many events between the steps of a script.

import { keccakOfText } from '../../../core/primitives/crypto.ts'
import { failure, resultOfCallback } from '../../../core/primitives/errors.ts'
import { describe } from '../../../core/primitives/text-of.ts'
import type { Failure } from '../failures.ts'
import { createLoop, explorePart, within } from '../loop.ts'
import { possibleEvents } from './adversary.ts'
import { type FullPlan, fullPlanOf } from './options.ts'
import { createPlayer, createProgress, hungIn, type Player } from './player.ts'
import type { ExploreAllOptions, ExploreAllReport, Step } from './scene.ts'
import { countWaiting, createIdentities, digestOf, type Explorable, openStage, type Stage } from './stage.ts'
import { type CountedState, digestOfPlan, encodeStep, SCENE_PART, setUpOf } from './story.ts'
import { type FailedStory, sketchStory, tellStory } from './tell.ts'

/** A state: the story that leads to it, and how much of the script that has performed. */
interface ReachedState {
  readonly steps: readonly Step[]
  readonly position: number
  /** The same for equal states, in all shards. */
  readonly key: string
  /** Its place in the order of the search, which sorts like the numbers one after the other. */
  readonly rank: readonly number[]
  /** The chain there; only if all of the state is in it. */
  readonly stage: Stage | undefined
}

type FullSearch = ReturnType<typeof createSearch>

function createSearch(plan: FullPlan, root: Stage) {
  return {
    plan,
    root,
    identities: createIdentities(),
    level: 0,
    /** The states of this level and those before, by key. */
    seen: new Map<string, CountedState>(),
    loop: createLoop<FailedStory>(plan, (found) => sketchStory({ ...plan, root }, found)),
  }
}

/** Thrown where something is broken. */
class Broke {
  readonly found: FailedStory

  constructor(failure: Failure, steps: readonly Step[], at: readonly number[]) {
    this.found = { failure, steps, at, origin: '' }
  }
}

/** A run that has come to a state. A clone of the chain there will do if all of the state is in the chain. */
async function goTo({ plan, root }: FullSearch, { steps, stage }: ReachedState, at: readonly number[]) {
  const { scene, reorgDepth, runner } = plan
  const progress = createProgress(runner?.onStep)
  if (stage !== undefined) {
    for (const step of steps) progress.add(step)
    return createPlayer(scene, stage, reorgDepth, progress)
  }
  const player = await createPlayer(scene, root, reorgDepth, progress)
  await player.begin()
  for (const step of steps) {
    const outcome = await player.perform(step)
    if (typeof outcome === 'object') throw new Broke(outcome, steps, at)
  }
  return player
}

/** The state of the application as text; throws `callbackFailed`. */
function ownDigest({ digest }: FullPlan, world: unknown): string | undefined {
  const text: unknown = resultOfCallback('digest', () => digest?.(world as never))
  if (typeof text === 'string' || digest === undefined) return text as string | undefined
  throw failure('callbackFailed', { callback: 'digest', reason: `expected a text, got ${describe(text)}` })
}

/** The place of a state: so much of the script, and where the search comes to it. */
type StatePlace = Pick<ReachedState, 'position' | 'rank'>

/** The state that a run has come to, if it is a new one; `way` tells apart states that cannot be compared. */
async function stateAfter(
  { plan, seen, level, identities, loop }: FullSearch,
  player: Player,
  { position, rank }: StatePlace,
  way: string,
): Promise<ReachedState | undefined> {
  const { stage, world, progress } = player
  const own = plan.scene.world === undefined ? '' : ownDigest(plan, world)
  // No digest shows an action that waits for the clock.
  const isPlain = own !== undefined && countWaiting(stage) === 0 && !player.awaitsEvent()
  const late = JSON.stringify(player.late() ?? null)
  const state = isPlain ? `${await digestOf(stage, identities)}:${own}:${late}` : way
  const key = keccakOfText(`${position}:${state}`).slice(2, 26)
  if (seen.has(key)) return undefined
  if (seen.size >= plan.states) throw failure('tooManyStates', { most: plan.states })
  seen.set(key, [level, 0, 0])
  await loop.tell(plan.progress, () => ({ runs: seen.size, states: seen.size }))
  // A clone continues a run if there is no application beside the chain, and no answer that is still to come.
  const isInChain = plan.scene.world === undefined && !plan.adversary.includes('lateAnswers')
  return { steps: [...progress.steps], position, rank, key, stage: isInChain ? stage : undefined }
}

/** Runs a part of the search within the limit of a run; `undefined` if something is broken. What hangs ends the search. */
async function limited<Value>(
  { plan: { limitMs }, loop }: FullSearch,
  steps: readonly Step[],
  at: readonly number[],
  task: () => Promise<Value>,
): Promise<Value | undefined> {
  try {
    const ended = await within(limitMs, task)
    if (ended !== undefined) return ended.value
    loop.end()
    loop.find(new Broke(hungIn('the last step', limitMs), steps, at).found)
  } catch (broke) {
    if (!(broke instanceof Broke)) throw broke
    loop.find(broke.found)
  }
  return undefined
}

/** Takes one more step from a state; resolves to the state there, if it is a new one. A failure has the place `at`. */
function take(
  search: FullSearch,
  from: ReachedState,
  step: Step,
  to: StatePlace,
  at: readonly number[],
): Promise<ReachedState | undefined> {
  return limited(search, [...from.steps, step], at, async () => {
    const player = await goTo(search, from, at)
    const outcome = await player.perform(step)
    if (typeof outcome === 'object') throw new Broke(outcome, player.progress.steps, at)
    return outcome ? stateAfter(search, player, to, `after ${from.key} ${to.rank.at(-1)}`) : undefined
  })
}

/** Checks what holds in the end. */
function conclude(search: FullSearch, reached: ReachedState, at: readonly number[]): Promise<void> {
  return limited(search, reached.steps, at, async () => {
    const player = await goTo(search, reached, at)
    const failed = await player.end()
    if (failed !== undefined) throw new Broke(failed, player.progress.steps, at)
  })
}

/** The events that are possible at a state; none if the way there breaks something now, which it did not before. */
async function eventsAt(search: FullSearch, reached: ReachedState): Promise<Step[]> {
  const { adversary, reorgDepth } = search.plan
  let { stage } = reached
  try {
    stage ??= (await goTo(search, reached, [])).stage
  } catch (error) {
    if (error instanceof Broke) return []
    throw error
  }
  const at = stage
  return adversary.flatMap((kind) =>
    possibleEvents(at, kind, reorgDepth).map((event) => ({ adversary: kind, event })),
  )
}

/** Performs the script to its end from each of these states; resolves to all states on the way. */
async function follow(search: FullSearch, level: readonly ReachedState[]): Promise<ReachedState[]> {
  const states = [...level]
  // Failures of the script come before those of the events of a level.
  const first = 2 * search.level
  for (const reached of states) {
    const [steps = 0, ...rank] = reached.rank
    const step = search.plan.script[reached.position]
    const at = [first, ...reached.rank]
    if (!(await search.loop.goesOn(first))) break
    if (step === undefined) {
      await conclude(search, reached, at)
      continue
    }
    search.seen.set(reached.key, [search.level, 0, 1])
    const to = { position: reached.position + 1, rank: [steps + 1, ...rank] }
    const next = await take(search, reached, step as Step, to, at)
    if (next !== undefined) states.push(next)
  }
  return states
}

/** Takes each event at each of these states; of the first level, those of the shard. */
async function branch(search: FullSearch, states: readonly ReachedState[]): Promise<ReachedState[]> {
  const { plan, level, loop, seen } = search
  const { shard } = plan
  const first = 2 * level + 1
  const next: ReachedState[] = []
  let choices = 0
  for (const reached of states) {
    if (!(await loop.goesOn(first))) break
    const { key, position } = reached
    const events = await eventsAt(search, reached)
    const [, , steps] = seen.get(key) as CountedState
    seen.set(key, [level, events.length, steps])
    for (const [index, step] of events.entries()) {
      if (level === 0 && choices++ % shard.of !== shard.index) continue
      if (!(await loop.goesOn(first))) return next
      const rank = [...reached.rank, index]
      const to = { position, rank: [0, ...rank] }
      const there = await take({ ...search, level: level + 1 }, reached, step, to, [first, ...rank])
      if (there !== undefined) next.push(there)
    }
  }
  return next
}

/** Searches level by level of events, so that the first failure has the fewest, and each state is met with most to come. */
async function searchLevels(search: FullSearch): Promise<void> {
  const { plan, root } = search
  const { events, scene, reorgDepth } = plan
  const start = await limited(search, [], [-1], async () => {
    const player = await createPlayer(scene, root, reorgDepth)
    const failed = await player.begin()
    if (failed !== undefined) throw new Broke(failed, [], [-1])
    return stateAfter(search, player, { position: 0, rank: [0] }, 'the beginning')
  })
  let level = start === undefined ? [] : [start]
  for (; ; search.level++) {
    const states = await follow(search, level)
    if (search.level === events) return
    level = await branch(search, states)
  }
}

/** Searches the states of a plan; resolves to what was found, and the failures, told. */
async function searchStates(plan: FullPlan, root: Stage) {
  const search = createSearch(plan, root)
  const over = await search.loop.run(
    () => searchLevels(search),
    async (found) => [await tellStory({ ...plan, root }, found), found.failure.error],
  )
  return { ...over, counts: { states: Object.fromEntries(search.seen), ended: over.ended } }
}

/**
 * Explores a small scene in full: performs a script of actions and waits with all positions and orders of up to
 * `events` events that a real chain may cause, and checks the invariants after every step. States of chain and
 * application that are equal are continued once. If it resolves, everything holds in all of them.
 *
 * @param chain An emulator or a pair of `createRollup`, set up; its present blocks are never replaced.
 * @param options The application, the script and its adversary.
 * @throws TickchainError `invariantBroken`, `actionThrew` or `storyHung`, with the story in its field story; `tooManyStates`,
 *   `invalidOption`, `invalidCall`
 * @see docs/explore.md
 * @example
 * const [alice = '0x', bob = '0x'] = await chain.listAccounts()
 * await chain.clearPool()
 * const report = await exploreAll(chain, {
 *   script: [{ action: 'pay', values: {} }, { wait: 'partial' }, { wait: 'block' }],
 *   run: { pay: ({ chain }) => chain.request('eth_sendTransaction', [{ from: alice, to: bob }]) },
 *   invariants: {},
 *   adversary: ['drops'],
 * })
 * report.states // => 10
 */
export async function exploreAll<
  Chain extends Explorable,
  Values extends Record<string, unknown>,
  World = { readonly chain: Chain },
>(chain: Chain, options: ExploreAllOptions<Chain, World, Values>): Promise<ExploreAllReport> {
  const root = await openStage('exploreAll', chain)
  const plan = fullPlanOf(root, options)
  const { scene, seconds, adversary, reorgDepth, events, script } = plan
  const steps = script.map(encodeStep as never)
  const staged = { scene, root }
  const digest = digestOfPlan(staged, { adversary, reorgDepth, seconds, events, script: steps })
  return explorePart(plan, SCENE_PART, digest, setUpOf(staged), () => searchStates(plan, root))
}
