// The log filters of blocks: those of their receipts joined, and asked what is in them.

import { BLOOM_BYTES, bloomBits, EMPTY_BLOOM } from '../../execution/transaction/bloom.ts'
import type { Hex } from '../../primitives/hex.ts'

export { BLOOM_BYTES, EMPTY_BLOOM } from '../../execution/transaction/bloom.ts'

export function joinBlooms(all: readonly Uint8Array[]): Uint8Array {
  const blooms = all.filter((bloom) => bloom !== EMPTY_BLOOM)
  const [only] = blooms
  if (only === undefined) return EMPTY_BLOOM
  if (blooms.length === 1) return only
  const joined = new Uint8Array(BLOOM_BYTES)
  for (const bloom of blooms) {
    for (let i = 0; i < BLOOM_BYTES; i++) joined[i] = (joined[i] as number) | (bloom[i] as number)
  }
  return joined
}

/** False only if no log with this address or topic is in the block. */
export function mayContain(bloom: Uint8Array, value: Hex): boolean {
  return bloomBits(value).every((bit) => {
    const byte = bloom[BLOOM_BYTES - 1 - (bit >> 3)] as number
    return (byte & (1 << (bit & 7))) !== 0
  })
}
