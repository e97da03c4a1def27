// RLP decoder (yellow paper, appendix B). It accepts canonical encodings only, so re-encoding gives the same bytes.

/** A byte string, as a view of the input, or a list. */
export type Item = Uint8Array | Item[]

const STRING = 0x80
const LIST = 0xc0
/** The longest payload whose length is in the first byte. */
const SHORT = 55

/** The number of length bytes after the first byte. */
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
