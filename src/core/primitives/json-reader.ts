// Validating readers for untrusted JSON such as state dumps. Errors name the path and the expected value.

import { failure } from './errors.ts'
import { type Hash, type Hex, isHexBytes } from './hex.ts'

// Bounds of JSON, checked before it is parsed: what exceeds them makes an engine run out of memory, which no program
// survives, although the text is small once it is compressed.

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

const MOST_DEPTH = 64
/** Values in arrays and objects: a state dump as long as a string can be has fewer, and their objects fit 1 GB. */
const MOST_VALUES = 2 ** 24

/** The position of the quote that ends the string that begins after a position. */
function stringEnd(bytes: Uint8Array, start: number): number {
  for (let end = start; ; ) {
    end = bytes.indexOf(QUOTE, end + 1)
    if (end === -1) return bytes.length
    let escapes = 0
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end
  }
}

/** True if JSON in UTF-8 is neither nested deeper than `MOST_DEPTH` nor has too many values; bad JSON may pass. */
export function isBoundedJson(bytes: Uint8Array): boolean {
  let depth = 0
  let values = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) i = stringEnd(bytes, i)
    else if (byte === COMMA) values++
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values++
      depth++
    }
    if (depth > MOST_DEPTH || values > MOST_VALUES) return false
  }
  return true
}

export function malformed(path: string, expected: string): never {
  throw failure('undecodableState', { reason: `${path}: expected ${expected}` })
}

export function readOneOf<Name extends string>(value: unknown, path: string, names: readonly Name[]): Name {
  return names.find((name) => name === value) ?? malformed(path, `one of ${names.join(', ')}`)
}

export function readObject(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) malformed(path, 'an object')
  return value as Record<string, unknown>
}

export function readArray(value: unknown, path: string): readonly unknown[] {
  return Array.isArray(value) ? value : malformed(path, 'an array')
}

export function readEach<Item>(
  value: unknown,
  path: string,
  read: (item: unknown, path: string) => Item,
): Item[] {
  return readArray(value, path).map((item, index) => read(item, `${path}[${index}]`))
}

/** Reads a value; `undefined` if it is null or absent. */
export function readOptional<Value>(
  value: unknown,
  path: string,
  read: (value: unknown, path: string) => Value,
): Value | undefined {
  return value === undefined || value === null ? undefined : read(value, path)
}

/** Reads hex bytes, in lower case. */
export function readHex(value: unknown, path: string, length?: number): Hex {
  if (!isHexBytes(value, length))
    malformed(path, length === undefined ? 'hex bytes' : `${length} bytes of hex`)
  return value.toLowerCase() as Hex
}

export function readAddressField(value: unknown, path: string): Hex {
  return readHex(value, path, 20)
}

export function readHash(value: unknown, path: string): Hash {
  return readHex(value, path, 32)
}

/** Reads a non-negative integer: hex, decimal digits, or a JSON number. */
export function readAmount(value: unknown, path: string, bits: 63 | 64 | 256 = 256): bigint {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  const isText = typeof value === 'string' && value.length <= 80 && /^(0x[0-9a-fA-F]+|[0-9]+)$/.test(value)
  if (!isNumber && !isText) malformed(path, 'a whole number')
  const amount = BigInt(value as number | string)
  return amount < 1n << BigInt(bits) ? amount : malformed(path, `a number of ${bits} bits`)
}

/** Reads an integer that fits a JavaScript number. */
export function readInteger(value: unknown, path: string, most = Number.MAX_SAFE_INTEGER): number {
  const amount = readAmount(value, path)
  return amount <= BigInt(most) ? Number(amount) : malformed(path, `a whole number up to ${most}`)
}
