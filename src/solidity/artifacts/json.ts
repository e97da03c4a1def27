// Reading of JSON that a compiler or a tool wrote, of which nothing is known.

export interface JsonObject {
  readonly [key: string]: unknown
}

/** The value if it is an object, and otherwise an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
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
export function within(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => objectOf(inner)[key], value)
}
