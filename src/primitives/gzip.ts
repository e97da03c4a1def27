// gzip (RFC 1952) that gives the same bytes everywhere: one implementation of a fixed version, and no time stamp;
// docs/decisions/0011-state-dump.md.

import { gunzipSync, gzipSync, strFromU8, strToU8 } from 'fflate/browser'

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ 0xedb88320
  return crc
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] as number)
  return (crc ^ 0xffffffff) >>> 0
}

function uint32At(bytes: Uint8Array, offset: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset + offset, 4).getUint32(0, true)
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

export function gzipText(text: string): Uint8Array {
  return gzipSync(strToU8(text), { level: 6, mtime: 0 })
}

/** UTF-8 as text. */
export function textOf(bytes: Uint8Array): string {
  return strFromU8(bytes)
}

/** What was compressed, or `undefined` where it is no gzip, is damaged, or would be longer than `most` bytes. */
export function gunzip(bytes: Uint8Array, most: number): Uint8Array | undefined {
  if (!isGzip(bytes) || bytes.length < 18) return undefined
  // The trailer: a checksum and the length of what was compressed.
  const length = uint32At(bytes, bytes.length - 4)
  if (length > most) return undefined
  let unpacked: Uint8Array
  try {
    unpacked = gunzipSync(bytes)
  } catch {
    return undefined
  }
  const isWhole = unpacked.length === length && crc32(unpacked) === uint32At(bytes, bytes.length - 8)
  return isWhole ? unpacked : undefined
}
