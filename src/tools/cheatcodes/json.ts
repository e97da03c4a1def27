// JSON with numbers as they are written and objects in their order; its values as the ABI encodes them, by inferred
// types; and TOML as forge 1.7.1 writes it.

import * as hex from '../../core/primitives/hex.ts'
import { refuseWith } from './errors.ts'
import type { DefinedStruct } from './struct-types.ts'
import { parseValue } from './values.ts'

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
  const marked = text.replace(TOKEN, (token, string?: string, number?: string) => {
    if (number === undefined) return `"s${string}"`
    // As forge writes numbers.
    const written = number
      .replace(/^-0$/, '0')
      .replace(/e(?=\d)/i, 'e+')
      .replace('E', 'e')
    return /^-?0\d/.test(token) ? token : `"n${written}"`
  })
  try {
    return fromMarked(JSON.parse(marked))
  } catch {
    return undefined
  }
}

export function parseJson(text: string): Json {
  const value = readJson(text)
  if (value !== undefined) return value
  return refuseWith(`failed parsing JSON: ${JSON.stringify(text.slice(0, 80))} is none`)
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
  if (name === undefined) refuseWith("'valueKey' cannot be empty or just '$'")
  if (isJsonMap(whole)) {
    const inner = rest.length === 0 ? value : putJson(whole.get(name) ?? new Map(), rest.join('.'), value)
    return new Map(whole).set(name, inner)
  }
  const words = `path segment '${name}' does not resolve to an object.`
  refuseWith(rest.length > 0 ? words : 'final destination is not an object, cannot insert key.')
}

/** The ABI encoding of a value whose type is inferred. */
interface Encoded {
  readonly isDynamic: boolean
  readonly bytes: Uint8Array
}

function wordOf(value: bigint): Uint8Array {
  return hex.hexToBytes(hex.toWord(BigInt.asUintN(256, value)))
}

/** Heads and tails, as of a tuple. */
function sequence(items: readonly Encoded[]): Uint8Array {
  let at = items.reduce((size, { isDynamic, bytes }) => size + (isDynamic ? 32 : bytes.length), 0)
  const heads = items.map(({ isDynamic, bytes }) => {
    if (!isDynamic) return bytes
    at += bytes.length
    return wordOf(BigInt(at - bytes.length))
  })
  return hex.concatBytes(...heads, ...items.flatMap(({ isDynamic, bytes }) => (isDynamic ? [bytes] : [])))
}

function dataOf(bytes: Uint8Array): Encoded {
  const padding = new Uint8Array((32 - (bytes.length % 32)) % 32)
  return { isDynamic: true, bytes: hex.concatBytes(wordOf(BigInt(bytes.length)), bytes, padding) }
}

function arrayOf(items: readonly Encoded[]): Encoded {
  return { isDynamic: true, bytes: hex.concatBytes(wordOf(BigInt(items.length)), sequence(items)) }
}

const fixed = (bytes: Uint8Array): Encoded => ({ isDynamic: false, bytes })

/** Numbers of more than 64 bits are written as texts. */
function largeNumberIn(text: string): bigint | undefined {
  if (!/^[+-]?[\d_]+$/.test(text)) return undefined
  const value = BigInt(text.replaceAll('_', ''))
  const isSmall = BigInt.asIntN(64, value) === value
  return isSmall || BigInt.asIntN(257, value) !== value || value < -(1n << 255n) ? undefined : value
}

function bytesIn(text: string): Uint8Array | undefined {
  if (!/^0x[\da-fA-F]*$/.test(text)) return undefined
  return hex.hexToBytes(`0x${text.length % 2 === 0 ? '' : '0'}${text.slice(2)}`)
}

/** Texts of hex digits are an address, a word or bytes by their length. */
function ofText(text: string): Encoded {
  const number = largeNumberIn(text)
  if (number !== undefined) return fixed(wordOf(number))
  const bytes = bytesIn(text)
  if (bytes === undefined) return dataOf(hex.utf8ToBytes(text))
  if (bytes.length === 20) return fixed(wordOf(BigInt(hex.bytesToHex(bytes))))
  return bytes.length === 32 ? fixed(bytes) : dataOf(bytes)
}

function ofNumber(text: string): Encoded {
  try {
    return fixed(wordOf(parseValue(text, text.startsWith('-') ? 'int256' : 'uint256') as bigint))
  } catch {
    // A negative power may leave a whole number.
    if (/e-/i.test(text) && Number.isSafeInteger(Number(text))) return fixed(wordOf(BigInt(Number(text))))
    refuseWith(`unsupported JSON number: ${text}`)
  }
}

type Structs = readonly DefinedStruct[]

/** The entries of an object in the order of the struct with its names, or else by name. */
function entriesOf(value: JsonMap, structs: Structs): readonly (readonly [string, Json])[] {
  const own = structs.find(
    ({ fields }) => fields.length === value.size && fields.every((field) => value.has(field)),
  )
  const names = own?.fields ?? [...value.keys()].sort()
  return names.map((name) => [name, value.get(name) as Json])
}

function inferred(value: Json, structs: Structs): Encoded {
  if (value === null || typeof value === 'boolean') return fixed(wordOf(value ? 1n : 0n))
  if (value instanceof JsonNumber) return ofNumber(value.text)
  if (typeof value === 'string') return ofText(value)
  if (isArray(value)) return arrayOf(value.map((each) => inferred(each, structs)))
  const items = entriesOf(value, structs).map(([, each]) => inferred(each, structs))
  return { isDynamic: items.some(({ isDynamic }) => isDynamic), bytes: sequence(items) }
}

/** The answer of a node: a text of hex digits as its bytes, anything else as it is encoded. */
export function encodeAnswer(answer: Json): Uint8Array {
  const bytes = typeof answer === 'string' ? bytesIn(answer) : undefined
  return bytes ?? (answer === null ? new Uint8Array(32) : encodeInferred([answer], []))
}

/** The encoding of the values at a path: of the only one, or else of their array. */
export function encodeInferred(values: readonly Json[], structs: Structs): Uint8Array {
  const found = values.map((each) => inferred(each, structs))
  if (found.length === 0) return hex.EMPTY_BYTES
  return sequence(found.length === 1 ? found : [arrayOf(found)])
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those that TOML writes as escapes.
const ESCAPED = /[\0-\x08\x0b-\x1f\x7f]/

function basic(text: string): string {
  return JSON.stringify(text).replace(/\x7f/g, '\\u007f')
}

function quotedText(text: string): string {
  const start = text.includes('\n') ? '\n' : ''
  const isPlain = !ESCAPED.test(text)
  if (!isPlain || (start === '' && !/["\\]/.test(text))) return basic(text)
  if (start === '' && !text.includes("'")) return `'${text}'`
  if (!text.includes('\\') && !text.includes('"""')) return `"""${start}${text}"""`
  return text.includes("'''") ? basic(text) : `'''${start}${text}'''`
}

const keyOf = (key: string) =>
  /^[\w-]+$/.test(key) ? key : key.includes('\n') ? basic(key) : quotedText(key)

/** Numbers with all their digits; those that are no integers of 64 bits have a point. */
function numberText({ text }: JsonNumber): string {
  if (!/[.e]/i.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)) return text
  const [, sign = '', whole = '', places = '', power = '0'] =
    /^(-?)(\d+)\.?(\d*)(?:e(.*))?$/.exec(`${Number(text)}`) ?? []
  const digits = whole + places
  const point = whole.length + Number(power)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.slice(0, point).padEnd(point, '0')}.${digits.slice(point) || '0'}`
}

function inlineText(value: Json): string {
  if (value === null) return '"null"'
  if (value instanceof JsonNumber) return numberText(value)
  if (typeof value === 'string') return quotedText(value)
  if (typeof value === 'boolean') return `${value}`
  if (isJsonMap(value)) {
    const items = [...value].map(([key, each]) => `${keyOf(key)} = ${inlineText(each)}`)
    return items.length === 0 ? '{}' : `{ ${items.join(', ')} }`
  }
  const items = value.map(inlineText)
  return items.length < 2 ? `[${items.join('')}]` : `[\n${items.map((each) => `    ${each},\n`).join('')}]`
}

function isTables(value: Json): value is readonly JsonMap[] {
  return isArray(value) && value.length > 0 && value.every(isJsonMap)
}

/** The parts of a table, each under its heading. */
function tableParts(table: JsonMap, path: string, heading: string): string[] {
  const tables = [...table].filter(([, value]) => isJsonMap(value) || isTables(value))
  const lines = [...table].flatMap(([key, value]) =>
    isJsonMap(value) || isTables(value) ? [] : [`${keyOf(key)} = ${inlineText(value)}\n`],
  )
  const inner = tables.flatMap(([key, value]) => {
    const name = `${path === '' ? '' : `${path}.`}${keyOf(key)}`
    if (isJsonMap(value)) return tableParts(value, name, `[${name}]\n`)
    return (value as readonly JsonMap[]).flatMap((each) => tableParts(each, name, `[[${name}]]\n`))
  })
  // A table that holds only tables needs no heading of its own: theirs name it.
  const isSaid = lines.length > 0 || tables.length === 0 || heading.startsWith('[[')
  const own = `${isSaid ? heading : ''}${lines.join('')}`
  return own === '' ? inner : [own, ...inner]
}

/** Throws a refusal for a value that is no object. */
export function writeToml(value: Json): string {
  if (isJsonMap(value)) return tableParts(value, '', '').join('\n')
  const isInteger = value instanceof JsonNumber && !/[.e]/i.test(value.text)
  const number = isInteger ? 'i64' : 'f64'
  const kind = isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : 'str'
  const type = value instanceof JsonNumber ? number : kind
  refuseWith(`failed to serialize TOML: unsupported ${type} type`)
}
