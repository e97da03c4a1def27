// CRC-32 (IEEE 802.3), for gzip and fork identifiers.

/** The polynomial, reflected. */
const POLYNOMIAL = 0xedb88320

let remainders: Uint32Array | undefined

function remaindersOfBytes(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let remainder = byte
    for (let bit = 0; bit < 8; bit++)
      remainder = (remainder & 1) === 1 ? POLYNOMIAL ^ (remainder >>> 1) : remainder >>> 1
    return remainder
  })
}

/** The checksum of bytes, or of bytes appended to those of an earlier checksum. */
export function crc32(bytes: Uint8Array, earlier = 0): number {
  remainders ??= remaindersOfBytes()
  let rest = ~earlier
  for (let i = 0; i < bytes.length; i++)
    rest = (remainders[(rest ^ (bytes[i] as number)) & 0xff] as number) ^ (rest >>> 8)
  return ~rest >>> 0
}
