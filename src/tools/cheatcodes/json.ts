// JSON as cheatcodes see it: numbers as they are written, objects in their order, and paths into them.

import { CheatcodeRefusal } from './errors.ts'

/** A number, as it is written. */
export class JsonNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type JsonMap = ReadonlyMap<string, Json>
export type Json = null | boolean | string | JsonNumber | readonly Json[] | JsonMap

export function isJsonMap(value: Json): value is JsonMap {
  return value instanceof Map
}

export function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

/** Strings and numbers of a text. They get a letter in front: numbers stay as they are written, and keys in their order. */
const TOKEN = /"(?<text>(?:[^"\\]|\\.)*)"|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g

function fromMarked(value: unknown): Json {
  if (typeof value === 'string')
    return value.startsWith('n') ? new JsonNumber(value.slice(1)) : value.slice(1)
  if (Array.isArray(value)) return value.map(fromMarked)
  if (typeof value !== 'object' || value === null) return value as Json
  return new Map(Object.entries(value).map(([key, each]) => [key.slice(1), fromMarked(each)]))
}

/** A number as forge writes it. */
function written(number: string): string {
  return number === '-0' ? '0' : number.replace(/e(?=\d)/i, 'e+').replace('E', 'e')
}

/** The value in a text; `undefined` if it is not JSON. */
export function readJson(text: string): Json | undefined {
  const marked = text.replace(TOKEN, (token, string?: string, number?: string) =>
    number === undefined ? `"s${string}"` : /^-?0\d/.test(token) ? token : `"n${written(number)}"`,
  )
  try {
    return fromMarked(JSON.parse(marked))
  } catch {
    return undefined
  }
}

export function parseJson(text: string): Json {
  const value = readJson(text)
  if (value !== undefined) return value
  throw new CheatcodeRefusal(`failed parsing JSON: ${JSON.stringify(text.slice(0, 80))} is none`)
}

/** JSON without spaces, or with so many for each level. */
export function writeJson(value: Json, indent = 0, level = 1): string {
  if (value instanceof JsonNumber) return value.text
  if (!isArray(value) && !(value instanceof Map)) return JSON.stringify(value)
  const [open, close] = isArray(value) ? '[]' : '{}'
  const items = isArray(value)
    ? value.map((each) => writeJson(each, indent, level + 1))
    : [...(value as JsonMap)].map(
        ([key, each]) =>
          `${JSON.stringify(key)}:${indent > 0 ? ' ' : ''}${writeJson(each, indent, level + 1)}`,
      )
  if (items.length === 0 || indent === 0) return `${open}${items.join(',')}${close}`
  const [inner, outer] = [level, level - 1].map((depth) => `\n${' '.repeat(indent * depth)}`)
  return `${open}${inner}${items.join(`,${inner}`)}${outer}${close}`
}

/** JSON with a value at a key, whose parts are between points; objects are made where they are not there. */
export function putJson(whole: Json, key: string, value: Json): Json {
  const [name, ...rest] = key
    .replace(/^\$\./, '')
    .split('.')
    .filter((part) => part !== '')
  if (name === undefined) throw new CheatcodeRefusal("'valueKey' cannot be empty or just '$'")
  if (isJsonMap(whole)) {
    const inner = rest.length === 0 ? value : putJson(whole.get(name) ?? new Map(), rest.join('.'), value)
    return new Map(whole).set(name, inner)
  }
  const words = `path segment '${name}' does not resolve to an object.`
  throw new CheatcodeRefusal(
    rest.length > 0 ? words : 'final destination is not an object, cannot insert key.',
  )
}
