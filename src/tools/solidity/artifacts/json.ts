// Reading of JSON that a compiler or a tool wrote, of which nothing is known.

import { failure } from '../../../core/primitives/errors.ts'

export interface JsonObject {
  readonly [key: string]: unknown
}

export function refuseContracts(reason: string): never {
  throw failure('invalidContracts', { reason })
}

/** The value if it is an object, and otherwise an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object in a text; `undefined` if that is not the JSON of one. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A list of a compiler has far fewer; an array of holes may be four thousand million long. */
const MOST_ITEMS = 1_000_000

/** The value if it is an array, and otherwise an empty one. Throws `invalidContracts` for a very long one. */
export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) return []
  if (value.length <= MOST_ITEMS) return value
  return refuseContracts(`expected lists of at most ${MOST_ITEMS} items, got ${value.length}`)
}

export function textIn(object: JsonObject, key: string): string | undefined {
  const value = object[key]
  return typeof value === 'string' ? value : undefined
}

export function numberIn(object: JsonObject, key: string): number | undefined {
  const value = object[key]
  return typeof value === 'number' ? value : undefined
}

/** The value under several keys, one inside another. */
export function valueWithin(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => objectOf(inner)[key], value)
}
