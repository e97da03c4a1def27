// Encoding only, and only what blocks and tries are made of: byte strings, and lists of what is already encoded.
// Tries encode a node for every change; joining encoded parts once is what makes that cheap. Decoding, and
// everything off the hot path, is @ethereumjs/rlp's. Yellow paper, appendix B.

import { concatBytes } from './hex.ts'

const SHORT = 55

/** The prefix of a string (0x80) or a list (0xc0) whose payload has `length` bytes. */
function prefix(offset: 0x80 | 0xc0, length: number): Uint8Array {
  if (length <= SHORT) return Uint8Array.of(offset + length)
  const digits: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256)
  return Uint8Array.of(offset + SHORT + digits.length, ...digits)
}

export function encodeBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 1 && (bytes[0] as number) < 0x80) return bytes
  if (bytes.length > SHORT) return concatBytes(prefix(0x80, bytes.length), bytes)
  const encoded = new Uint8Array(bytes.length + 1)
  encoded[0] = 0x80 + bytes.length
  encoded.set(bytes, 1)
  return encoded
}

/** A list of items that are encoded already. */
export function encodeList(items: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const item of items) length += item.length
  const head = prefix(0xc0, length)
  const encoded = new Uint8Array(head.length + length)
  encoded.set(head)
  let offset = head.length
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
