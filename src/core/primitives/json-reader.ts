// Validating readers for untrusted JSON such as state dumps. Errors name the path and the expected value.

import type { TickchainError } from './errors.ts'
import { type Hex, hexToBytes, isHexBytes } from './hex.ts'
import { describe } from './text-of.ts'

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

/** A value of foreign JSON and its place, which the error of a wrong one names. */
export class ForeignJson {
  readonly value: unknown
  readonly path: string
  private readonly toError: (reason: string) => TickchainError

  constructor(value: unknown, path: string, toError: (reason: string) => TickchainError) {
    this.value = value
    this.path = path
    this.toError = toError
  }

  refuse(expected: string): never {
    const got = this.value === undefined ? '' : `, got ${describe(this.value)}`
    throw this.toError(`${this.path}: expected ${expected}${got}`)
  }

  /** A value whose path continues this one. */
  at(path: string, value?: unknown): ForeignJson {
    return new ForeignJson(value, `${this.path}${path}`, this.toError)
  }

  object(): Record<string, unknown> {
    const { value } = this
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.refuse('an object')
    return value as Record<string, unknown>
  }

  field(name: string): ForeignJson {
    return this.at(`.${name}`, this.object()[name])
  }

  array(): readonly unknown[] {
    return Array.isArray(this.value) ? this.value : this.refuse('an array')
  }

  items(): ForeignJson[] {
    return this.array().map((item, index) => this.at(`[${index}]`, item))
  }

  /** The value that is read; `undefined` if it is null or absent. */
  optional<Value>(read: (present: ForeignJson) => Value): Value | undefined {
    return this.value === undefined || this.value === null ? undefined : read(this)
  }

  oneOf<Name extends string>(names: readonly Name[]): Name {
    return names.find((name) => name === this.value) ?? this.refuse(`one of ${names.join(', ')}`)
  }

  /** Hex bytes, in lower case. */
  hex(length?: number): Hex {
    const { value } = this
    if (isHexBytes(value, length)) return value.toLowerCase() as Hex
    return this.refuse(length === undefined ? 'hex bytes' : `${length} bytes of hex`)
  }

  bytes(length?: number): Uint8Array {
    return hexToBytes(this.hex(length))
  }

  /** A non-negative integer: hex, decimal digits, or a JSON number. */
  amount(bits: 63 | 64 | 256 = 256): bigint {
    const { value } = this
    const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    const isText = typeof value === 'string' && value.length <= 80 && /^(0x[0-9a-fA-F]+|[0-9]+)$/.test(value)
    if (!isNumber && !isText) return this.refuse('a whole number')
    const amount = BigInt(value)
    return amount < 1n << BigInt(bits) ? amount : this.refuse(`a number of ${bits} bits`)
  }

  /** An integer that fits a JavaScript number. */
  integer(most = Number.MAX_SAFE_INTEGER): number {
    const amount = this.amount()
    return amount <= BigInt(most) ? Number(amount) : this.refuse(`a whole number up to ${most}`)
  }
}
