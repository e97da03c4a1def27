// Encoding, of what blocks and tries are made of only: byte strings, and lists of what is already encoded. Tries encode
// a node for every change; joining encoded parts once is what makes that cheap. Yellow paper, appendix B.
// decode-rlp.ts reads; off the hot path it is @ethereumjs/rlp's.

const SHORT = 55

/** How long the prefix of a string or list is whose payload has `length` bytes. */
function prefixSize(length: number): number {
  if (length <= SHORT) return 1
  let size = 1
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) size++
  return size
}

/** Writes the prefix of a string (0x80) or a list (0xc0) whose payload has `length` bytes, and answers where that begins. */
function writePrefix(target: Uint8Array, start: number, offset: 0x80 | 0xc0, length: number): number {
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

/** A byte string, or a list of items. */
export type Item = Uint8Array | readonly Item[]

function listSize(items: readonly Item[]): number {
  let length = 0
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Item
    length += item instanceof Uint8Array ? stringSize(item) : listSize(item)
  }
  return prefixSize(length) + length
}

/** Writes a list that ends at a place, its last item first: the length of a payload is known when it is there. */
function putListBefore(target: Uint8Array, end: number, items: readonly Item[]): number {
  let start = end
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i] as Item
    if (item instanceof Uint8Array) {
      start -= stringSize(item)
      putString(target, start, item)
    } else start = putListBefore(target, start, item)
  }
  return putListPrefix(target, start, end)
}

/** A list of byte strings, of lists of them, and so on. */
export function encodeItems(items: readonly Item[]): Uint8Array {
  const encoded = new Uint8Array(listSize(items))
  putListBefore(encoded, encoded.length, items)
  return encoded
}

/** A list of byte strings. */
export function encodeBytesList(items: readonly Uint8Array[]): Uint8Array {
  return encodeItems(items)
}
