// Codecs of objects, made of the codecs of their fields; orderings, delays and dropped transactions.

import type { Returning } from '../../node/control/drop.ts'
import type { Delay } from '../../node/faults/scheduling.ts'
import type { Production } from '../../node/node-state.ts'
import { ORDERINGS, type Ordering } from '../../pool/select.ts'
import { asFields, asRecord, boolean, fieldPath, oneOf } from './basic.ts'
import { type Codec, nearestName, refuse, refuseValue, type WholeNumbers } from './codec.ts'

export interface Needed<Value, Wire> extends Codec<Value, Wire> {
  readonly isNeeded: true
}

export interface Defaulted<Value, Wire> extends Codec<Value, Wire> {
  readonly fallback: Value
}

// Field by field: options have many, for every chain, and a spread takes several times as long.

export function need<Value, Wire>({ name, decode }: Codec<Value, Wire>): Needed<Value, Wire> {
  return { name, decode, isNeeded: true }
}

export function or<Value, Wire, const Fallback>(
  { name, decode }: Codec<Value, Wire>,
  fallback: Fallback,
): Defaulted<Value | Fallback, Wire> {
  return { name, decode, fallback }
}

export type ValueOf<C> = C extends Codec<infer Value> ? Value : never
export type WireOf<C> = C extends Codec<unknown, infer Wire> ? Wire : never

type FieldCodecs = Readonly<Record<string, Codec<unknown>>>
type FieldRule = Codec<unknown> & { readonly isNeeded?: true; readonly fallback?: unknown }
type HasValue = Needed<unknown, unknown> | Defaulted<unknown, unknown>

type ObjectValue<Fields extends FieldCodecs> = {
  readonly [Name in keyof Fields]: ValueOf<Fields[Name]> | (Fields[Name] extends HasValue ? never : undefined)
}

type ObjectWire<Fields extends FieldCodecs> = {
  readonly [Name in keyof Fields as Fields[Name] extends { isNeeded: true } ? Name : never]: WireOf<
    Fields[Name]
  >
} & {
  readonly [Name in keyof Fields as Fields[Name] extends { isNeeded: true } ? never : Name]?: WireOf<
    Fields[Name]
  > | null
}

export interface ObjectCodec<Fields extends FieldCodecs>
  extends Codec<ObjectValue<Fields>, ObjectWire<Fields>> {
  readonly fields: Fields
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

interface Reading {
  /** Other fields are refused, because a misspelt one would do nothing, unless clients send more than is read. */
  readonly others?: 'refused' | 'ignored' | 'refused if misspelt'
  /** In options and arguments, null is a value, which is mostly refused; in JSON it stands for an absent field. */
  readonly nulls?: 'absent' | 'values'
}

/** Refuses another field that is nearly the name of an absent one. Beginnings of names are fields of some clients. */
function refuseMisspelt(record: Readonly<Record<string, unknown>>, path: string, fields: FieldCodecs): void {
  for (const key of Object.keys(record)) {
    if (Object.hasOwn(fields, key) || record[key] === undefined) continue
    const absent = Object.keys(fields).filter((name) => record[name] === undefined && !name.startsWith(key))
    const meant = nearestName(key, absent)
    if (meant !== undefined) refuse(fieldPath(path, key), `unknown field, did you mean ${meant}?`)
  }
}

/** Decodes an object with these fields, in their order. Absent ones are `undefined` or the default. */
export function decodeFields<const Fields extends FieldCodecs>(
  value: unknown,
  path: string,
  fields: Fields,
  { others = 'refused', nulls = 'values' }: Reading = {},
): ObjectValue<Fields> {
  const record = others === 'refused' ? asFields(value, path, Object.keys(fields)) : asRecord(value, path)
  if (others === 'refused if misspelt') refuseMisspelt(record, path, fields)
  // A copy of the table has its shape: V8 keeps objects that grow by name as slow dictionaries.
  const decoded: Record<string, unknown> = { ...fields }
  for (const key in fields) {
    const { decode, isNeeded, fallback }: FieldRule = fields[key] as FieldRule
    const given = record[key]
    if (isNeeded && (given === undefined || given === null)) refuse(fieldPath(path, key), 'missing')
    const isAbsent = given === undefined || (given === null && nulls === 'absent')
    decoded[key] = isAbsent ? fallback : decode(given, fieldPath(path, key))
  }
  return decoded as ObjectValue<Fields>
}

export function recordCodec<const Fields extends FieldCodecs>(
  fields: Fields,
  name = `object with ${listed(Object.keys(fields))}`,
  others: Reading['others'] = 'refused',
): ObjectCodec<Fields> {
  return {
    name,
    fields,
    decode: (value, path) => decodeFields(value, path, fields, { others, nulls: 'absent' }),
  }
}

export function objectCodec<const Fields extends FieldCodecs>(fields: Fields): ObjectCodec<Fields> {
  const name = `object with ${listed(Object.keys(fields))}`
  return { name, fields, decode: (value, path) => decodeFields(value, path, fields) }
}

export function converted<Value, Wire, Next>(
  { name, decode }: Codec<Value, Wire>,
  convert: (value: Value, path: string) => Next,
): Codec<Next, Wire> {
  return { name, decode: (value, path) => convert(decode(value, path), path) }
}

export function pairOf<First, FirstWire, Second, SecondWire>(
  name: string,
  expected: string,
  [first, second]: readonly [Codec<First, FirstWire>, Codec<Second, SecondWire>],
): Codec<readonly [First, Second], readonly [FirstWire, SecondWire]> {
  return {
    name,
    decode(value, path) {
      if (!Array.isArray(value) || value.length !== 2) refuseValue(path, expected, value)
      return [first.decode(value[0], `${path}[0]`), second.decode(value[1], `${path}[1]`)]
    },
  }
}

/** A codec of some of the values of another: `convert` gives false for those that are refused as not `expected`. */
export function restricted<Value, Wire, Next>(
  { name, decode }: Codec<Value, Wire>,
  expected: string,
  convert: (value: Value) => Next | false,
): Codec<Next, Wire> {
  return {
    name,
    decode(value, path) {
      const converted = convert(decode(value, path))
      return converted === false ? refuseValue(path, expected, value) : converted
    },
  }
}

export const production: Codec<Production, Production> = oneOf(['interval', 'auto', 'manual'])

export const ordering: Codec<Ordering, Ordering> = oneOf(ORDERINGS, 'ordering')

/** The fate of removed transactions: true returns them to the pool. */
export const returning: Codec<Returning, boolean> = converted(boolean, (isRepooled) =>
  isRepooled ? 'repool' : 'drop',
)

export const dropOptions = converted(
  recordCodec({ repool: or(returning, 'drop'), at: or(oneOf(['now', 'seal']), 'now') }),
  ({ repool, at }) => ({ returning: repool, at }),
)

export interface DelayWire<Wire> {
  readonly partials?: Wire
  readonly blocks?: Wire
  readonly untilMs?: Wire
}

export function delayOf<Wire>(numbers: WholeNumbers<Wire>): Codec<Delay, DelayWire<Wire>> {
  const fields = recordCodec({ partials: numbers(1), blocks: numbers(1), untilMs: numbers() })
  return {
    name: 'object with partials, blocks or untilMs',
    decode(value, path) {
      const delay = fields.decode(value, path)
      const given = Object.values(delay).filter((each) => each !== undefined)
      if (given.length > 1) refuseValue(path, 'one of partials, blocks and untilMs', value)
      return delay
    },
  }
}
