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

/** The value in a text; `undefined` if it is not JSON. */
export function readJson(text: string): Json | undefined {
  const marked = text.replace(TOKEN, (token, string?: string, number?: string) =>
    number === undefined ? `"s${string}"` : /^-?0\d/.test(token) ? token : `"n${number}"`,
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

/** A part of a path: a name or a position, all (`*`), or any level below (`..`). */
type Step = { readonly name: string } | { readonly at: number } | '*' | '..'

const STEP =
  /\.\.|\.?\*|\[\*\]|\[(?<at>-?\d+)\]|\[(?:'(?<single>[^']*)'|"(?<double>[^"]*)")\]|\.?(?<name>[^.[\]*]+)|\./g

function stepsOf(path: string): Step[] {
  const rest = path.replace(/^\$/, '')
  const found = [...rest.matchAll(STEP)]
  if (found.map(([text]) => text).join('') !== rest) {
    throw new CheatcodeRefusal(
      `failed selecting from JSON: ${JSON.stringify(path)} is no path of names, positions, * and ..`,
    )
  }
  return found.flatMap(({ 0: text, groups = {} }): Step[] => {
    const name = groups['single'] ?? groups['double'] ?? groups['name']
    if (name !== undefined) return [{ name }]
    if (groups['at'] !== undefined) return [{ at: Number(groups['at']) }]
    return text === '.' ? [] : [text === '..' ? '..' : '*']
  })
}

function childrenOf(value: Json): readonly Json[] {
  return isArray(value) ? value : isJsonMap(value) ? [...value.values()] : []
}

function below(value: Json): Json[] {
  return [value, ...childrenOf(value).flatMap(below)]
}

function take(value: Json, step: Step): readonly Json[] {
  if (step === '*') return childrenOf(value)
  if (step === '..') return below(value)
  if ('at' in step) {
    const found = isArray(value) ? value.at(step.at) : undefined
    return found === undefined ? [] : [found]
  }
  const found = isJsonMap(value) ? value.get(step.name) : undefined
  return found === undefined ? [] : [found]
}

/** The values at a path, which does not begin with a name. */
export function select(value: Json, path: string): readonly Json[] {
  const word = /^[\w-][^.[]*/.exec(path)?.[0]
  if (word !== undefined) {
    const words = `path error: \n$${path}\n${'^'.repeat(word.length + 1)}\n`
    throw new CheatcodeRefusal(`failed selecting from JSON: ${JSON.stringify(words)}`)
  }
  return stepsOf(path).reduce<readonly Json[]>(
    (values, step) => values.flatMap((each) => take(each, step)),
    [value],
  )
}

function replaceSteps(value: Json, [step, ...rest]: readonly Step[], by: Json): Json {
  if (step === undefined) return by
  const next = (each: Json) => replaceSteps(each, rest, by)
  if (typeof step === 'object' && 'name' in step) {
    if (!isJsonMap(value)) return value
    return new Map(value).set(step.name, next(value.get(step.name) ?? new Map()))
  }
  const at = typeof step === 'object' && isArray(value) ? (step.at + value.length) % value.length : undefined
  if (isArray(value)) return value.map((each, index) => (step === '*' || index === at ? next(each) : each))
  if (step === '*' && isJsonMap(value)) return new Map([...value].map(([key, each]) => [key, next(each)]))
  return value
}

/** JSON with another value at a path, whose names are made where they are not there. */
export function replaceJson(value: Json, path: string, by: Json): Json {
  return replaceSteps(value, stepsOf(path), by)
}
