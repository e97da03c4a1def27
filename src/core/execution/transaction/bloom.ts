// 2048-bit log bloom filters of transactions and blocks (yellow paper, 4.3.1).

import { keccak256 } from '../../primitives/crypto.ts'
import { bytesToHex, type Hex, hexToBytes } from '../../primitives/hex.ts'
import { memoizeMany } from '../../primitives/memoize-last.ts'

export const BLOOM_BYTES = 256

/** The filter of no logs. */
export const EMPTY_BLOOM: Uint8Array = new Uint8Array(BLOOM_BYTES)

const EMPTY_BLOOM_HEX: Hex = `0x${'00'.repeat(BLOOM_BYTES)}`

/** A filter as hex. The hex of the empty filter, the usual one, is a constant. */
export function bloomToHex(bloom: Uint8Array): Hex {
  return bloom === EMPTY_BLOOM ? EMPTY_BLOOM_HEX : bytesToHex(bloom)
}

/** The three bits of an address or a topic, to look for in many filters. */
export type BloomBits = readonly [number, number, number]

/** The bits of a value that is only searched for, so not memoized: a search does not displace what is logged. */
export function bitsToFind(value: Hex): BloomBits {
  const hash = keccak256(hexToBytes(value))
  const bitAt = (pair: number): number => (((hash[pair] as number) << 8) | (hash[pair + 1] as number)) & 2047
  return [bitAt(0), bitAt(2), bitAt(4)]
}

/** Memoized, because the same few values are logged again and again. */
const bloomBits = memoizeMany(10_000, bitsToFind)

function addValue(bloom: Uint8Array, value: Hex): void {
  const bits = bloomBits(value)
  for (let i = 0; i < 3; i++) {
    const bit = bits[i] as number
    const position = BLOOM_BYTES - 1 - (bit >> 3)
    bloom[position] = (bloom[position] as number) | (1 << (bit & 7))
  }
}

/** The filter of the addresses and topics of logs. */
export function bloomOf(
  logs: readonly { readonly address: Hex; readonly topics: readonly Hex[] }[],
): Uint8Array {
  if (logs.length === 0) return EMPTY_BLOOM
  const bloom = new Uint8Array(BLOOM_BYTES)
  let last: Hex | undefined
  for (const { address, topics } of logs) {
    if (address !== last) addValue(bloom, address)
    last = address
    for (const topic of topics) addValue(bloom, topic)
  }
  return bloom
}

/** The union of filters. */
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

/** False if there is certainly no log with the address or topic of these bits. */
export function mayContain(bloom: Uint8Array, bits: BloomBits): boolean {
  for (let i = 0; i < bits.length; i++) {
    const bit = bits[i] as number
    const byte = bloom[BLOOM_BYTES - 1 - (bit >> 3)] as number
    if ((byte & (1 << (bit & 7))) === 0) return false
  }
  return true
}
