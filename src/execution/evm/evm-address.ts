// An address in the shape that @ethereumjs asks for. Its own class is not used, because importing it brings in the
// whole library, which is loaded with the first EVM instance.

import type { Address as EvmAddress } from '@ethereumjs/util'
import { type Address, equalBytes, hexToBytes } from '../../primitives/hex.ts'

function makeEvmAddress(address: Address): EvmAddress {
  const bytes = hexToBytes(address)
  return {
    bytes,
    equals: (other) => equalBytes(bytes, other.bytes),
    isZero: () => BigInt(address) === 0n,
    isPrecompileOrSystemAddress: () => BigInt(address) <= 0xffffn,
    toString: () => address,
    toBytes: () => bytes.slice(),
  }
}

const MOST_KEPT = 1024

const kept = new Map<Address, EvmAddress>()

/** The same few addresses come again and again. */
export function toEvmAddress(address: Address): EvmAddress {
  let made = kept.get(address)
  if (made === undefined) {
    if (kept.size === MOST_KEPT) kept.clear()
    made = makeEvmAddress(address)
    kept.set(address, made)
  }
  return made
}
