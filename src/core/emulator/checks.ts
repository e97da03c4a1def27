// Checks of arguments and options with the codecs of JSON-RPC; refusals are `invalidCall` and `invalidOption`.

import { failure, readArgument } from '../primitives/errors.ts'
import { type Fields, fieldPath } from '../rpc/codecs/basic.ts'
import { type Codec, mismatch, withRefusalsAs } from '../rpc/codecs/codec.ts'
import { decodeFields, type ObjectCodec, type ValueOf } from '../rpc/codecs/object.ts'

export function argument<Value>(call: string, name: string, value: unknown, codec: Codec<Value>): Value {
  return withRefusalsAs(
    name,
    ({ path, reason }) => failure('invalidCall', { call, reason: `${path}: ${reason}` }),
    () => codec.decode(value, name),
  )
}

export function optionalArgument<Value>(
  call: string,
  name: string,
  value: unknown,
  codec: Codec<Value>,
  fallback: Value,
): Value {
  return value === undefined ? fallback : argument(call, name, value, codec)
}

export function refuseCall(call: string, expected: string, value: unknown): never {
  throw failure('invalidCall', { call, reason: mismatch(expected, value) })
}

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

export function refuseOption(name: string, expected: string, value: unknown): never {
  throw failure('invalidOption', { option: name, reason: mismatch(expected, value) })
}

/** Runs a decoder of options, perhaps those of a field; a refusal becomes `invalidOption`. */
export function decodeOptions<Value>(decode: () => Value, field = ''): Value {
  return withRefusalsAs(
    '',
    ({ path, reason }) => {
      const option = [field, path].filter((part) => part !== '').join('.')
      return failure('invalidOption', { option: option === '' ? 'options' : option, reason })
    },
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

/** A field that is checked elsewhere. */
export const anything: Codec<unknown> = { name: 'anything', decode: (value) => value }

export function readOptions<const Fields extends Readonly<Record<string, Codec<unknown>>>>(
  options: unknown,
  fields: Fields,
): ValueOf<ObjectCodec<Fields>> {
  return decodeOptions(() => decodeFields(options, '', fields))
}
