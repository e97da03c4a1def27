// Codecs of objects, made of the codecs of their fields.

import { asFields, asRecord, fieldPath } from './basic.ts'
import { type Codec, refuse, refuseValue } from './codec.ts'

/** A field that must be there. */
export interface Needed<Value, Wire> extends Codec<Value, Wire> {
  readonly isNeeded: true
}

/** A field with a default. */
export interface Defaulted<Value, Wire> extends Codec<Value, Wire> {
  readonly fallback: Value
}

export function need<Value, Wire>(codec: Codec<Value, Wire>): Needed<Value, Wire> {
  return { ...codec, isNeeded: true }
}

export function or<Value, Wire, const Fallback>(
  codec: Codec<Value, Wire>,
  fallback: Fallback,
): Defaulted<Value | Fallback, Wire> {
  return { ...codec, fallback }
}

/** The value that a codec decodes to. */
export type ValueOf<C> = C extends Codec<infer Value> ? Value : never
/** The value that a user may write for a codec. */
export type WireOf<C> = C extends Codec<unknown, infer Wire> ? Wire : never

type FieldCodecs = Readonly<Record<string, Codec<unknown>>>
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

/**
 * An object with these fields, decoded in their order. Absent and null are `undefined` or the default. Other fields are
 * refused, because a misspelt one would do nothing, unless clients send more than is read.
 */
export function recordCodec<const Fields extends FieldCodecs>(
  fields: Fields,
  name = `object with ${listed(Object.keys(fields))}`,
  others: 'refused' | 'ignored' = 'refused',
): ObjectCodec<Fields> {
  const names = Object.keys(fields)
  const codecs = Object.entries<Codec<unknown> & { isNeeded?: true; fallback?: unknown }>(fields)
  return {
    name,
    fields,
    decode(value, path) {
      const record = others === 'ignored' ? asRecord(value, path) : asFields(value, path, names)
      const decoded: Record<string, unknown> = {}
      for (const [key, { decode, isNeeded, fallback }] of codecs) {
        const given = record[key]
        const isAbsent = given === undefined || given === null
        if (isAbsent && isNeeded) refuse(fieldPath(path, key), 'missing')
        decoded[key] = isAbsent ? fallback : decode(given, fieldPath(path, key))
      }
      return decoded as ObjectValue<Fields>
    },
  }
}

/** A codec with a further step. */
export function converted<Value, Wire, Next>(
  { name, decode }: Codec<Value, Wire>,
  convert: (value: Value, path: string) => Next,
): Codec<Next, Wire> {
  return { name, decode: (value, path) => convert(decode(value, path), path) }
}

/** An array of exactly two, each with its codec. */
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
