// Values of JSON as the ABI encodes them, by types that are inferred from them.

import * as hex from '../../core/primitives/hex.ts'
import { CheatcodeRefusal } from './errors.ts'
import * as jsonValues from './json.ts'
import type { DefinedStruct } from './struct-types.ts'
import { parseValue } from './values.ts'

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

/** Texts of hex digits are an address, a word or bytes by their length. */
function ofText(text: string): Encoded {
  const number = largeNumberIn(text)
  if (number !== undefined) return fixed(wordOf(number))
  if (!/^0x[\da-fA-F]*$/.test(text)) return dataOf(hex.utf8ToBytes(text))
  const bytes = hex.hexToBytes(`0x${text.length % 2 === 0 ? '' : '0'}${text.slice(2)}`)
  if (bytes.length === 20) return fixed(wordOf(BigInt(hex.bytesToHex(bytes))))
  return bytes.length === 32 ? fixed(bytes) : dataOf(bytes)
}

function ofNumber(text: string): Encoded {
  try {
    return fixed(wordOf(parseValue(text, text.startsWith('-') ? 'int256' : 'uint256') as bigint))
  } catch {
    // A negative power may leave a whole number.
    if (/e-/i.test(text) && Number.isSafeInteger(Number(text))) return fixed(wordOf(BigInt(Number(text))))
    throw new CheatcodeRefusal(`unsupported JSON number: ${text}`)
  }
}

type Structs = readonly DefinedStruct[]

/** The entries of an object in the order of the struct with its names, or else by name. */
function entriesOf(
  value: jsonValues.JsonMap,
  structs: Structs,
): readonly (readonly [string, jsonValues.Json])[] {
  const own = structs.find(
    ({ fields }) => fields.length === value.size && fields.every((field) => value.has(field)),
  )
  const names = own?.fields ?? [...value.keys()].sort()
  return names.map((name) => [name, value.get(name) as jsonValues.Json])
}

function inferred(value: jsonValues.Json, structs: Structs): Encoded {
  if (value === null || typeof value === 'boolean') return fixed(wordOf(value ? 1n : 0n))
  if (value instanceof jsonValues.JsonNumber) return ofNumber(value.text)
  if (typeof value === 'string') return ofText(value)
  if (jsonValues.isArray(value)) return arrayOf(value.map((each) => inferred(each, structs)))
  const items = entriesOf(value, structs).map(([, each]) => inferred(each, structs))
  return { isDynamic: items.some(({ isDynamic }) => isDynamic), bytes: sequence(items) }
}

/** The encoding of the values at a path: of the only one, or else of their array. */
export function encodeInferred(values: readonly jsonValues.Json[], structs: Structs): Uint8Array {
  const found = values.map((each) => inferred(each, structs))
  if (found.length === 0) return hex.EMPTY_BYTES
  return sequence(found.length === 1 ? found : [arrayOf(found)])
}
