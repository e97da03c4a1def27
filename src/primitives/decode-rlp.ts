// Reads RLP. What is not canonical is not read: whatever is can only have been encoded in this one way. Yellow paper,
// appendix B.

/** A byte string, which is a view of the bytes that it was read from, or a list. */
export type Item = Uint8Array | Item[]

const STRING = 0x80
const LIST = 0xc0
/** The longest payload whose length is told by the first byte. */
const SHORT = 55

/** How many bytes tell the length, after the first. */
function lengthBytes(first: number): number {
  const told = first - (first < LIST ? STRING : LIST) - SHORT
  return told > 0 ? told : 0
}

/** Where the payload of the item at a place begins. */
export function payloadStart(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number
  return first < STRING ? at : at + 1 + lengthBytes(first)
}

/** Where the item at a place ends; beyond the bytes where they are cut off. */
export function itemEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number
  if (first < STRING) return at + 1
  const size = lengthBytes(first)
  if (size === 0) return at + 1 + first - (first < LIST ? STRING : LIST)
  let length = 0
  for (let i = at + 1; i <= at + size; i++) length = length * 256 + (bytes[i] ?? 0)
  return at + 1 + size + length
}

/** Whether the first bytes of an item are as short as can be. */
function isCanonical(bytes: Uint8Array, at: number, start: number, end: number): boolean {
  if (start > at + 1) return bytes[at + 1] !== 0 && end - start > SHORT
  return bytes[at] !== STRING + 1 || (bytes[start] as number) >= STRING
}

/** The item that takes all of a part of some bytes; `undefined` where there is none. */
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
