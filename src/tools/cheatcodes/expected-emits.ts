// `expectEmit` of Foundry's cheatcodes, by the rules of forge 1.7.1: the test emits the events that it expects, and the next
// call has to emit them in that order, among others. Those that a failure undoes count as well.

import { type Address, bytesToHex, equalBytes } from '../../core/primitives/hex.ts'

export interface EmittedLog {
  readonly emitter: Address
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
}

/** Parts that have to be the same: the four topics, and the data. */
export type EmitChecks = readonly [boolean, boolean, boolean, boolean, boolean]

export const ALL_CHECKS: EmitChecks = [true, true, true, true, true]

export interface EmitPattern {
  readonly checks: EmitChecks
  /** Any, if it is absent. */
  readonly emitter: Address | undefined
  readonly isAnonymous: boolean
  /** One, if it is absent. */
  readonly count: bigint | undefined
}

interface ExpectedEmit extends EmitPattern {
  readonly count: bigint
  /** The depth of the calls from where it was asked for. */
  readonly depth: number
  /** The event, when the test has emitted it. */
  readonly log: EmittedLog | undefined
  readonly isFound: boolean
  /** The times that each account has emitted it. */
  readonly seen: ReadonlyMap<Address, bigint>
  /** The difference of the last event, which was another one. */
  readonly mismatch: string | undefined
}

/** Those that are not found are in front, in their order. */
export type ExpectedEmits = readonly ExpectedEmit[]

export function withExpectedEmit(emits: ExpectedEmits, pattern: EmitPattern, depth: number): ExpectedEmits {
  const { count = 1n } = pattern
  const added: ExpectedEmit = {
    depth,
    log: undefined,
    isFound: false,
    seen: new Map(),
    mismatch: undefined,
    ...pattern,
    count,
  }
  return [...emits.filter(({ isFound }) => !isFound), added, ...emits.filter(({ isFound }) => isFound)]
}

const DATA = 4

function isSameEvent(checks: EmitChecks, expected: EmittedLog, { topics, data }: EmittedLog): boolean {
  if (topics.length !== expected.topics.length) return false
  const areSame = topics.every(
    (topic, index) => checks[index] === false || equalBytes(topic, expected.topics[index] as Uint8Array),
  )
  return areSame && (!checks[DATA] || equalBytes(data, expected.data))
}

/** Topics that are indexed parameters, and words of the data: the parameters, as far as the ABI is not known. */
function parametersOf({ topics, data }: EmittedLog, isAnonymous: boolean): readonly Uint8Array[] {
  const words = Array.from({ length: Math.ceil(data.length / 32) }, (_, at) => data.subarray(32 * at))
  return [...topics.slice(isAnonymous ? 0 : 1), ...words.map((word) => word.subarray(0, 32))]
}

const OTHER_EVENT = 'log != expected log'

/** The words for the difference of an event from the expected one. */
function mismatchOf({ checks, isAnonymous }: ExpectedEmit, expected: EmittedLog, actual: EmittedLog): string {
  const indexed = expected.topics.length - (isAnonymous ? 0 : 1)
  const [name] = expected.topics
  const isOther =
    actual.topics.length !== expected.topics.length ||
    (!isAnonymous && name !== undefined && !equalBytes(name, actual.topics[0] as Uint8Array)) ||
    (checks[DATA] && actual.data.length !== expected.data.length)
  if (isOther) return OTHER_EVENT
  const found = parametersOf(actual, isAnonymous)
  const differing = parametersOf(expected, isAnonymous).flatMap((word, index) => {
    const isChecked = index < indexed ? checks[index + (isAnonymous ? 0 : 1)] : checks[DATA]
    const other = found[index] as Uint8Array
    if (isChecked !== true || equalBytes(word, other)) return []
    return [`param ${index}: expected=${bytesToHex(word)}, got=${bytesToHex(other)}`]
  })
  return `${isAnonymous ? 'anonymous log' : 'log'} mismatch at ${differing.join(', ')}`
}

function compared(emit: ExpectedEmit, expected: EmittedLog, actual: EmittedLog): ExpectedEmit {
  if (!isSameEvent(emit.checks, expected, actual))
    return { ...emit, mismatch: mismatchOf(emit, expected, actual) }
  const { emitter } = actual
  const seen = new Map(emit.seen).set(emitter, (emit.seen.get(emitter) ?? 0n) + 1n)
  if (emit.emitter !== undefined && emit.emitter !== emitter)
    return { ...emit, seen, mismatch: `log emitter mismatch: expected=${emit.emitter}, got=${emitter}` }
  return { ...emit, seen, isFound: (seen.get(emitter) as bigint) >= emit.count }
}

/** True for an event that is never to be emitted, and was. */
function isForbidden({ count, log, checks, emitter, isFound }: ExpectedEmit, actual: EmittedLog): boolean {
  if (count > 0n || isFound || log === undefined) return false
  return isSameEvent(checks, log, actual) && (emitter ?? actual.emitter) === actual.emitter
}

/** The expectations after an event; a text if the frame that emits it has to fail, for this reason. */
export function withEmitted(emits: ExpectedEmits, log: EmittedLog): ExpectedEmits | string {
  if (emits.some((each) => isForbidden(each, log))) return 'log emitted but expected 0 times'
  const open = emits.filter(({ isFound }) => !isFound)
  const last = open.at(-1)
  if (last === undefined) return emits
  // While the test still emits what it expects, it is the last one that it emits.
  const isTold = emits.every((each) => each.log !== undefined)
  const next = isTold ? open.find(({ count }) => count > 0n) : last
  if (next === undefined) return emits
  if (next.log === undefined) {
    if (!next.isAnonymous && log.topics.length === 0)
      return 'use vm.expectEmitAnonymous to match anonymous events'
    return emits.map((each) => (each === next ? { ...each, log } : each))
  }
  const after = compared(next, next.log, log)
  const others = emits.filter((each) => each !== next)
  return after.isFound ? [...others, after] : [after, ...others]
}

/** Why a call from a depth has not emitted what was expected, in the words of forge; `undefined` if it has. */
export function unmetEmit(emits: ExpectedEmits): string | undefined {
  const unmet = emits.find(({ isFound, count }) => !isFound && count > 0n)
  return unmet && (unmet.mismatch ?? OTHER_EVENT)
}

/** The same at the end of a transaction. */
export function leftoverEmit(emits: ExpectedEmits, hasHalted: boolean): string | undefined {
  if (unmetEmit(emits) === undefined) return undefined
  const but = hasHalted
    ? "the call reverted instead. ensure you're testing the happy path when using `expectEmit`"
    : 'no logs were emitted afterwards. you might have mismatched events or not enough events were emitted'
  return `expected an emit, but ${but}`
}
