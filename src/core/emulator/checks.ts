// Checks of arguments and options: decoding with the codecs of JSON-RPC, with refusals as `invalidCall` and
// `invalidOption`.

import { failure } from '../primitives/errors.ts'
import { readArgument } from '../primitives/reading.ts'
import { asFields, type Fields, fieldPath, requiredField } from '../rpc/codecs/basic.ts'
import { type Codec, mismatch, withRefusalsAs } from '../rpc/codecs/codec.ts'

/** Decodes an argument of a function by its name. */
export function argument<Value>(call: string, name: string, value: unknown, codec: Codec<Value>): Value {
  return withRefusalsAs(
    name,
    ({ path, reason }) => failure('invalidCall', { call, reason: `${path}: ${reason}` }),
    () => codec.decode(value, name),
  )
}

/** Like `argument`, for an argument that may be absent. */
export function optionalArgument<Value>(
  call: string,
  name: string,
  value: unknown,
  codec: Codec<Value>,
  fallback: Value,
): Value {
  return value === undefined ? fallback : argument(call, name, value, codec)
}

/** Refuses an argument for a reason that no codec checks. */
export function refuseCall(call: string, expected: string, value: unknown): never {
  throw failure('invalidCall', { call, reason: mismatch(expected, value) })
}

/** Refuses what is no emulator, or an object around one. */
export function refuseUnlessEmulator(call: string, emulator: unknown): void {
  const expected = 'an emulator, which await createEmulator() gives'
  const given = Object(emulator) as { readonly request?: unknown; readonly settings?: unknown }
  const isEmulator = readArgument(
    call,
    expected,
    () => typeof given.request === 'function' && typeof given.settings === 'object',
  )
  if (!isEmulator) refuseCall(call, expected, emulator)
}

/** Refuses an option for a reason that no codec checks. */
export function refuseOption(name: string, expected: string, value: unknown): never {
  throw failure('invalidOption', { option: name, reason: mismatch(expected, value) })
}

/** Runs a decoder of options; a refusal becomes `invalidOption`. */
export function decodeOptions<Value>(decode: () => Value): Value {
  return withRefusalsAs(
    '',
    ({ path, reason }) => failure('invalidOption', { option: path === '' ? 'options' : path, reason }),
    decode,
  )
}

/** An option of an object, or its fallback if it is `undefined`. Null is not absent, and mostly refused. */
export function option<Name extends string, Value, Fallback>(
  options: Fields<Name>,
  name: Name,
  codec: Codec<Value>,
  fallback: Fallback,
  path = '',
): Value | Fallback {
  const value = options[name]
  return value === undefined ? fallback : codec.decode(value, fieldPath(path, name))
}

/** A field of an object: its codec if it is required, else its codec and its fallback. */
type FieldRule = Codec<unknown> | readonly [codec: Codec<unknown>, fallback: unknown]

/** The fields of an object of options. */
export type FieldTable<Name extends string = string> = Readonly<Record<Name, FieldRule>>

export type DecodedFields<Table extends FieldTable> = {
  readonly [Name in keyof Table]: Table[Name] extends readonly [Codec<infer Value>, infer Fallback]
    ? Value | Fallback
    : Table[Name] extends Codec<infer Value>
      ? Value
      : never
}

/** A field that is checked elsewhere. */
export const anything: Codec<unknown> = { name: 'anything', decode: (value) => value }

/** Decodes an object with the fields of a table, in its order; `hints` are for names that others use. */
export function decodeFields<const Table extends FieldTable>(
  value: unknown,
  path: string,
  table: Table,
  hints?: ReadonlyMap<string, string>,
): DecodedFields<Table> {
  const given = asFields(value, path, Object.keys(table), hints)
  // A copy of the table has its shape: V8 keeps objects that grow by name as slow dictionaries.
  const decoded: Record<string, unknown> = { ...table }
  for (const name in table) {
    const rule: FieldRule = table[name] as FieldRule
    decoded[name] =
      'decode' in rule ? requiredField(given, name, rule, path) : option(given, name, rule[0], rule[1], path)
  }
  return decoded as DecodedFields<Table>
}

/** The codec of an object with the fields of a table. */
export function objectCodec<const Table extends FieldTable>(table: Table): Codec<DecodedFields<Table>> {
  return {
    name: `object with ${Object.keys(table).join(', ')}`,
    decode: (value, path) => decodeFields(value, path, table),
  }
}

/** Decodes options with the fields of a table; refusals are `invalidOption`. */
export function readOptions<const Table extends FieldTable>(
  options: unknown,
  table: Table,
): DecodedFields<Table> {
  return decodeOptions(() => decodeFields(options, '', table))
}

/** The values of a codec. */
export type DecodedValue<Any> = Any extends Codec<infer Value> ? Value : never
