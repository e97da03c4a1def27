// The 2048-bit log filter of the yellow paper (4.3.1). @ethereumjs sets the bits of a receipt; here they are
// joined for a block and asked.

import { keccak256 } from '../primitives/crypto.ts'
import { type Hex, hexToBytes } from '../primitives/hex.ts'

export const BLOOM_BYTES = 256

/** That of a block without logs. */
export const EMPTY_BLOOM: Uint8Array = new Uint8Array(BLOOM_BYTES)

export function joinBlooms(blooms: readonly Uint8Array[]): Uint8Array {
  if (blooms.length === 0) return EMPTY_BLOOM
  const joined = new Uint8Array(BLOOM_BYTES)
  for (const bloom of blooms) {
    for (let i = 0; i < BLOOM_BYTES; i++) joined[i] = (joined[i] as number) | (bloom[i] as number)
  }
  return joined
}

/** False only if no log with this address or topic is in the block. */
export function mayContain(bloom: Uint8Array, value: Hex): boolean {
  const hash = keccak256(hexToBytes(value))
  for (let pair = 0; pair < 6; pair += 2) {
    const bit = (((hash[pair] as number) << 8) | (hash[pair + 1] as number)) & 2047
    const byte = bloom[BLOOM_BYTES - 1 - (bit >> 3)] as number
    if ((byte & (1 << (bit & 7))) === 0) return false
  }
  return true
}
