// RLP encoder for nested lists (yellow paper, appendix B), such as blocks; decode-rlp.ts decodes. It converts integers
// and hex in place: a byte array for each field of a block would cost more than the encoding.

import { type Hex, putHex } from './hex.ts'
import { prefixSize, writePrefix } from './rlp.ts'

/** Bytes, as an array or in hex; an integer, whose bytes have no leading zeros; or a list. */
export type Encodable = Uint8Array | Hex | bigint | number | readonly Encodable[]

/** Written from the end, so that the length of a payload is known before its prefix. */
let buffer = new Uint8Array(65_536)
let start = buffer.length

/** Moves the start back by so many bytes. */
function extend(bytes: number): void {
  if (bytes > start) {
    const written = buffer.subarray(start)
    buffer = new Uint8Array(2 * buffer.length + bytes)
    start = buffer.length - written.length
    buffer.set(written, start)
  }
  start -= bytes
}

function putPrefix(offset: 0x80 | 0xc0, length: number): void {
  extend(prefixSize(length))
  writePrefix(buffer, start, offset, length)
}

/** Writes a byte string; a single byte below 0x80 is its own encoding. */
function endString(length: number): void {
  if (length !== 1 || (buffer[start] as number) >= 0x80) putPrefix(0x80, length)
}

function putBytes(bytes: Uint8Array): void {
  putRaw(bytes)
  endString(bytes.length)
}

function putHexString(hex: Hex): void {
  const length = (hex.length - 2) / 2
  extend(length)
  putHex(buffer, start, hex)
  endString(length)
}

/** Writes an integer below 2^53 without leading zeros; returns the number of its bytes. */
function putDigits(value: number): number {
  let length = 0
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) {
    extend(1)
    buffer[start] = rest % 256
    length++
  }
  return length
}

const CHUNK_BYTES = 6
const CHUNK_BITS = 8 * CHUNK_BYTES
const CHUNK = 1n << BigInt(CHUNK_BITS)

/** Like `putDigits`, for any integer. */
function putWideDigits(value: bigint): number {
  if (value < CHUNK) return putDigits(Number(value))
  const low = putDigits(Number(BigInt.asUintN(CHUNK_BITS, value)))
  extend(CHUNK_BYTES - low)
  buffer.fill(0, start, start + CHUNK_BYTES - low)
  return CHUNK_BYTES + putWideDigits(value >> BigInt(CHUNK_BITS))
}

function putInteger(value: bigint | number): void {
  if (value < 0) throw new TypeError(`no bytes stand for ${value}`)
  endString(typeof value === 'number' ? putDigits(value) : putWideDigits(value))
}

function putList(items: readonly Encodable[]): void {
  const fromEnd = buffer.length - start
  for (let i = items.length - 1; i >= 0; i--) put(items[i] as Encodable)
  putPrefix(0xc0, buffer.length - start - fromEnd)
}

function put(item: Encodable): void {
  if (typeof item === 'string') putHexString(item)
  else if (typeof item !== 'object') putInteger(item)
  else if (item instanceof Uint8Array) putBytes(item)
  else putList(item)
}

/** The encoding as a view, which the next one overwrites. */
export function encodedView(items: readonly Encodable[]): Uint8Array {
  start = buffer.length
  putList(items)
  return buffer.subarray(start)
}

function putRaw(bytes: Uint8Array): void {
  extend(bytes.length)
  buffer.set(bytes, start)
}

/** The encoding as an array of its own, which `slice` would take longer to make. */
function taken(): Uint8Array {
  const encoded = new Uint8Array(buffer.length - start)
  encoded.set(buffer.subarray(start))
  return encoded
}

/** Encodes lists one after another, between bytes that need no encoding. The result is meant to be kept. */
export function encodeBetween(
  before: Uint8Array,
  lists: readonly (readonly Encodable[])[],
  after: Uint8Array,
): Uint8Array {
  start = buffer.length
  putRaw(after)
  for (let i = lists.length - 1; i >= 0; i--) putList(lists[i] as readonly Encodable[])
  putRaw(before)
  return taken()
}

/** Encodes a list, with the type byte of an EIP-2718 envelope before it. */
export function encodeItems(items: readonly Encodable[], type?: number): Uint8Array {
  start = buffer.length
  putList(items)
  if (type !== undefined) {
    extend(1)
    buffer[start] = type
  }
  return taken()
}
