// Deterministic gzip (RFC 1952): a pinned implementation without a time stamp; docs/decisions/0011-state-dump.md.

import { Gzip, gunzipSync, strFromU8, strToU8 } from 'fflate/browser'
import { crc32 } from './crc32.ts'
import { concatBytes } from './hex.ts'

function uint32At(bytes: Uint8Array, offset: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset + offset, 4).getUint32(0, true)
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** Characters that are compressed at once: for each push, fflate allocates buffers and starts a new block. */
const PUSHED_LENGTH = 65_536

/** Compresses a text that comes in parts, so that it is never in memory as a whole. */
export function gzipText(parts: Iterable<string>): Uint8Array {
  const compressed: Uint8Array[] = []
  const stream = new Gzip({ level: 2, mtime: 0 }, (chunk) => compressed.push(chunk))
  let text = ''
  for (const part of parts) {
    text += part
    if (text.length < PUSHED_LENGTH) continue
    stream.push(strToU8(text))
    text = ''
  }
  stream.push(strToU8(text), true)
  return concatBytes(...compressed)
}

export function utf8ToText(bytes: Uint8Array): string {
  return strFromU8(bytes)
}

/** The decompressed bytes; `undefined` if the input is not gzip, is damaged, or exceeds `maxBytes`. */
export function gunzip(bytes: Uint8Array, maxBytes: number): Uint8Array | undefined {
  if (!isGzip(bytes) || bytes.length < 18) return undefined
  // The trailer: CRC-32 and length of the decompressed data.
  const length = uint32At(bytes, bytes.length - 4)
  if (length > maxBytes) return undefined
  let unpacked: Uint8Array
  try {
    unpacked = gunzipSync(bytes, { out: new Uint8Array(length) })
  } catch {
    return undefined
  }
  const isWhole = unpacked.length === length && crc32(unpacked) === uint32At(bytes, bytes.length - 8)
  return isWhole ? unpacked : undefined
}
