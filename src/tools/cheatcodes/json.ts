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

/** A part of a path: names or positions, a slice, all (`*`), any level below (`..`), or a condition. */
type Step =
  | { readonly names: readonly string[] }
  | { readonly at: readonly number[] }
  | { readonly slice: readonly (number | undefined)[] }
  | { readonly holds: (value: Json) => boolean }
  | '*'
  | '..'

const NAME = /'[^']*'|"[^"]*"/.source
const STEP = new RegExp(
  [
    /\.\.(?=.)|\.(?=\[)/,
    /\.?\*|\[\*\]/,
    /\[(?<at>-?\d+(?:,-?\d+)*)\]/,
    /\[(?<slice>-?\d*:-?\d*(?::\d+)?)\]/,
    `\\[(?<names>(?:${NAME})(?:,(?:${NAME}))*)\\]`,
    /\[\?\((?<condition>[^)]*)\)\]/,
    /\.?(?<name>[^.[\]*$'"]+)\]?/,
  ]
    .map((part) => (typeof part === 'string' ? part : part.source))
    .join('|'),
  'y',
)
const TEST = new RegExp(
  `^\\s*@\\.?(?<path>[\\w.]*)\\s*(?:(?<by>[=!<>]=|[<>])\\s*(?<other>${NAME}|-?[\\d.]+|true|false|null))?\\s*$`,
)

const unquoted = (name: string) => name.slice(1, -1)

/** A comparison of a part of a value; without another value, true if the part is there. */
function testOf(text: string): ((value: Json) => boolean) | undefined {
  const { groups } = TEST.exec(text) ?? {}
  if (groups === undefined) return undefined
  const { path = '', by, other = '' } = groups
  const wanted = /^['"]/.test(other) ? unquoted(other) : readJson(other || 'null')
  const plain = (value?: Json) => (value instanceof JsonNumber ? Number(value.text) : value)
  return (value) => {
    const [found] = path === '' ? [value] : select(value, `.${path}`)
    if (by === undefined || found === undefined) return found !== undefined && by === undefined
    const [left, right] = [plain(found), plain(wanted)]
    if (by === '==' || by === '!=') return (left === right) === (by === '==')
    if (typeof left !== typeof right || left == null || right == null) return false
    return by.startsWith('<')
      ? left < right || (by === '<=' && left === right)
      : left > right || (by === '>=' && left === right)
  }
}

function conditionOf(text: string): Step | undefined {
  const either = text.split('||').map((each) => each.split('&&').map(testOf))
  if (either.flat().includes(undefined)) return undefined
  return { holds: (value) => either.some((all) => all.every((test) => test?.(value))) }
}

function stepOf(text: string, groups: Readonly<Record<string, string | undefined>>): Step | undefined {
  const { at, slice, names, condition, name } = groups
  if (name !== undefined) return { names: /\s/.test(name) ? [] : [name] }
  if (names !== undefined)
    return { names: [...names.matchAll(new RegExp(NAME, 'g'))].map(([each]) => unquoted(each)) }
  if (at !== undefined) return { at: at.split(',').map(Number) }
  if (slice !== undefined)
    return { slice: slice.split(':').map((each) => (each === '' ? undefined : Number(each))) }
  if (condition !== undefined) return conditionOf(condition)
  return text === '..' ? '..' : '*'
}

function stepsOf(path: string): Step[] {
  const whole = path === '.' ? '$' : path.startsWith('$') ? path : `$${path}`
  const steps: Step[] = []
  for (let at = 1; at < whole.length; at = STEP.lastIndex) {
    STEP.lastIndex = at
    const { 0: text, groups = {} } = STEP.exec(whole) ?? {}
    const step = text === undefined || (at === 1 && /^\w/.test(text)) ? undefined : stepOf(text, groups)
    if (text === undefined || step === undefined) throw pathError(whole, at)
    if (text !== '.') steps.push(step)
  }
  return steps
}

/** Shows where a path is wrong, as the parser of forge does. */
function pathError(path: string, at: number): CheatcodeRefusal {
  const [token = ''] = /^(\[\?\([^=<>!]*[=<>!]|\[\?.|[\w-]+|\[?[\d.]*|.)/.exec(path.slice(at)) ?? []
  const words = `path error: \n${path}\n${'^'.repeat(at + Math.max(1, token.length))}\n`
  return new CheatcodeRefusal(`failed selecting from JSON: ${JSON.stringify(words)}`)
}

function childrenOf(value: Json): readonly Json[] {
  return isArray(value) ? value : isJsonMap(value) ? [...value.values()] : []
}

function below(value: Json): Json[] {
  return [value, ...childrenOf(value).flatMap(below)]
}

function take(value: Json, step: Step): readonly (Json | undefined)[] {
  if (step === '*') return childrenOf(value)
  if (step === '..') return below(value)
  if ('names' in step) return isJsonMap(value) ? step.names.map((name) => value.get(name)) : []
  if ('holds' in step) return (isArray(value) ? value : [value]).filter(step.holds)
  if (!isArray(value)) return []
  if ('at' in step) return step.at.map((at) => value.at(at))
  const [from, to, by = 1] = step.slice
  return value.slice(from, to).filter((_, index) => index % by === 0)
}

/** The values at a path. */
export function select(value: Json, path: string): readonly Json[] {
  return stepsOf(path).reduce<readonly Json[]>(
    (values, step) => values.flatMap((each) => take(each, step)).filter((each) => each !== undefined),
    [value],
  )
}

function replaceSteps(value: Json, [step, ...rest]: readonly Step[], by: Json): Json {
  if (step === undefined) return by
  const next = (each: Json) => replaceSteps(each, rest, by)
  if (typeof step === 'object' && 'names' in step) {
    if (!isJsonMap(value)) return value
    return new Map([
      ...value,
      ...step.names.map((name) => [name, next(value.get(name) ?? new Map())] as const),
    ])
  }
  if (isArray(value)) {
    const taken = step === '..' ? [] : take(value, step)
    const places =
      typeof step === 'object' && 'at' in step
        ? step.at.map((at) => (at + value.length) % value.length)
        : undefined
    return value.map((each, index) => ((places?.includes(index) ?? taken.includes(each)) ? next(each) : each))
  }
  if (step === '*' && isJsonMap(value)) return new Map([...value].map(([key, each]) => [key, next(each)]))
  return value
}

/** JSON with another value at a path, whose names are made where they are not there. */
export function replaceJson(value: Json, path: string, by: Json): Json {
  return replaceSteps(value, stepsOf(path), by)
}
