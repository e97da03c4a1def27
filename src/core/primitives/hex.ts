// Conversions between hex, bytes, integers and text. Layers above the EVM use lower-case 0x-hex, the EVM uses bytes.
// Base64 (RFC 4648, section 4) of bytes, as text; canonical text only.

import { shorten } from './text-of.ts'

/** A 0x-prefixed hex string, lower case. */
export type Hex = `0x${string}`
/** 20 bytes as lower-case hex. */
export type Address = Hex
/** 32 bytes as lower-case hex. */
export type Hash = Hex

export const ZERO_ADDRESS: Address = `0x${'00'.repeat(20)}`
export const ZERO_HASH: Hash = `0x${'00'.repeat(32)}`
export const EMPTY_BYTES: Uint8Array = new Uint8Array(0)

const DIGITS = '0123456789abcdef'
const DIGIT_CODES = Uint8Array.from(DIGITS, (digit) => digit.charCodeAt(0))

/** Character code → digit value, for both cases; 0xff for other characters. */
const HEX_DIGIT_VALUE = new Uint8Array(128).fill(0xff)
for (let value = 0; value < 16; value++) {
  const digit = DIGITS.charAt(value)
  HEX_DIGIT_VALUE[digit.charCodeAt(0)] = value
  HEX_DIGIT_VALUE[digit.toUpperCase().charCodeAt(0)] = value
}

/** Character codes of the digits of each byte, as a pair. */
const PAIRS = new Uint16Array(256)
new Uint8Array(PAIRS.buffer).set(
  Array.from({ length: 512 }, (_, at) => DIGIT_CODES[at & 1 ? (at >> 1) & 15 : at >> 5] as number),
)

const PREFIX = [0x30, 0x78]
const SHORT_BYTES = 32
/** Reusable character code arrays by byte length, with `0x` in place. */
const CODES_BY_LENGTH = Array.from({ length: SHORT_BYTES + 1 }, (_, length) => [
  ...PREFIX,
  ...new Array<number>(2 * length).fill(0),
])
const ascii = new TextDecoder()

/** Builds a flat string: engines flatten a concatenated string at its first use, which is slow. */
export function bytesToHex(bytes: Uint8Array): Hex {
  const { length } = bytes
  const codes = CODES_BY_LENGTH[length]
  if (codes === undefined) {
    const pairs = new Uint16Array(length + 1)
    for (let at = 0; at < length; at++) pairs[at + 1] = PAIRS[bytes[at] as number] as number
    new Uint8Array(pairs.buffer).set(PREFIX)
    return ascii.decode(pairs) as Hex
  }
  let out = 2
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] as number
    codes[out++] = DIGIT_CODES[byte >> 4] as number
    codes[out++] = DIGIT_CODES[byte & 15] as number
  }
  return String.fromCharCode.apply(null, codes) as Hex
}

/** True for 0x and an even number of hex digits; `length` requires that many bytes. */
export function isHexBytes(value: unknown, length?: number): value is Hex {
  if (typeof value !== 'string' || value.length < 2 || value.length % 2 !== 0) return false
  if (length !== undefined && value.length !== 2 + 2 * length) return false
  if (value.charCodeAt(0) !== 0x30 || value.charCodeAt(1) !== 0x78) return false
  for (let i = 2; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (code > 127 || HEX_DIGIT_VALUE[code] === 0xff) return false
  }
  return true
}

/** Decodes hex that has passed `isHexBytes`; throws a TypeError for anything else, as a mistake of the caller. */
export function hexToBytes(hex: string): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, (hex.length - 2) / 2))
  putHex(bytes, 0, hex)
  return bytes
}

/** Writes the bytes of `hex` into a buffer that has room for them; throws as `hexToBytes` does. */
export function putHex(target: Uint8Array, start: number, hex: string): void {
  // Collects validity bits and checks them once after the loop.
  let codes = 0
  let digits = 0
  for (let i = start, at = 2; at < hex.length; i++, at += 2) {
    const highCode = hex.charCodeAt(at)
    const lowCode = hex.charCodeAt(at + 1)
    const high = HEX_DIGIT_VALUE[highCode & 127] as number
    const low = HEX_DIGIT_VALUE[lowCode & 127] as number
    codes |= highCode | lowCode
    digits |= high | low
    target[i] = high * 16 + low
  }
  const isHex = codes < 128 && digits < 16 && hex.length % 2 === 0 && hex.startsWith('0x')
  if (!isHex) throw new TypeError(`not hex bytes: ${shorten(hex)}`)
}

/** JSON-RPC quantity: minimal hex, `0x0` for zero. */
export function toQuantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`
}

/** A number as a 32-byte big-endian hex word. */
export function toWord(value: bigint | number): Hash {
  return `0x${value.toString(16).padStart(64, '0')}`
}

/** Bytes that fit a number exactly. */
const NUMBER_BYTES = 6
const WORD_BYTES = 32
const word = new Uint8Array(WORD_BYTES)
const wordView = new DataView(word.buffer)

export function bytesToBigInt(bytes: Uint8Array): bigint {
  const { length } = bytes
  if (length > WORD_BYTES) return BigInt(bytesToHex(bytes))
  if (length <= NUMBER_BYTES) {
    let value = 0
    for (let i = 0; i < length; i++) value = value * 256 + (bytes[i] as number)
    return BigInt(value)
  }
  word.fill(0, 0, WORD_BYTES - length)
  word.set(bytes, WORD_BYTES - length)
  const low = (wordView.getBigUint64(16) << 64n) | wordView.getBigUint64(24)
  if (length <= 16) return low
  return (wordView.getBigUint64(0) << 192n) | (wordView.getBigUint64(8) << 128n) | low
}

const MAX_UINT32 = 0xffffffffn
const MAX_UINT64 = 0xffffffffffffffffn

/** Minimal big-endian bytes; zero is empty, as in RLP. */
export function bigIntToBytes(value: bigint): Uint8Array {
  if (value === 0n) return EMPTY_BYTES
  if (value < 0n) throw new TypeError(`no bytes stand for ${value}`)
  if (value <= MAX_UINT32) return smallToBytes(Number(value))
  if (value <= MAX_UINT64) {
    wordView.setBigUint64(0, value)
    let start = 0
    while (word[start] === 0) start++
    return word.slice(start, 8)
  }
  const digits = value.toString(16)
  return hexToBytes(digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`)
}

/** The same for a number from 1 to 2^32 - 1. */
function smallToBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(value < 0x100 ? 1 : value < 0x10000 ? 2 : value < 0x1000000 ? 3 : 4)
  for (let i = bytes.length - 1, rest = value; i >= 0; i--, rest >>>= 8) bytes[i] = rest
  return bytes
}

export function stripLeadingZeros(bytes: Uint8Array): Uint8Array {
  let start = 0
  while (start < bytes.length && bytes[start] === 0) start++
  // A copy: a view would move a short array to memory of its own.
  return start === 0 ? bytes : bytes.slice(start)
}

export function padLeft(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length >= length) return bytes
  const padded = new Uint8Array(length)
  padded.set(bytes, length - bytes.length)
  return padded
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/**
 * Encodes UTF-8; written out because `src/` compiles without a platform library. An unpaired surrogate becomes U+FFFD,
 * as in the Encoding Standard.
 */
export function utf8ToBytes(text: string): Uint8Array {
  const bytes: number[] = []
  for (const character of text) {
    const codePoint = character.codePointAt(0) as number
    const code = codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint
    if (code < 0x80) bytes.push(code)
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 0x3f))
    else if (code < 0x10000)
      bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f))
    else {
      bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 0x3f))
      bytes.push(0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f))
    }
  }
  return Uint8Array.from(bytes)
}

/** Decodes UTF-8; bytes that are not UTF-8 become one character each. */
export function bytesToText(bytes: Uint8Array): string {
  const encoded = bytesToHex(bytes).slice(2).replace(/../g, '%$&')
  try {
    return decodeURIComponent(encoded)
  } catch {
    // Keeps all information.
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  }
}

/** In browsers and Node, although `lib: es2022` does not declare them. A character stands for a byte. */
const { atob, btoa } = globalThis as unknown as Readonly<Record<'atob' | 'btoa', (text: string) => string>>

/** Bytes per call of String.fromCharCode, because engines limit the number of arguments. */
const CALL_BYTES = 4096

export function bytesToBase64(bytes: Uint8Array): string {
  let characters = ''
  for (let start = 0; start < bytes.length; start += CALL_BYTES)
    characters += String.fromCharCode(...bytes.subarray(start, start + CALL_BYTES))
  return btoa(characters)
}

/** The bytes of a text; `undefined` if it is not their base64. */
export function base64ToBytes(text: string): Uint8Array | undefined {
  try {
    const characters = atob(text)
    if (btoa(characters) !== text) return undefined
    const bytes = new Uint8Array(characters.length)
    for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i)
    return bytes
  } catch {
    return undefined
  }
}
