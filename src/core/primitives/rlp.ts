// RLP (yellow paper, appendix B): parts that write directly into a buffer, for tries; an encoder of nested lists, such as
// blocks, which converts integers and hex in place, because a byte array for each field would cost more than the encoding;
// and a decoder, which takes canonical encodings only, so re-encoding gives the same bytes.

import { type Hex, putHex } from './hex.ts'
import { SharedBytes } from './shared-bytes.ts'

/** The longest payload whose length is in the first byte. */
const SHORT = 55
/** The first bytes of an empty string and of an empty list. */
const [STRING, LIST] = [0x80, 0xc0]

/** Writes the prefix of a string or list before its payload of `length` bytes; returns its start. */
function putPrefixBefore(target: Uint8Array, payload: number, first: number, length: number): number {
  let at = payload - 1
  if (length <= SHORT) {
    target[at] = first + length
    return at
  }
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) target[at--] = rest % 256
  target[at] = first + SHORT + payload - at - 1
  return at
}

/** The most bytes of a list prefix: one byte and a length of four. */
export const MAX_LIST_PREFIX = 5

/** Writes the prefix of a list before its payload from `start` to `end`; returns the start of the list. */
export function putListPrefix(target: Uint8Array, start: number, end: number): number {
  return putPrefixBefore(target, start, LIST, end - start)
}

/** Shorter arrays are copied by a loop, which is faster than TypedArray.set. */
const MIN_SET_BYTES = 24

/** Copies bytes into a buffer; returns their end. */
export function putBytes(target: Uint8Array, start: number, bytes: Uint8Array): number {
  const { length } = bytes
  if (length >= MIN_SET_BYTES) target.set(bytes, start)
  else for (let i = 0; i < length; i++) target[start + i] = bytes[i] as number
  return start + length
}

/** Encodes a byte string into a buffer; returns its end. */
export function putString(target: Uint8Array, start: number, bytes: Uint8Array): number {
  const { length } = bytes
  // Reads the byte of longer ones too: code that V8 has optimised before the first single byte would be thrown away with it.
  if ((bytes[0] as number) < STRING && length === 1) return putBytes(target, start, bytes)
  let payload = start + 1
  if (length > SHORT) for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) payload++
  putPrefixBefore(target, payload, STRING, length)
  return putBytes(target, payload, bytes)
}

/** Bytes, as an array or in hex; an integer, whose bytes have no leading zeros; or a list. */
export type Encodable = Uint8Array | Hex | bigint | number | readonly Encodable[]

/** Written from the end, so that the length of a payload is known before its prefix. */
let buffer = new Uint8Array(65_536)
let start = buffer.length

/** The most bytes of a prefix: one byte, and a length that a double can hold. */
const MAX_PREFIX = 8

/** Moves what is written to the end of a larger buffer, which has room for so many bytes more. */
function grow(bytes: number): void {
  const written = buffer.subarray(start)
  buffer = new Uint8Array(2 * buffer.length + bytes)
  start = buffer.length - written.length
  buffer.set(written, start)
}

/** Writes the prefix of the last bytes; a single byte below 0x80 is a string that needs none. */
function putPrefix(first: number, length: number): void {
  if (length === 1 && first === STRING && (buffer[start] as number) < STRING) return
  if (start < MAX_PREFIX) grow(MAX_PREFIX)
  if (length <= SHORT) buffer[--start] = first + length
  else start = putPrefixBefore(buffer, start, first, length)
}

function putRaw(bytes: Uint8Array): void {
  const { length } = bytes
  if (start < length) grow(length)
  start -= length
  buffer.set(bytes, start)
}

function putHexString(hex: Hex): void {
  const length = (hex.length - 2) / 2
  if (start < length) grow(length)
  start -= length
  putHex(buffer, start, hex)
  putPrefix(STRING, length)
}

const CHUNK_BYTES = 6
const CHUNK_BITS = 8 * CHUNK_BYTES
const CHUNK = 1n << BigInt(CHUNK_BITS)

/** Writes an integer without leading zeros. */
function putInteger(value: bigint | number): void {
  if (value < 0) throw new TypeError(`no bytes stand for ${value}`)
  const fromEnd = buffer.length - start
  let high = value
  for (; typeof high === 'bigint' && high >= CHUNK; high >>= BigInt(CHUNK_BITS)) {
    if (start < CHUNK_BYTES) grow(CHUNK_BYTES)
    let low = Number(BigInt.asUintN(CHUNK_BITS, high))
    for (let i = 0; i < CHUNK_BYTES; i++, low = Math.floor(low / 256)) buffer[--start] = low % 256
  }
  if (start < MAX_PREFIX) grow(MAX_PREFIX)
  for (let rest = Number(high); rest > 0; rest = Math.floor(rest / 256)) buffer[--start] = rest % 256
  putPrefix(STRING, buffer.length - start - fromEnd)
}

function putList(items: readonly Encodable[]): void {
  const fromEnd = buffer.length - start
  for (let i = items.length - 1; i >= 0; i--) put(items[i] as Encodable)
  putPrefix(LIST, buffer.length - start - fromEnd)
}

function put(item: Encodable): void {
  if (typeof item === 'string') putHexString(item)
  else if (typeof item !== 'object') putInteger(item)
  else if (item instanceof Uint8Array) {
    putRaw(item)
    putPrefix(STRING, item.length)
  } else putList(item)
}

/** The encoding as a view, which the next one overwrites. */
export function encodedView(items: readonly Encodable[]): Uint8Array {
  start = buffer.length
  putList(items)
  return buffer.subarray(start)
}

/** Up to this length, engines keep the bytes in the array itself. */
const OWN_BYTES = 64
/** Up to this length are accounts, which stay in tries longer than other encodings: they keep a smaller chunk. */
const ACCOUNT_BYTES = 110
const accounts = new SharedBytes(512)
const others = new SharedBytes(2048)

/** The encoding as an array of its own. */
function taken(): Uint8Array {
  const length = buffer.length - start
  if (length <= OWN_BYTES) return buffer.slice(start)
  return (length > ACCOUNT_BYTES ? others : accounts).copy(buffer, start, length)
}

export function encodeBytes(bytes: Uint8Array): Uint8Array {
  start = buffer.length
  put(bytes)
  return taken()
}

/** Encodes a list of items that are already encoded. */
export function encodeList(items: readonly Uint8Array[]): Uint8Array {
  start = buffer.length
  for (let i = items.length - 1; i >= 0; i--) putRaw(items[i] as Uint8Array)
  putPrefix(LIST, buffer.length - start)
  return taken()
}

/** Encodes lists one after another, between bytes that need no encoding. The result is kept long, so it shares no memory. */
export function encodeBetween(
  before: Uint8Array,
  lists: readonly (readonly Encodable[])[],
  after: Uint8Array,
): Uint8Array {
  start = buffer.length
  putRaw(after)
  for (let i = lists.length - 1; i >= 0; i--) putList(lists[i] as readonly Encodable[])
  putRaw(before)
  return buffer.slice(start)
}

/** Encodes a list, with the type byte of an EIP-2718 envelope before it. */
export function encodeItems(items: readonly Encodable[], type?: number): Uint8Array {
  start = buffer.length
  putList(items)
  if (type !== undefined) putRaw(Uint8Array.of(type))
  return taken()
}

/** A byte string, as a view of the input, or a list. */
export type Item = Uint8Array | Item[]

function lengthBytes(first: number): number {
  const count = first - (first < LIST ? STRING : LIST) - SHORT
  return count > 0 ? count : 0
}

/** The start of the payload of the item at an offset. */
export function payloadStart(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number
  return first < STRING ? at : at + 1 + lengthBytes(first)
}

/** The end of the item at an offset; beyond the input if that is truncated. */
export function itemEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number
  if (first < STRING) return at + 1
  const size = lengthBytes(first)
  if (size === 0) return at + 1 + first - (first < LIST ? STRING : LIST)
  let length = 0
  for (let i = at + 1; i <= at + size; i++) length = length * 256 + (bytes[i] ?? 0)
  return at + 1 + size + length
}

/** True if the prefix of an item is the shortest one possible. */
function isCanonical(bytes: Uint8Array, at: number, start: number, end: number): boolean {
  if (start > at + 1) return bytes[at + 1] !== 0 && end - start > SHORT
  return bytes[at] !== STRING + 1 || (bytes[start] as number) >= STRING
}

/** Decodes the item that fills the range from `at` to `limit`; `undefined` if there is none. */
export function decodeItem(bytes: Uint8Array, at = 0, limit: number = bytes.length): Item | undefined {
  if (at >= limit) return undefined
  const start = payloadStart(bytes, at)
  const end = itemEnd(bytes, at)
  if (end !== limit || !isCanonical(bytes, at, start, end)) return undefined
  if ((bytes[at] as number) < LIST) return bytes.subarray(start, end)
  const items: Item[] = []
  for (let position = start; position < end; ) {
    const next = itemEnd(bytes, position)
    const item = next > end ? undefined : decodeItem(bytes, position, next)
    if (item === undefined) return undefined
    items.push(item)
    position = next
  }
  return items
}
