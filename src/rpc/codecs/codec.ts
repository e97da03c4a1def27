// How a parameter is read from JSON: a name for the documentation and a decoder that says what is wrong.

import { failure } from '../../primitives/errors.ts'
import { textOf } from '../../primitives/text-of.ts'

/** Decodes a JSON value; `Wire` is what a client may send. */
export interface Codec<Value, Wire = unknown> {
  /** What the documentation calls it. */
  readonly name: string
  /** Decodes a value; throws `invalidParameter`, naming the `path` to it. */
  readonly decode: (value: unknown, path: string) => Value
  /** Never there at run time: carries the wire type. */
  readonly wire?: Wire
}

/** Refuses a value, saying where it stands and what is wrong with it. */
export function refuse(path: string, reason: string): never {
  throw failure('invalidParameter', { path, reason })
}

/** A value as an error message shows it: short, whatever it is. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? `"${value.slice(0, 40)}…"` : `"${value}"`
  if (Array.isArray(value)) return 'an array'
  if (value === null || typeof value !== 'object') return textOf(value)
  return 'an object'
}

export interface Parameter<Value, Wire = unknown> {
  readonly name: string
  readonly codec: Codec<Value, Wire>
  readonly isRequired: boolean
  /** What an absent parameter stands for. */
  readonly fallback: Value
}

export function required<Value, Wire>(name: string, codec: Codec<Value, Wire>): Parameter<Value, Wire> {
  return { name, codec, isRequired: true, fallback: undefined as Value }
}

/** A parameter that may be absent or null. */
export function optional<Value, Wire>(
  name: string,
  codec: Codec<Value, Wire>,
  fallback: Value,
): Parameter<Value, Wire | null | undefined> {
  return { name, codec, isRequired: false, fallback }
}
