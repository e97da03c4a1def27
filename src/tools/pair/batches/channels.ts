// Channels: batches, compressed together (OP specs, Derivation, "Channel Format"). Compression is zlib; brotli, which
// fjord adds, is not supported.

import { Unzlib, zlibSync } from 'fflate/browser'
import { concatBytes, EMPTY_BYTES, equalBytes } from '../../../core/primitives/hex.ts'
import { type Batch, decodeBatches, encodeBatch } from './batch.ts'

/** Compression method 8 in the first byte of zlib; op-node also takes 15. */
const ZLIB_METHODS = [8, 15]

interface KnownChannel {
  readonly bytes: Uint8Array
  readonly batches: readonly Batch[]
  /** Length of all batches before compression. */
  readonly length: number
}

/** The channels that were encoded last: a pair derives its blocks from the bytes that its own batcher has posted. */
const known: KnownChannel[] = []
const MOST_KNOWN = 4

export function encodeChannel(batches: readonly Batch[]): Uint8Array {
  const content = concatBytes(...batches.map(encodeBatch))
  const bytes = zlibSync(content, { level: 6 })
  if (known.length === MOST_KNOWN) known.shift()
  known.push({ bytes, batches, length: content.length })
  return bytes
}

/** Bytes that are decompressed at once: of a damaged stream, the pieces before the damage count. */
const PUSHED_BYTES = 4096

/** Decompresses a stream, up to `mostBytes`, also of a damaged stream. */
function decompress(bytes: Uint8Array, mostBytes: number): Uint8Array {
  const chunks: Uint8Array[] = []
  let length = 0
  const stream = new Unzlib((chunk) => {
    const room = mostBytes - length
    if (room <= 0) return
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk
    chunks.push(part)
    length += part.length
  })
  try {
    for (let start = 0; start < bytes.length && length < mostBytes; start += PUSHED_BYTES) {
      const end = start + PUSHED_BYTES
      stream.push(bytes.subarray(start, end), end >= bytes.length)
    }
  } catch {
    // fflate says only that the stream is damaged; what came before has been collected.
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : concatBytes(...chunks)
}

/** The batches of a channel that is complete; those before the first that cannot be read. */
export function decodeChannel(bytes: Uint8Array, mostBytes: number): readonly Batch[] {
  const same = known.find((channel) => channel.length <= mostBytes && equalBytes(channel.bytes, bytes))
  if (same !== undefined) return same.batches
  const isZlib = ZLIB_METHODS.includes((bytes[0] ?? 0) & 0x0f)
  return decodeBatches(isZlib ? decompress(bytes, mostBytes) : EMPTY_BYTES)
}
