// Reads a saved record: what is whole is kept, and what is not is named.

import { textOf } from '../../../core/primitives/text-of.ts'
import { isObject } from '../../solidity/artifacts/json.ts'
import { countText } from '../numbers.ts'
import type { RecordedLayer, TimelineEvent, TimelineRecord } from './record.ts'

const RECORD_FORMAT: TimelineRecord['format'] = 'tickchain timeline 1'

/** A record as far as it could be read. */
export interface ReadRecord {
  /** `undefined` if nothing could be read. */
  readonly record: TimelineRecord | undefined
  /** The faults, in sentences without a full stop. */
  readonly problems: readonly string[]
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

type Check = (value: unknown, count: number) => boolean

/** The most milliseconds of a Date. Beyond, adding a step to a time may not change it, and drawing would never end. */
const MOST_MS = 8.64e15
const isNumber: Check = (value) => typeof value === 'number' && Math.abs(value) <= MOST_MS
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const isText: Check = (value) => typeof value === 'string'
const isIndex: Check = (value, count) => isCount(value, count) && (value as number) < count
const isIndices: Check = (value, count) => Array.isArray(value) && value.every((each) => isIndex(each, count))
const isNotes: Check = (value, count) =>
  value === undefined ||
  (Array.isArray(value) &&
    value.every(
      (note) =>
        isObject(note) &&
        isIndex(note['transaction'], count) &&
        isText(note['failure'] ?? '', count) &&
        Array.isArray(note['logs'] ?? []),
    ))
const isReason: Check = (value) =>
  ['reorganised', 'preconfirmationDropped', 'reverted'].includes(value as string)

/** The fields of each event besides its time. */
const EVENTS: Readonly<Record<TimelineEvent['type'], Readonly<Record<string, Check>>>> = {
  accepted: { transaction: isIndex },
  replaced: { transaction: isIndex, by: isIndex },
  dropped: { transactions: isIndices },
  partial: { block: isCount, index: isCount, transactions: isIndices, notes: isNotes },
  sealed: { timeMs: isNumber, block: isCount, hash: isText, transactions: isIndices, notes: isNotes },
  empty: { timeMs: isNumber, from: isCount, to: isCount },
  orphaned: { from: isCount, to: isCount },
  unincluded: { transaction: isIndex, reason: isReason },
  went: { toMs: isNumber, block: isCount, shared: isNumber, waiting: isIndices, preconfirmed: isIndices },
  fault: { words: isText },
  shifted: { byMs: isNumber },
  edited: { count: isCount },
  told: { toMs: isNumber, subscription: isText, kind: isText, count: isCount },
}

/** The fault of an event; `undefined` if it is whole. */
function faultOf(event: unknown, count: number): string | undefined {
  if (!isObject(event)) return `is ${describe(event)}`
  const checks = Object.hasOwn(EVENTS, `${event['type']}`)
    ? EVENTS[event['type'] as TimelineEvent['type']]
    : undefined
  if (checks === undefined) return `has the unknown type ${JSON.stringify(event['type'])}`
  if (!isNumber(event['atMs'], count)) return 'has no time'
  const wrong = Object.keys(checks).find((name) => checks[name]?.(event[name], count) !== true)
  return wrong === undefined ? undefined : `of type ${event['type']} has a wrong ${wrong}`
}

function isTransaction(value: unknown): boolean {
  if (!isObject(value)) return false
  const { hash, from, to } = value
  return [hash, from, to ?? ''].every((text) => isText(text, 0)) && to !== null
}

/** The whole events of a layer, and what is wrong with the first of the others. */
function readEvents(events: readonly unknown[], count: number, path: string) {
  const whole: TimelineEvent[] = []
  const faults: string[] = []
  for (const [index, event] of events.entries()) {
    const fault = faultOf(event, count)
    if (fault === undefined) whole.push(event as TimelineEvent)
    else faults.push(`${path}.events[${index}] ${fault}`)
  }
  const [first, ...others] = faults
  const more = `, and ${countText(others.length, 'other event')} of it cannot be read either`
  return { whole, problems: first === undefined ? [] : [`${first}${others.length > 0 ? more : ''}`] }
}

function readLayer(value: unknown, index: number): { layer?: RecordedLayer; problems: string[] } {
  const path = `layers[${index}]`
  if (!isObject(value)) return { problems: [`${path} is ${describe(value)}`] }
  const { start, end, transactions, events, names } = value
  if (!Array.isArray(events)) return { problems: [`${path} has no events`] }
  const table = Array.isArray(transactions) ? transactions : []
  const broken = table.findIndex((each) => !isTransaction(each))
  const known = broken === -1 ? table : table.slice(0, broken)
  const { whole, problems } = readEvents(events, known.length, path)
  if (!Array.isArray(transactions)) problems.push(`${path} has no transactions`)
  if (broken !== -1) problems.push(`${path}.transactions[${broken}] is no transaction`)
  if (!isObject(start)) problems.push(`${path} does not say when it starts`)
  if (!isObject(end)) problems.push(`${path} does not say when it ends`)
  /** A number of the layer, or of a part of it; one that cannot be drawn is named. */
  const numberIn = (fields: unknown, name: string, otherwise = 0): number => {
    if (!isObject(fields)) return otherwise
    const given = fields[name.replace(/.*\./, '')]
    if (isNumber(given, 0)) return given as number
    const got = typeof given === 'number' ? given : describe(given)
    problems.push(`${path}.${name} is ${got}, not a number that can be drawn`)
    return otherwise
  }
  const waiting = isObject(start) && isIndices(start['waiting'], known.length) ? start['waiting'] : []
  const sizes = {
    blockTimeMs: Math.max(1, numberIn(value, 'blockTimeMs', 2000)),
    partialBlockTimeMs: Math.max(1, numberIn(value, 'partialBlockTimeMs', 200)),
    omitted: numberIn(value, 'omitted'),
  }
  const startMs = numberIn(start, 'start.atMs', whole[0]?.atMs)
  const layer: RecordedLayer = {
    name: isText(value['name'], 0) ? (value['name'] as string) : 'Chain',
    ...sizes,
    start: { atMs: startMs, block: numberIn(start, 'start.block'), waiting: waiting as number[] },
    end: {
      atMs: numberIn(end, 'end.atMs', whole.at(-1)?.atMs ?? startMs),
      block: numberIn(end, 'end.block'),
      preconfirmed: numberIn(end, 'end.preconfirmed'),
      waiting: numberIn(end, 'end.waiting'),
    },
    names: isObject(names) ? (names as Record<string, string>) : {},
    transactions: known,
    events: whole,
  }
  return { layer, problems }
}

function readCrossings(value: unknown, layers: readonly RecordedLayer[]): TimelineRecord['crossings'] {
  if (!Array.isArray(value)) return []
  return value.filter(
    (crossing) =>
      isObject(crossing) &&
      isText(crossing['kind'], 0) &&
      Array.isArray(crossing['steps']) &&
      crossing['steps'].every(
        (step) =>
          isObject(step) &&
          isText(step['name'], 0) &&
          isIndex(step['layer'], layers.length) &&
          isIndex(step['transaction'], layers[step['layer'] as number]?.transactions.length ?? 0),
      ),
  )
}

function parse(text: string): { readonly value?: unknown; readonly problem?: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    const words = `it is not whole JSON, of ${countText(text.length, 'character')}`
    return { problem: `${words}: ${(error as Error).message}` }
  }
}

export function readRecord(given: unknown): ReadRecord {
  try {
    return read(given)
  } catch (error) {
    return { record: undefined, problems: [`it cannot be read: ${textOf(error)}`] }
  }
}

function read(given: unknown): ReadRecord {
  const { value, problem } = typeof given === 'string' ? parse(given) : { value: given }
  if (problem !== undefined) return { record: undefined, problems: [problem] }
  if (!isObject(value))
    return { record: undefined, problems: [`expected the record of a timeline, got ${describe(value)}`] }
  const { format, layers, crossings } = value
  if (format !== RECORD_FORMAT) {
    const problem = `expected format ${JSON.stringify(RECORD_FORMAT)}, got ${JSON.stringify(format) ?? 'none'}`
    return { record: undefined, problems: [problem] }
  }
  const parts = Array.isArray(layers) ? layers.map(readLayer) : []
  const whole = parts.flatMap(({ layer }) => layer ?? [])
  const problems = parts.flatMap((each) => each.problems)
  if (whole.length === 0)
    return { record: undefined, problems: [...problems, 'it has no layer that can be drawn'] }
  const drawn = { format: RECORD_FORMAT, layers: whole, crossings: readCrossings(crossings, whole) } as const
  return { record: drawn, problems }
}
