// A story: the steps of a run, as data and as JSON. What a step refers to is a position, not a hash, so that a story
// stays true when contracts or addresses change. A value that JSON lacks is an object with one field whose name begins
// with `$`.

import { keccak256Hex } from '../../../core/primitives/crypto.ts'
import { failure, TickchainError } from '../../../core/primitives/errors.ts'
import { bytesToHex, type Hash, hexToBytes, utf8ToBytes } from '../../../core/primitives/hex.ts'
import { describe, textOf } from '../../../core/primitives/text-of.ts'
import type { ReportedFailure } from '../parts.ts'
import { ADVERSARY_KINDS, type AdversaryKind, describeEvent, type Events, type Step } from './events.ts'
import type { AnyScene, Broken, SavedStory } from './scene.ts'
import { isRollup, type Stage, stateOf } from './stage.ts'

const FORMAT = 'tickchain story 1'

/**
 * A digest of what steps refer to: the actions, and how the chain makes blocks. Contracts and accounts are no part of
 * it, since a story is played again when they are repaired.
 */
export function setUpOf({ run }: AnyScene, stage: Stage): Hash {
  const chains = stage.layers.map((layer) => {
    const { chainId, blockTimeMs, partialBlockTimeMs, sealsOnTime, automines, ordering } =
      stateOf(layer).settings
    return { chainId, blockTimeMs, partialBlockTimeMs, sealsOnTime, automines, ordering }
  })
  const parts = { actions: Object.keys(run).sort(), isRollup: isRollup(stage.chain), chains }
  return keccak256Hex(utf8ToBytes(JSON.stringify(parts)))
}

/** Numbers that JSON lacks. */
function isOdd(value: number): boolean {
  return !Number.isFinite(value) || Object.is(value, -0)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** A value as JSON; throws `invalidStory` for functions, instances of classes and the like. */
function encodeValue(value: unknown, path: string): unknown {
  if (typeof value === 'bigint') return { $bigint: `${value}` }
  if (value === undefined) return { $undefined: true }
  if (typeof value === 'number' && isOdd(value)) return { $number: Object.is(value, -0) ? '-0' : `${value}` }
  if (
    value === null ||
    typeof value === 'boolean' ||
    typeof value === 'string' ||
    typeof value === 'number'
  ) {
    return value
  }
  if (value instanceof Uint8Array) return { $bytes: bytesToHex(value) }
  if (Array.isArray(value)) return value.map((item, index) => encodeValue(item, `${path}[${index}]`))
  if (typeof value !== 'object' || !isPlain(value)) {
    throw failure('invalidStory', { reason: `${path} is ${describe(value)}, which JSON cannot hold` })
  }
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
    if (decode === undefined)
      throw failure('invalidStory', { reason: `there is no value of the form ${key}` })
    try {
      return decode(item as never)
    } catch (error) {
      if (error instanceof TickchainError) throw error
      throw failure('invalidStory', { reason: `${describe(item)} is no value of the form ${key}` })
    }
  }
  return Object.fromEntries(fields.map(([name, field]) => [name, decodeValue(field)]))
}

/** A step as JSON; throws `invalidStory` if JSON cannot hold the values of an action. */
export function encodeStep(step: Step, index: number): unknown {
  return 'action' in step ? { ...step, values: encodeValue(step.values, `steps[${index}].values`) } : step
}

/** The text of a story for a file; throws `invalidStory` if JSON cannot hold the values of an action. */
export function writeStory(scene: AnyScene, stage: Stage, broke: Broken, steps: readonly Step[]): string {
  return storyText(setUpOf(scene, stage), broke, steps.map(encodeStep))
}

/** A digest of what the parts of an exploration have in common. */
export function digestOfPlan(scene: AnyScene, stage: Stage, plan: object): Hash {
  return keccak256Hex(utf8ToBytes(JSON.stringify([setUpOf(scene, stage), plan])))
}

/** The text of a story for a file. */
export function storyText(setUp: Hash, broke: Broken, steps: readonly unknown[]): string {
  const story: SavedStory = { format: FORMAT, setUp, broke, steps }
  return JSON.stringify(story)
}

export function nameOf({ kind, name }: Pick<ReportedFailure, 'kind' | 'name'>, text: string): string {
  const digest = keccak256Hex(utf8ToBytes(text)).slice(2, 10)
  return `${kind === 'invariantBroken' ? name : `${name}-${kind}`}-${digest}`
}

function refuse(reason: string): never {
  throw failure('invalidStory', { reason })
}

function decodeStep(step: unknown, index: number, { run }: AnyScene): Step {
  const { action, values, wait, adversary, event } = (step ?? {}) as Record<string, unknown>
  if (typeof action === 'string' && Object.hasOwn(run, action)) return { action, values: decodeValue(values) }
  if (action !== undefined)
    refuse(`step ${index} is the action ${textOf(action)}, which the scene does not have`)
  if (wait === 'partial' || wait === 'block') return { wait }
  const kind = ADVERSARY_KINDS.find((each) => each === adversary)
  if (kind === undefined || typeof event !== 'object' || event === null) {
    return refuse(`step ${index} is neither an action, nor a wait, nor an event`)
  }
  return { adversary: kind, event: event as Events[AdversaryKind] }
}

/** The steps of a saved story; throws `invalidStory` for one of another version or set-up. */
export function readStory(scene: AnyScene, stage: Stage, story: Partial<SavedStory>): Step[] {
  const { format, setUp, steps } = story
  if (format === undefined) refuse('it has no format, as stories have')
  if (format !== FORMAT)
    refuse(`its format is ${textOf(format)}, and for an application this version reads ${FORMAT}`)
  if (!Array.isArray(steps)) return refuse('it has no steps')
  const read = steps.map((step, index) => decodeStep(step, index, scene))
  if (setUp !== setUpOf(scene, stage)) {
    refuse('it was recorded with other actions, or on a chain with other blocks, and does not fit this one')
  }
  return read
}

function textOfValues(values: unknown): string {
  try {
    return (
      JSON.stringify(values, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)) ?? ''
    )
  } catch (error) {
    return `values that cannot be shown: ${textOf(error)}`
  }
}

export function describeStep(step: Step): string {
  if ('action' in step) return `${step.action} ${textOfValues(step.values)}`.trimEnd()
  if ('wait' in step) return step.wait === 'partial' ? 'the next partial block' : 'a block time passes'
  return describeEvent(step.adversary, step.event as never)
}
