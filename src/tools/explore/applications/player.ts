// A run: the steps of a story on a clone, each followed by the invariants.

import { PreconditionFailure } from 'fast-check'
import { TickchainError } from '../../../core/primitives/errors.ts'
import { checkInvariant, type Failure, failureFrom, hungFor } from '../failures.ts'
import type { PartRunner } from '../parts.ts'
import { takeStray } from '../strays.ts'
import { beginLateness, performEvent, possibleEvents } from './adversary.ts'
import type { AdversaryKind, AnyScene, Events, Invariant, LateEvent, Step } from './scene.ts'
import { type Activity, cloneStage, type Stage, wait, watchActivity } from './stage.ts'

/** An event of any of several kinds, of which `turn` chooses one that is possible then. */
interface AnyEvent {
  readonly among: readonly AdversaryKind[]
  readonly turn: number
  readonly pick: number
}

/** A step as a random story has it: an event is the position of one that is possible then. */
export type DrawnStep = Step | AnyEvent | { readonly adversary: AdversaryKind; readonly pick: number }

/** The failure of a run that was cut. */
export function hungIn(name: string, limitMs: number): Failure {
  return failureFrom('storyHung', name, new Error(hungFor(limitMs)))
}

/** Progress of a run; kept up while it goes on, so that one that hangs can be told. */
export type RunProgress = ReturnType<typeof createProgress>

export function createProgress(onStep?: PartRunner['onStep']) {
  const steps: Step[] = []
  const add = (step: Step): void => {
    onStep?.(steps.length, step)
    steps.push(step)
  }
  return {
    /** The steps that were performed, the present one included. */
    steps,
    add,
    /** The name of the action or the invariant that is going on. */
    doing: 'world',
    /** Ends the run, which has been cut. */
    stop: () => {},
  }
}

export type Player = Awaited<ReturnType<typeof createPlayer>>

/** Refusals of events that turn out to be impossible when they are performed. */
const IMPOSSIBLE = [
  ...['replacementNotExecutable', 'reorgTooDeep', 'layersApart', 'blockBegun', 'stateNotAvailable'],
]

const BLOCKS_IN_THE_END = 3

/** An action that is not over yet. */
interface Flight {
  readonly name: string
  ended?: { readonly error?: unknown }
}

interface Run {
  readonly scene: AnyScene
  readonly stage: Stage
  readonly world: unknown
  readonly activity: Activity
  readonly progress: RunProgress
  readonly flights: Set<Flight>
  readonly reorgDepth: number
  readonly happened: Map<AdversaryKind, number>
  /** What a coming request is in for. */
  late: LateEvent | undefined
  /** The action that began last, or `world`. */
  last: string
}

async function checkAll(
  { world, progress }: Run,
  invariants: Readonly<Record<string, Invariant<never>>>,
): Promise<Failure | undefined> {
  for (const [name, invariant] of Object.entries(invariants)) {
    progress.doing = name
    const broken = await checkInvariant(
      name,
      () => invariant(world as never),
      () => {
        const error = new Error('it is false')
        return { error, reason: error.message }
      },
    )
    if (broken !== undefined) return broken
  }
  return undefined
}

function takeOff(run: Run, name: string, values: unknown): Flight {
  const { scene, world, activity, flights } = run
  const flight: Flight = { name }
  if (flights.size === 0) activity.beginAction()
  flights.add(flight)
  run.last = name
  const act = scene.run[name] as (world: never, values: never) => unknown
  const ended = (async () => act(world as never, values as never))()
  const note = (end: { readonly error?: unknown }) => () => void Object.assign(flight, { ended: end })
  void activity.track(ended.then(note({}), (error: unknown) => note({ error })()))
  return flight
}

/** Removes the actions that are over; one that threw is a failure, and so is an error that nothing awaits. */
async function land({ flights, last }: Run): Promise<Failure | undefined> {
  for (const flight of flights) {
    if (flight.ended === undefined) continue
    flights.delete(flight)
    if ('error' in flight.ended) return failureFrom('actionThrew', flight.name, flight.ended.error)
  }
  const error = await takeStray()
  return error && failureFrom('actionThrew', last, error)
}

/** The kind of an event. Half of them are of a kind that has happened least, so that rare ones happen as often as others. */
function kindOf({ stage, reorgDepth, happened }: Run, { among, turn }: AnyEvent): AdversaryKind | undefined {
  const possible = among.filter((kind) => possibleEvents(stage, kind, reorgDepth).length > 0)
  const countOf = (kind: AdversaryKind): number => happened.get(kind) ?? 0
  const least = Math.min(...possible.map(countOf))
  const kinds = turn % 2 === 0 ? possible.filter((kind) => countOf(kind) === least) : possible
  return kinds[(turn >> 1) % Math.max(1, kinds.length)]
}

type EventStep = Extract<DrawnStep, { readonly adversary: unknown }>

function eventOf({ stage, reorgDepth }: Run, step: EventStep) {
  const possible = possibleEvents(stage, step.adversary, reorgDepth)
  if ('pick' in step) return possible[step.pick % Math.max(1, possible.length)]
  const asked = JSON.stringify(step.event)
  return possible.find((event) => JSON.stringify(event) === asked)
}

/** Performs an event; resolves to false if it is not possible. */
async function act(run: Run, step: EventStep): Promise<boolean> {
  const { adversary } = step
  const event = eventOf(run, step)
  if (event === undefined) return false
  run.progress.add({ adversary, event } as Step)
  run.progress.doing = adversary
  if (adversary === 'lateAnswers') run.late = event as LateEvent
  else {
    try {
      await performEvent(run.stage, adversary, event as Events[typeof adversary])
    } catch (error) {
      if (!(error instanceof TickchainError) || !IMPOSSIBLE.includes(error.kind)) throw error
      run.progress.steps.pop()
      return false
    }
  }
  run.happened.set(adversary, (run.happened.get(adversary) ?? 0) + 1)
  return true
}

/** Begins a step; resolves to whether it is possible. */
async function start(run: Run, step: DrawnStep): Promise<boolean | Flight> {
  const { progress, stage } = run
  if ('among' in step) {
    const adversary = kindOf(run, step)
    return adversary !== undefined && act(run, { adversary, pick: step.pick })
  }
  if ('adversary' in step) return act(run, step)
  progress.add(step)
  progress.doing = 'action' in step ? step.action : 'time passes'
  if ('action' in step) return takeOff(run, step.action, step.values)
  await wait(stage, step.wait)
  return true
}

async function perform(run: Run, step: DrawnStep): Promise<boolean | Failure> {
  const { late, stage, scene, activity, progress } = run
  const endLateness = late && (await beginLateness(stage, late))
  const started = await start(run, step)
  const isAtRest = await activity.rest()
  const left = await endLateness?.()
  // Unless another event takes its place.
  if (run.late === late) run.late = left
  if (!isAtRest) {
    activity.stop()
    const error = new Error('it asks the chain on and on while the clock stands still')
    return failureFrom('storyHung', progress.doing, error)
  }
  if (started === false) return false
  // Such an action stays in the story: it may have asked the chain before it gave up.
  if (typeof started === 'object' && PreconditionFailure.isFailure(started.ended?.error))
    run.flights.delete(started)
  return (await land(run)) ?? (await checkAll(run, scene.invariants)) ?? true
}

async function end(run: Run): Promise<Failure | undefined> {
  const { steps } = run.progress
  // Blocks take most of the time of a short run.
  const hasEnd = Object.keys(run.scene.eventually ?? {}).length > 0 || run.flights.size > 0
  if (!hasEnd) return undefined
  const { length } = steps
  for (let block = 0; block < BLOCKS_IN_THE_END; block++) {
    const outcome = await perform(run, { wait: 'block' })
    if (typeof outcome === 'object') return outcome
  }
  // The end is no part of the story.
  steps.splice(length)
  return checkAll(run, run.scene.eventually ?? {})
}

/** Makes the application on a clone of the chain; what its `world` throws is the failure of the beginning. */
export async function createPlayer(
  scene: AnyScene,
  root: Stage,
  reorgDepth: number,
  progress: RunProgress = createProgress(),
) {
  const stage = cloneStage(root)
  const activity = watchActivity(stage)
  progress.stop = activity.stop
  const make = scene.world ?? ((chain: unknown) => ({ chain }))
  let world: unknown
  let unmade: Failure | undefined
  try {
    world = await make(stage.chain as never)
  } catch (error) {
    unmade = failureFrom('actionThrew', 'world', error)
  }
  const begun = { happened: new Map(), flights: new Set<Flight>(), late: undefined, last: 'world' }
  const run: Run = { scene, stage, world, activity, progress, reorgDepth, ...begun }
  return {
    stage,
    world,
    progress,
    /** What a coming request is in for. */
    late: () => run.late,
    awaitsEvent: activity.awaitsEvent,
    /** Performs a step and checks the invariants; resolves to whether it was possible, or what it broke. */
    perform: async (step: DrawnStep): Promise<boolean | Failure> => unmade ?? perform(run, step),
    /** Checks what holds from the beginning. */
    async begin(): Promise<Failure | undefined> {
      await activity.rest()
      return unmade ?? (await land(run)) ?? checkAll(run, scene.invariants)
    },
    /** Lets three blocks pass if something is awaited of them, and checks what holds in the end. */
    end: () => end(run),
  }
}

/** Performs all steps, up to the first failure; `note` is told what came of each. */
export async function play(
  player: Pick<Player, 'begin' | 'perform' | 'end'>,
  steps: readonly DrawnStep[],
  note?: (outcome: boolean | Failure, position: number) => void,
): Promise<Failure | undefined> {
  const atFirst = await player.begin()
  if (atFirst !== undefined) return atFirst
  for (const [position, step] of steps.entries()) {
    const outcome = await player.perform(step)
    note?.(outcome, position)
    if (typeof outcome === 'object') return outcome
  }
  return player.end()
}
