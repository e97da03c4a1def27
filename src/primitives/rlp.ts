// Encoding, of what blocks and tries are made of only: byte strings, and lists of what is already encoded. Tries encode
// a node for every change; joining encoded parts once is what makes that cheap. Yellow paper, appendix B.
// decode-rlp.ts reads; off the hot path it is @ethereumjs/rlp's.

const SHORT = 55

/** How long the prefix of a string or list is whose payload has `length` bytes. */
function prefixSize(length: number): number {
  let size = 1
  if (length > SHORT) for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) size++
  return size
}

/** Writes the prefix of a string (0x80) or a list (0xc0) whose payload has `length` bytes, and answers where that begins. */
function writePrefix(target: Uint8Array, start: number, offset: 0x80 | 0xc0, length: number): number {
  const size = prefixSize(length)
  target[start] = size === 1 ? offset + length : offset + SHORT + size - 1
  for (let position = start + size - 1, rest = length; position > start; position--) {
    target[position] = rest % 256
    rest = Math.floor(rest / 256)
  }
  return start + size
}

/** Begins a list at the start of a buffer, and answers where its payload of `length` bytes begins. */
function startList(target: Uint8Array, length: number): number {
  return writePrefix(target, 0, 0xc0, length)
}

/** What the prefix of a list takes at most: a length of four bytes, and the byte before it. */
export const LIST_PREFIX_ROOM = 5

/** Writes the prefix of a list before its payload, which is there from `start` to `end`; answers where the list begins. */
export function putListPrefix(target: Uint8Array, start: number, end: number): number {
  const first = start - prefixSize(end - start)
  writePrefix(target, first, 0xc0, end - start)
  return first
}

/** True for a byte that stands for itself. */
function isItself(bytes: Uint8Array): boolean {
  return bytes.length === 1 && (bytes[0] as number) < 0x80
}

/** How long a byte string is when it is encoded. */
function stringSize(bytes: Uint8Array): number {
  return isItself(bytes) ? 1 : prefixSize(bytes.length) + bytes.length
}

/** What is shorter is copied byte by byte: to call the engine for it takes longer. */
const LEAST_BLOCK = 24

/** Copies bytes to a place in a buffer, and answers where they end. */
export function putBytes(target: Uint8Array, start: number, bytes: Uint8Array): number {
  const { length } = bytes
  if (length >= LEAST_BLOCK) target.set(bytes, start)
  else for (let i = 0; i < length; i++) target[start + i] = bytes[i] as number
  return start + length
}

/** Encodes a byte string at a place in a buffer, and answers where it ends. */
export function putString(target: Uint8Array, start: number, bytes: Uint8Array): number {
  const payload = isItself(bytes) ? start : writePrefix(target, start, 0x80, bytes.length)
  return putBytes(target, payload, bytes)
}

export function encodeBytes(bytes: Uint8Array): Uint8Array {
  if (isItself(bytes)) return bytes
  const encoded = new Uint8Array(stringSize(bytes))
  putString(encoded, 0, bytes)
  return encoded
}

/** A list of items that are encoded already. */
export function encodeList(items: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const item of items) length += item.length
  const encoded = new Uint8Array(prefixSize(length) + length)
  let offset = startList(encoded, length)
  for (const item of items) offset = putBytes(encoded, offset, item)
  return encoded
}

/** A list of byte strings. */
export function encodeBytesList(items: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const item of items) length += stringSize(item)
  const encoded = new Uint8Array(prefixSize(length) + length)
  let offset = startList(encoded, length)
  for (const item of items) offset = putString(encoded, offset, item)
  return encoded
}
