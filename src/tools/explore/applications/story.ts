// A story: the steps of a run as data and as JSON. Steps refer to positions, not to hashes, so that a story stays true when
// contracts change. A value that JSON lacks is an object with one field that begins with `$`.

import { keccakOfText } from '../../../core/primitives/crypto.ts'
import { TickchainError } from '../../../core/primitives/errors.ts'
import { bytesToHex, type Hash, hexToBytes } from '../../../core/primitives/hex.ts'
import { describe, textOf } from '../../../core/primitives/text-of.ts'
import { isObject } from '../../solidity/artifacts/json.ts'
import * as saved from '../failures.ts'
import { type Failure, type ToldFailure, tellFailure } from '../failures.ts'
import * as tallied from '../parts.ts'
import * as scenes from './scene.ts'
import { isRollup, type Stage, stateOf } from './stage.ts'

const FORMAT = 'tickchain story 1'

export interface StagedScene {
  readonly scene: scenes.AnyScene
  readonly root: Stage
}

/** A digest of what steps refer to: actions, and how blocks are made. Contracts may be repaired, so they do not count. */
export function setUpOf({ scene: { run }, root }: StagedScene): Hash {
  const chains = root.layers.map((layer) => {
    const { chainId, blockTimeMs, partialBlockTimeMs, sealsOnTime, automines, ordering } =
      stateOf(layer).settings
    return { chainId, blockTimeMs, partialBlockTimeMs, sealsOnTime, automines, ordering }
  })
  const parts = { actions: Object.keys(run).sort(), isRollup: isRollup(root.chain), chains }
  return keccakOfText(JSON.stringify(parts))
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** A value as JSON; throws `invalidStory` for functions, instances of classes and the like. */
function encodeValue(value: unknown, path: string): unknown {
  if (typeof value === 'bigint') return { $bigint: `${value}` }
  if (value === undefined) return { $undefined: true }
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
    return { $number: Object.is(value, -0) ? '-0' : `${value}` }
  if (value === null || ['boolean', 'string', 'number'].includes(typeof value)) return value
  if (value instanceof Uint8Array) return { $bytes: bytesToHex(value) }
  if (Array.isArray(value)) return value.map((item, index) => encodeValue(item, `${path}[${index}]`))
  if (typeof value !== 'object' || !isPlain(value))
    return saved.refuseStory(`${path} is ${describe(value)}, which JSON cannot hold`)
  const fields = Object.entries(value).map(([key, item]) => [key, encodeValue(item, `${path}.${key}`)])
  return fields.some(([key]) => `${key}`.startsWith('$')) ? { $object: fields } : Object.fromEntries(fields)
}

const DECODERS: Readonly<Record<string, (coded: never) => unknown>> = {
  $bigint: (digits: string) => BigInt(digits),
  $undefined: () => undefined,
  $number: (digits: string) => Number(digits),
  $bytes: (hex: string) => hexToBytes(hex),
  $object: (fields: readonly [string, unknown][]) =>
    Object.fromEntries(fields.map(([key, item]) => [key, decodeValue(item)])),
}

/** Undoes `encodeValue`; throws `invalidStory` for what is not its result. */
function decodeValue(coded: unknown): unknown {
  if (Array.isArray(coded)) return coded.map(decodeValue)
  if (typeof coded !== 'object' || coded === null) return coded
  const fields = Object.entries(coded)
  const [[key = '', item] = []] = fields
  if (key.startsWith('$')) {
    const decode = DECODERS[key]
    if (decode === undefined) return saved.refuseStory(`there is no value of the form ${key}`)
    try {
      return decode(item as never)
    } catch (error) {
      if (error instanceof TickchainError) throw error
      return saved.refuseStory(`${describe(item)} is no value of the form ${key}`)
    }
  }
  return Object.fromEntries(fields.map(([name, field]) => [name, decodeValue(field)]))
}

/** A step as JSON; throws `invalidStory` if JSON cannot hold the values of an action. */
export function encodeStep(step: scenes.Step, index: number): unknown {
  return 'action' in step ? { ...step, values: encodeValue(step.values, `steps[${index}].values`) } : step
}

/** The text of a story for a file, or why JSON cannot hold it. */
export function writeStory(
  staged: StagedScene,
  broke: Pick<Failure, 'kind' | 'name'> | undefined,
  steps: readonly scenes.Step[],
): string | { readonly unsaved: string } {
  try {
    return saved.writeSaved({ format: FORMAT, setUp: setUpOf(staged) }, broke, {
      steps: steps.map(encodeStep),
    })
  } catch (error) {
    if (!(error instanceof TickchainError)) throw error
    return { unsaved: error.message }
  }
}

/** A digest of what the parts of an exploration have in common. */
export function digestOfPlan(staged: StagedScene, plan: object): Hash {
  return keccakOfText(JSON.stringify([setUpOf(staged), plan]))
}

export function nameOf({ kind, name }: Pick<ToldFailure, 'kind' | 'name'>, text: string): string {
  return saved.nameOfStory(kind === 'invariantBroken' ? name : `${name}-${kind}`, text)
}

function decodeStep(step: unknown, index: number, { run }: scenes.AnyScene): scenes.Step {
  const fields = (step ?? {}) as Record<string, unknown>
  const { action, values, wait, adversary, event } = fields
  const refuseAll = (known: readonly string[]): void => saved.refuseOthers(fields, known, `step ${index}`)
  if (action !== undefined) {
    refuseAll(['action', 'values'])
    if (typeof action === 'string' && Object.hasOwn(run, action))
      return { action, values: decodeValue(values) }
    saved.refuseStory(`step ${index} is the action ${textOf(action)}, which the scene does not have`)
  }
  refuseAll(wait === undefined ? ['adversary', 'event'] : ['wait'])
  if (wait === 'partial' || wait === 'block') return { wait }
  const kind = scenes.ADVERSARY_KINDS.find((each) => each === adversary)
  if (kind === undefined || typeof event !== 'object' || event === null)
    return saved.refuseStory(`step ${index} is neither an action, nor a wait, nor an event`)
  saved.refuseOthers(event, scenes.EVENT_FIELDS[kind], `the event of step ${index}`)
  return { adversary: kind, event: event as scenes.Events[scenes.AdversaryKind] }
}

/** The steps of a saved story; throws `invalidStory` for one of another version or set-up. */
export function readStory(staged: StagedScene, story: Readonly<Record<string, unknown>>): scenes.Step[] {
  const steps = saved.readSaved(story, { format: FORMAT, subject: 'an application' }, 'steps', ['setUp'])
  const read = steps.map((step, index) => decodeStep(step, index, staged.scene))
  if (story['setUp'] !== setUpOf(staged))
    saved.refuseStory(
      'it was recorded with other actions, or on a chain with other blocks, and does not fit this one',
    )
  return read
}

function textOfValues(values: unknown): string {
  const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value)
  try {
    return JSON.stringify(values, plain) ?? ''
  } catch (error) {
    return `values that cannot be shown: ${textOf(error)}`
  }
}

export function describeStep(step: scenes.Step): string {
  if ('action' in step) return `${step.action} ${textOfValues(step.values)}`.trimEnd()
  if ('wait' in step) return step.wait === 'partial' ? 'the next partial block' : 'a block time passes'
  return scenes.describeEvent(step.adversary, step.event as never)
}

export type StoryCounts = ReturnType<ReturnType<typeof createTally>['counts']>

function tellEnded({ setUp, steps }: tallied.EndedRun, origin: string, reason: string): ToldFailure {
  const read = steps as readonly (scenes.Step | null)[]
  const lines = read.map((step) => (step === null ? 'a step that JSON cannot hold' : describeStep(step)))
  const end = read.at(-1)
  const name = (end != null && 'action' in end ? end.action : lines.at(-1)) ?? 'world'
  const broke = { kind: 'storyHung', name } as const
  const story = steps.includes(null)
    ? { unsaved: 'JSON cannot hold it' }
    : saved.writeSaved({ format: FORMAT, setUp }, broke, { steps })
  const told = lines.map((line) => `▸ ${line}`)
  return tellFailure({ ...broke, reason }, [steps.length, 'step'], origin, told, story)
}

export const STORIES_PART: tallied.PartKind<StoryCounts, scenes.ExploreReport> = {
  way: 'stories',
  isCounts(counts) {
    const { runs, steps, events, orders, mostOrders, warnings } = counts as Partial<StoryCounts>
    const isCounted = [runs, steps, mostOrders].every(Number.isSafeInteger) && Array.isArray(warnings)
    return isCounted && isObject(events) && isObject(orders)
  },
  merge: (parts) => ({
    ...tallied.sumOf(parts, ['runs', 'steps']),
    events: Object.fromEntries(Object.entries(tallied.sumOfEach(parts.map(({ events }) => events))).sort()),
    orders: tallied.leastOf(parts.map(({ orders }) => orders)),
    mostOrders: parts[0]?.mostOrders ?? 0,
    warnings: parts[0]?.warnings ?? [],
    ended: tallied.endedOf(parts),
  }),
  report: ({ runs, steps, events, orders, mostOrders, warnings, ended }) => ({
    runs,
    steps,
    events,
    warnings,
    ended,
    quiet: tallied.quietOf(runs, orders),
    orders: { tried: Object.keys(orders).length, of: mostOrders },
  }),
  tellEnded: (ended, reason) => tellEnded(ended, ` (run ${ended.run + 1})`, reason),
  nameOf,
}

function kindOf(step: scenes.Step): string {
  if ('action' in step) return `run ${step.action}`
  return 'wait' in step ? step.wait : step.adversary
}

/** The orders in which a story has two kinds of steps one after the other, each once. */
export function ordersIn(story: readonly scenes.Step[]): string[] {
  const orders = story
    .slice(1)
    .map((step, index) => `${kindOf(story[index] as scenes.Step)}, ${kindOf(step)}`)
  return [...new Set(orders)]
}

export function createTally(
  actions: number,
  adversary: readonly scenes.AdversaryKind[],
  warnings: readonly string[],
) {
  let runs = 0
  let steps = 0
  const events: Partial<Record<scenes.AdversaryKind, number>> = {}
  /** The run in which each was tried first. */
  const orders: Record<string, number> = {}
  // The two waits are kinds as well.
  const kinds = actions + 2 + adversary.length
  const reach = (run: number, story: readonly scenes.Step[]): void => {
    for (const order of ordersIn(story)) orders[order] ??= run
  }
  return {
    /** Counts the orders alone. */
    reach,
    add(run: number, story: readonly scenes.Step[]) {
      runs++
      steps += story.length
      reach(run, story)
      for (const step of story)
        if ('adversary' in step) events[step.adversary] = (events[step.adversary] ?? 0) + 1
    },
    counts: (ended: tallied.Ended) => ({
      runs,
      steps,
      events,
      orders,
      mostOrders: kinds ** 2,
      warnings,
      ended,
    }),
    progress: (of: number | undefined) => ({
      runs,
      steps,
      events: { ...events },
      quiet: tallied.quietOf(runs, orders),
      ...(of !== undefined && { of }),
      coverage: { reached: Object.keys(orders).length, of: kinds ** 2, what: 'orders of two steps' },
    }),
  }
}

/** A state of a walk: the events that it took to come there, how many were tried there, and whether a step was. */
export type CountedState = readonly [level: number, events: number, steps: 0 | 1]

interface SceneCounts {
  readonly states: Readonly<Record<string, CountedState>>
  readonly ended: tallied.Ended
}

export const SCENE_PART: tallied.PartKind<SceneCounts, scenes.ExploreAllReport> = {
  way: 'scene',
  isCounts(counts) {
    const { states } = counts as Partial<SceneCounts>
    return isObject(states) && Object.values(states).every(Array.isArray)
  },
  merge(parts) {
    const states = new Map<string, CountedState>()
    for (const [key, state] of parts.flatMap((part) => Object.entries(part.states))) {
      // A part may have come there later, with fewer events left to try.
      const [level] = states.get(key) ?? [Number.POSITIVE_INFINITY]
      if (state[0] < level) states.set(key, state)
    }
    return { states: Object.fromEntries(states), ended: tallied.endedOf(parts) }
  },
  report({ states, ended }) {
    const all = Object.values(states)
    const events = tallied.sum(all, ([, tried]) => tried)
    return { states: all.length, steps: events + tallied.sum(all, ([, , steps]) => steps), events, ended }
  },
  tellEnded: (ended, reason) => tellEnded(ended, '', reason),
  nameOf,
}
