// A small scene in full: all positions and orders of up to so many events between the steps of a script.

import { failure } from '../../primitives/errors.ts'
import { possibleEvents } from './adversary.ts'
import { createIdentities, digestOf, type Identities } from './digest.ts'
import type { Step } from './events.ts'
import { within } from './limit.ts'
import { type FullPlan, fullPlanOf } from './options.ts'
import { createPlayer, createProgress, type Failure, type Player } from './player.ts'
import type { ExploreAllOptions, ExploreAllReport } from './scene.ts'
import { type Explorable, type Stage, stageOf } from './stage.ts'
import { tellFailure } from './tell.ts'

/** A state: the story that leads to it, and how much of the script that has performed. */
interface Place {
  readonly steps: readonly Step[]
  readonly position: number
  /** The chain there; only if all of the state is in it. */
  readonly stage: Stage | undefined
}

interface Walk {
  readonly plan: FullPlan
  readonly root: Stage
  readonly identities: Identities
  readonly seen: Set<string>
  steps: number
  events: number
}

/** A run that has come to a place. A clone of the chain there will do if all of the state is in the chain. */
async function goTo({ plan, root }: Walk, { steps, stage }: Place): Promise<Player | Failure> {
  const { scene, reorgDepth } = plan
  const progress = createProgress()
  if (stage !== undefined) {
    progress.steps.push(...steps)
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

/** The place of a run, if it is a new one. */
async function placeOf(
  walk: Walk,
  player: Player,
  position: number,
  isLate: boolean,
): Promise<Place | undefined> {
  const { plan, identities, seen } = walk
  const { stage, world, progress } = player
  const own = plan.scene.world === undefined ? '' : plan.digest?.(world as never)
  const isPlain = own !== undefined && !isLate && isQuiet(stage)
  const digest = isPlain
    ? `${await digestOf(stage, identities)}:${own}`
    : `story ${JSON.stringify(seen.size)}`
  const key = `${position}:${digest}`
  if (seen.has(key)) return undefined
  if (seen.size >= plan.states) throw failure('tooManyStates', { most: plan.states })
  seen.add(key)
  return { steps: [...progress.steps], position, stage: isInChain(plan) ? stage : undefined }
}

/** Whether no action waits for the clock, which no digest shows. */
function isQuiet({ layers }: Stage): boolean {
  return layers.every(
    ({ session: { heldAnswers, waiters, inclusionWaits } }) =>
      heldAnswers.size + waiters.size + inclusionWaits.size === 0,
  )
}

interface Broke {
  readonly failure: Failure
  readonly steps: readonly Step[]
}

function isFailure(outcome: Player | boolean | Failure | undefined): outcome is Failure {
  return typeof outcome === 'object' && 'kind' in outcome
}

/** Runs a part of the walk within the limit of a run. */
async function limited<Value>(
  { plan: { limitMs } }: Walk,
  steps: readonly Step[],
  task: () => Promise<Value>,
): Promise<Value | Broke> {
  const ended = await within(limitMs, task)
  if (ended !== undefined) return ended.value
  const error = new Error(`it has taken more than ${limitMs} ms`)
  return { failure: { kind: 'storyHung', name: 'the last step', error }, steps }
}

/** Takes one more step from a place; resolves to the place there, if it is a new one. */
function take(walk: Walk, from: Place, step: Step, position: number): Promise<Place | Broke | undefined> {
  return limited(walk, [...from.steps, step], async () => {
    const player = await goTo(walk, from)
    if (isFailure(player)) return { failure: player, steps: from.steps }
    walk.steps++
    const outcome = await player.perform(step)
    if (typeof outcome === 'object') return { failure: outcome, steps: player.progress.steps }
    const isLate = 'adversary' in step && step.adversary === 'lateAnswers'
    return outcome ? placeOf(walk, player, position, isLate) : undefined
  })
}

/** Checks what holds in the end. */
function conclude(walk: Walk, place: Place): Promise<Broke | undefined> {
  return limited(walk, place.steps, async () => {
    const player = await goTo(walk, place)
    const failed = isFailure(player) ? player : await player.end()
    if (failed === undefined) return undefined
    return { failure: failed, steps: isFailure(player) ? place.steps : player.progress.steps }
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

/** Performs the script to its end from each of these places; resolves to all places on the way. */
async function follow(walk: Walk, level: readonly Place[]): Promise<Place[] | Broke> {
  const { script } = walk.plan
  const places = [...level]
  for (const place of places) {
    const step = script[place.position]
    if (step === undefined) {
      const broke = await conclude(walk, place)
      if (broke !== undefined) return broke
      continue
    }
    const next = await take(walk, place, step as Step, place.position + 1)
    if (isBroke(next)) return next
    if (next !== undefined) places.push(next)
  }
  return places
}

/** Walks level by level of events, so that the first failure has the fewest, and each state is met with most to come. */
async function walkAll(walk: Walk, start: Place): Promise<Broke | undefined> {
  let level: Place[] = [start]
  for (let used = 0; ; used++) {
    const places = await follow(walk, level)
    if ('failure' in places) return places
    if (used === walk.plan.events) return undefined
    level = []
    for (const place of places) {
      for (const step of await eventsAt(walk, place)) {
        walk.events++
        const next = await take(walk, place, step, place.position)
        if (isBroke(next)) return next
        if (next !== undefined) level.push(next)
      }
    }
  }
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
  const root = stageOf(chain)
  const plan = fullPlanOf(root, options)
  const walk: Walk = { plan, root, identities: createIdentities(), seen: new Set(), steps: 0, events: 0 }
  const begin = async (): Promise<Place | Broke | undefined> => {
    const player = await createPlayer(plan.scene, root, plan.reorgDepth)
    const failed = await player.begin()
    return failed === undefined ? placeOf(walk, player, 0, false) : { failure: failed, steps: [] }
  }
  const start = await limited(walk, [], begin)
  const broke = start === undefined || isBroke(start) ? start : await walkAll(walk, start)
  if (broke === undefined) return { states: walk.seen.size, steps: walk.steps, events: walk.events }
  throw await tellFailure({ ...plan, root }, { ...broke, origin: '' })
}
