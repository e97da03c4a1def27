// TOML as forge 1.7.1 writes it: values before tables, arrays of more than one item on lines of their own, and texts in
// the quotes that need the fewest escapes.

import { CheatcodeRefusal } from './errors.ts'
import { isArray, isJsonMap, type Json, type JsonMap, JsonNumber } from './json.ts'

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
  throw new CheatcodeRefusal(`failed to serialize TOML: unsupported ${type} type`)
}
