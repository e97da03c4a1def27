// The length of data that FastLZ (level 1) has compressed, as Solady's LibZip does: the measure of a transaction's size
// since fjord. Only the length is computed.

const HASH_BITS = 13
const HASH_FACTOR = 2_654_435_769
/** The farthest back that a match may be. */
const MAX_DISTANCE = 8191
/** Bytes of a run of literals with one byte of prefix. */
const RUN_BYTES = 32
const LONGEST_MATCH = 262
/** Matches of fewer bytes take one byte of output less. */
const LONG_MATCH = 7
/** No match begins in the last bytes, nor compares the last few. */
const TAIL_BYTES = 14
const UNCOMPARED_BYTES = 4

/** Positions by the hash of three bytes, reused by every call. */
const positions = new Int32Array(1 << HASH_BITS)

function threeBytes(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16)
}

function hashOf(three: number): number {
  return Math.imul(HASH_FACTOR, three) >>> (32 - HASH_BITS)
}

function literalsLength(count: number): number {
  const rest = count % RUN_BYTES
  return Math.floor(count / RUN_BYTES) * (RUN_BYTES + 1) + (rest === 0 ? 0 : rest + 1)
}

/** `span` is one more than the number of compared bytes that are equal, or all of them. */
function matchLength(span: number): number {
  const rest = (span - 1) % LONGEST_MATCH
  return Math.floor((span - 1) / LONGEST_MATCH) * 3 + (rest >= LONG_MATCH - 1 ? 3 : 2)
}

/** Compares from three bytes after both positions on; counts the first difference too, as LibZip does. */
function spanOf(bytes: Uint8Array, earlier: number, at: number): number {
  const most = bytes.length - UNCOMPARED_BYTES - (at + 3)
  for (let span = 0; span < most; span++) {
    if (bytes[earlier + 3 + span] !== bytes[at + 3 + span]) return span + 1
  }
  return most
}

/** The compressed length of data, in bytes. */
export function fastLzLength(bytes: Uint8Array): number {
  positions.fill(0)
  const limit = bytes.length - TAIL_BYTES
  let length = 0
  let literals = 0
  for (let at = 2; at < limit; ) {
    const three = threeBytes(bytes, at)
    const hash = hashOf(three)
    const earlier = positions[hash] as number
    positions[hash] = at
    if (at - earlier > MAX_DISTANCE || threeBytes(bytes, earlier) !== three) {
      at++
      continue
    }
    const span = spanOf(bytes, earlier, at)
    length += literalsLength(at - literals) + matchLength(span)
    at += span
    positions[hashOf(threeBytes(bytes, at))] = at
    positions[hashOf(threeBytes(bytes, at + 1))] = at + 1
    at += 2
    literals = at
  }
  return length + literalsLength(bytes.length - literals)
}
