// A small scene in full: all positions and orders of up to so many events between the steps of a script.

import { keccak256Hex } from '../../../core/primitives/crypto.ts'
import { failure } from '../../../core/primitives/errors.ts'
import { utf8ToBytes } from '../../../core/primitives/hex.ts'
import { describe, textOf } from '../../../core/primitives/text-of.ts'
import { within } from '../limit.ts'
import { errorOf, nameShard, PART_FORMAT, type Part, reportPart, tellProgress } from '../parts.ts'
import { keepingStrays } from '../strays.ts'
import { possibleEvents } from './adversary.ts'
import { createIdentities, digestOf, type Identities } from './digest.ts'
import type { Step } from './events.ts'
import { type FullPlan, fullPlanOf } from './options.ts'
import { createPlayer, createProgress, type Failure, hungIn, type Player } from './player.ts'
import type { ExploreAllOptions, ExploreAllReport } from './scene.ts'
import { type Explorable, openStage, type Stage } from './stage.ts'
import { digestOfPlan, encodeStep, setUpOf } from './story.ts'
import { type FailedStory, sketchFailure, tellFailure } from './tell.ts'
import { type CountedState, SCENE_WAY } from './ways.ts'

/** A state: the story that leads to it, and how much of the script that has performed. */
interface Place {
  readonly steps: readonly Step[]
  readonly position: number
  /** The same for equal states, in all shards. */
  readonly key: string
  /** Its place in the order of the walk, which sorts like the numbers one after the other. */
  readonly rank: readonly number[]
  /** The chain there; only if all of the state is in it. */
  readonly stage: Stage | undefined
}

interface Walk {
  readonly plan: FullPlan
  readonly root: Stage
  readonly identities: Identities
  /** The places of this level and those before, by key. */
  readonly seen: Map<string, CountedState>
  level: number
}

type Broke = Omit<FailedStory, 'origin'>

/** A step from a place, and where it leads in the order of the walk. */
interface Choice {
  readonly from: Place
  readonly step: Step
  readonly position: number
  readonly rank: readonly number[]
  /** Of a failure. */
  readonly at: readonly number[]
}

/** A run that has come to a place. A clone of the chain there will do if all of the state is in the chain. */
async function goTo({ plan, root }: Walk, { steps, stage }: Place): Promise<Player | Failure> {
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
    if (typeof outcome === 'object') return outcome
  }
  return player
}

/** Whether a clone continues a run: no application beside the chain, and no answer that is still to come. */
function isInChain({ scene, adversary }: FullPlan): boolean {
  return scene.world === undefined && !adversary.includes('lateAnswers')
}

/** Whether no action waits for the clock, which no digest shows. */
function isQuiet({ layers }: Stage): boolean {
  return layers.every(
    ({ session: { heldAnswers, waiters, inclusionWaits } }) =>
      heldAnswers.size + waiters.size + inclusionWaits.size === 0,
  )
}

/** The state of the application as text; throws `callbackFailed`. */
function ownDigest({ digest }: FullPlan, world: unknown): string | undefined {
  let text: unknown
  try {
    text = digest?.(world as never)
  } catch (error) {
    throw failure('callbackFailed', { callback: 'digest', reason: textOf(error) })
  }
  if (typeof text === 'string' || digest === undefined) return text as string | undefined
  throw failure('callbackFailed', { callback: 'digest', reason: `expected a text, got ${describe(text)}` })
}

/** A key of the state that a run has come to; where states cannot be compared, of the way there. */
async function keyOf(
  { plan, identities }: Walk,
  player: Player,
  position: number,
  way: string,
): Promise<string> {
  const { stage, world, progress } = player
  const own = plan.scene.world === undefined ? '' : ownDigest(plan, world)
  const last = progress.steps.at(-1)
  const isLate = last !== undefined && 'adversary' in last && last.adversary === 'lateAnswers'
  const isPlain = own !== undefined && !isLate && isQuiet(stage)
  const state = isPlain ? `${await digestOf(stage, identities)}:${own}` : way
  return keccak256Hex(utf8ToBytes(`${position}:${state}`)).slice(2, 26)
}

/** The place that a run has come to, if it is a new one. */
async function placeOf(
  walk: Walk,
  player: Player,
  { position, rank }: Pick<Choice, 'position' | 'rank'>,
  way: string,
): Promise<Place | undefined> {
  const { plan, seen, level } = walk
  const { stage, progress } = player
  const key = await keyOf(walk, player, position, way)
  if (seen.has(key)) return undefined
  if (seen.size >= plan.states) throw failure('tooManyStates', { most: plan.states })
  seen.set(key, [level, 0, 0])
  await tellProgress(plan.progress, { runs: seen.size, states: seen.size })
  const kept = isInChain(plan) ? stage : undefined
  return { steps: [...progress.steps], position, rank, key, stage: kept }
}

function isFailure(outcome: Player | boolean | Failure | undefined): outcome is Failure {
  return typeof outcome === 'object' && 'kind' in outcome
}

/** Runs a part of the walk within the limit of a run. */
async function limited<Value>(
  { plan: { limitMs } }: Walk,
  steps: readonly Step[],
  at: readonly number[],
  task: () => Promise<Value>,
): Promise<Value | Broke> {
  const ended = await within(limitMs, task)
  return ended === undefined ? { failure: hungIn('the last step', limitMs), steps, at } : ended.value
}

/** Takes one more step from a place; resolves to the place there, if it is a new one. */
function take(walk: Walk, { from, step, at, ...to }: Choice): Promise<Place | Broke | undefined> {
  return limited(walk, [...from.steps, step], at, async () => {
    const player = await goTo(walk, from)
    if (isFailure(player)) return { failure: player, steps: from.steps, at }
    const outcome = await player.perform(step)
    if (typeof outcome === 'object') return { failure: outcome, steps: player.progress.steps, at }
    const way = `after ${from.key} ${to.rank.at(-1)}`
    return outcome ? placeOf(walk, player, to, way) : undefined
  })
}

/** Checks what holds in the end. */
function conclude(walk: Walk, place: Place, at: readonly number[]): Promise<Broke | undefined> {
  return limited(walk, place.steps, at, async () => {
    const player = await goTo(walk, place)
    const failed = isFailure(player) ? player : await player.end()
    if (failed === undefined) return undefined
    return { failure: failed, steps: isFailure(player) ? place.steps : player.progress.steps, at }
  })
}

/** The events that are possible at a place. */
async function eventsAt(walk: Walk, place: Place): Promise<Step[]> {
  const { adversary, reorgDepth } = walk.plan
  const player = place.stage === undefined ? await goTo(walk, place) : undefined
  const stage = isFailure(player) ? undefined : (player?.stage ?? place.stage)
  if (stage === undefined) return []
  return adversary.flatMap((kind) =>
    possibleEvents(stage, kind, reorgDepth).map((event) => ({ adversary: kind, event })),
  )
}

function isBroke(outcome: Place | Broke | undefined): outcome is Broke {
  return outcome !== undefined && 'failure' in outcome
}

/** Failures of a level: those of the script come before those of events. */
function placeInOrder({ level }: Walk, part: 'script' | 'events', rank: readonly number[]): number[] {
  return [2 * level + (part === 'script' ? 0 : 1), ...rank]
}

/** Performs the script to its end from each of these places; resolves to all places on the way. */
async function follow(walk: Walk, level: readonly Place[]): Promise<Place[] | Broke> {
  const { script } = walk.plan
  const places = [...level]
  for (const place of places) {
    const [steps = 0, ...rank] = place.rank
    const step = script[place.position]
    const at = placeInOrder(walk, 'script', place.rank)
    if (step === undefined) {
      const broke = await conclude(walk, place, at)
      if (broke !== undefined) return broke
      continue
    }
    walk.seen.set(place.key, [walk.level, 0, 1])
    const to = { position: place.position + 1, rank: [steps + 1, ...rank] }
    const next = await take(walk, { from: place, step: step as Step, at, ...to })
    if (isBroke(next)) return next
    if (next !== undefined) places.push(next)
  }
  return places
}

/** Takes each event at each of these places; of the first level, those of the shard. */
async function branch(walk: Walk, places: readonly Place[]): Promise<Place[] | Broke> {
  const { shard } = walk.plan
  const isFirst = walk.level === 0
  const next: Place[] = []
  let choices = 0
  for (const place of places) {
    const { key, position } = place
    const events = await eventsAt(walk, place)
    const [, , steps] = walk.seen.get(key) as CountedState
    walk.seen.set(key, [walk.level, events.length, steps])
    for (const [index, step] of events.entries()) {
      if (isFirst && choices++ % shard.of !== shard.index) continue
      const rank = [...place.rank, index]
      const at = placeInOrder(walk, 'events', rank)
      walk.level++
      const there = await take(walk, { from: place, step, position, rank: [0, ...rank], at })
      walk.level--
      if (isBroke(there)) return there
      if (there !== undefined) next.push(there)
    }
  }
  return next
}

/** Walks level by level of events, so that the first failure has the fewest, and each state is met with most to come. */
async function walkAll(walk: Walk, start: Place): Promise<Broke | undefined> {
  const { events, runner } = walk.plan
  let level: Place[] = [start]
  for (; ; walk.level++) {
    if (runner?.isNeeded?.(2 * walk.level) === false) return undefined
    const places = await follow(walk, level)
    if ('failure' in places) return places
    if (walk.level === events) return undefined
    const next = await branch(walk, places)
    if ('failure' in next) return next
    level = next
  }
}

/** Walks through the states of a plan; throws the first failure, told. */
async function walkAndTell(plan: FullPlan, root: Stage, part: Part): Promise<ExploreAllReport> {
  const walk: Walk = { plan, root, identities: createIdentities(), seen: new Map(), level: 0 }
  const begin = async (): Promise<Place | Broke | undefined> => {
    const player = await createPlayer(plan.scene, root, plan.reorgDepth)
    const failed = await player.begin()
    if (failed !== undefined) return { failure: failed, steps: [], at: [-1] }
    return placeOf(walk, player, { position: 0, rank: [0] }, 'the beginning')
  }
  const start = await limited(walk, [], [-1], begin)
  const broke = start === undefined || isBroke(start) ? start : await walkAll(walk, start)
  const counts = { states: Object.fromEntries(walk.seen) }
  if (broke === undefined) {
    await reportPart(plan, { ...part, counts })
    return SCENE_WAY.report(counts)
  }
  const telling = { ...plan, root }
  const failed = { ...broke, origin: '' }
  plan.runner?.onFailure?.(sketchFailure(telling, failed))
  const told = await tellFailure(telling, failed)
  const error = errorOf(told, broke.failure.error)
  await reportPart(plan, { ...part, counts, failures: [told] }, error)
  throw error
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
  const { scene, shard, runner, adversary, reorgDepth, events, script } = plan
  const part: Part = {
    ...{ format: PART_FORMAT, way: 'scene', shards: [nameShard(shard)], counts: undefined, failures: [] },
    setUp: digestOfPlan(scene, root, {
      adversary,
      reorgDepth,
      events,
      script: script.map(encodeStep as never),
    }),
  }
  runner?.begin?.(part, setUpOf(scene, root))
  return keepingStrays(() => walkAndTell(plan, root, part))
}
