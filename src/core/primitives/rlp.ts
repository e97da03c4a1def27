// Parts of RLP that write directly into a buffer (yellow paper, appendix B), for tries; encode-rlp.ts encodes lists of
// lists.

const SHORT = 55

/** The size of the prefix for a payload of `length` bytes. */
export function prefixSize(length: number): number {
  if (length <= SHORT) return 1
  let size = 1
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) size++
  return size
}

/** Writes the prefix of a string (0x80) or list (0xc0) for a payload of `length` bytes; returns its start. */
export function writePrefix(target: Uint8Array, start: number, offset: 0x80 | 0xc0, length: number): number {
  if (length <= SHORT) {
    target[start] = offset + length
    return start + 1
  }
  const size = prefixSize(length)
  target[start] = offset + SHORT + size - 1
  for (let position = start + size - 1, rest = length; position > start; position--) {
    target[position] = rest % 256
    rest = Math.floor(rest / 256)
  }
  return start + size
}

/** The most bytes of a list prefix: one byte and a length of four. */
export const MAX_LIST_PREFIX = 5

/** Writes the prefix of a list before its payload from `start` to `end`; returns the start of the list. */
export function putListPrefix(target: Uint8Array, start: number, end: number): number {
  const first = start - prefixSize(end - start)
  writePrefix(target, first, 0xc0, end - start)
  return first
}

/**
 * True for a single byte that is its own encoding. It reads the byte of longer ones too: code that V8 has optimised before
 * the first single byte would be thrown away with it.
 */
function isSelfEncoded(bytes: Uint8Array): boolean {
  return (bytes[0] as number) < 0x80 && bytes.length === 1
}

/** The size of an encoded byte string. */
function stringSize(bytes: Uint8Array): number {
  return isSelfEncoded(bytes) ? 1 : prefixSize(bytes.length) + bytes.length
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
  const payload = isSelfEncoded(bytes) ? start : writePrefix(target, start, 0x80, bytes.length)
  return putBytes(target, payload, bytes)
}

export function encodeBytes(bytes: Uint8Array): Uint8Array {
  if (isSelfEncoded(bytes)) return bytes
  const encoded = new Uint8Array(stringSize(bytes))
  putString(encoded, 0, bytes)
  return encoded
}

/** Encodes a list of items that are already encoded. */
export function encodeList(items: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const item of items) length += item.length
  const encoded = new Uint8Array(prefixSize(length) + length)
  let offset = writePrefix(encoded, 0, 0xc0, length)
  for (const item of items) offset = putBytes(encoded, offset, item)
  return encoded
}
