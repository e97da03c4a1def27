// 2048-bit bloom filters of logs (yellow paper, 4.3.1).

import { keccak256 } from '../../primitives/crypto.ts'
import { bytesToHex, type Hex, hexToBytes } from '../../primitives/hex.ts'

export const BLOOM_BYTES = 256

/** The filter without logs. One object, so that callers can compare by reference. */
export const EMPTY_BLOOM: Uint8Array = new Uint8Array(BLOOM_BYTES)

const EMPTY_BLOOM_HEX = bytesToHex(EMPTY_BLOOM)

/** A filter as hex; the common empty one is precomputed. */
export function bloomToHex(bloom: Uint8Array): Hex {
  return bloom === EMPTY_BLOOM ? EMPTY_BLOOM_HEX : bytesToHex(bloom)
}

const MAX_CACHED = 10_000
const bitsByValue = new Map<Hex, readonly [number, number, number]>()

/** The three bit indexes of an address or a topic; cached, because the same few are logged often. */
export function bloomBits(value: Hex): readonly [number, number, number] {
  let bits = bitsByValue.get(value)
  if (bits === undefined) {
    const hash = keccak256(hexToBytes(value))
    const bitAt = (pair: number): number =>
      (((hash[pair] as number) << 8) | (hash[pair + 1] as number)) & 2047
    bits = [bitAt(0), bitAt(2), bitAt(4)]
    if (bitsByValue.size >= MAX_CACHED) bitsByValue.clear()
    bitsByValue.set(value, bits)
  }
  return bits
}

function addValue(bloom: Uint8Array, value: Hex): void {
  const bits = bloomBits(value)
  for (let i = 0; i < 3; i++) {
    const bit = bits[i] as number
    const position = BLOOM_BYTES - 1 - (bit >> 3)
    bloom[position] = (bloom[position] as number) | (1 << (bit & 7))
  }
}

/** The filter of logs: their addresses and topics. */
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
