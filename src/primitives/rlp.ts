// Encoding only, and only what blocks and tries are made of: byte strings, and lists of what is already encoded.
// Tries encode a node for every change; joining encoded parts once is what makes that cheap. Decoding, and
// everything off the hot path, is @ethereumjs/rlp's. Yellow paper, appendix B.

const SHORT = 55

/** How long the prefix of a string or list is whose payload has `length` bytes. */
function prefixSize(length: number): number {
  let size = 1
  if (length > SHORT) for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) size++
  return size
}

/** Writes the prefix of a string (0x80) or a list (0xc0), and answers where its payload begins. */
function writePrefix(target: Uint8Array, offset: 0x80 | 0xc0, length: number): number {
  const size = prefixSize(length)
  target[0] = size === 1 ? offset + length : offset + SHORT + size - 1
  for (let position = size - 1, rest = length; position > 0; position--) {
    target[position] = rest % 256
    rest = Math.floor(rest / 256)
  }
  return size
}

/** Begins a list at the start of a buffer, and answers where its payload of `length` bytes begins. */
export function startList(target: Uint8Array, length: number): number {
  return writePrefix(target, 0xc0, length)
}

export function encodeBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 1 && (bytes[0] as number) < 0x80) return bytes
  const encoded = new Uint8Array(prefixSize(bytes.length) + bytes.length)
  encoded.set(bytes, writePrefix(encoded, 0x80, bytes.length))
  return encoded
}

/** A list of items that are encoded already. */
export function encodeList(items: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const item of items) length += item.length
  const encoded = new Uint8Array(prefixSize(length) + length)
  let offset = startList(encoded, length)
  for (const item of items) {
    encoded.set(item, offset)
    offset += item.length
  }
  return encoded
}

/** A list of byte strings. */
export function encodeBytesList(items: readonly Uint8Array[]): Uint8Array {
  return encodeList(items.map(encodeBytes))
}
