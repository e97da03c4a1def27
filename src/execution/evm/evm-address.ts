// Addresses in the form that @ethereumjs expects. Plain objects: importing its class would load the whole library,
// which must wait for the first EVM instance.

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

const MAX_CACHED = 1024

const kept = new Map<Address, EvmAddress>()

/** Cached, because most calls use the same few addresses. */
export function toEvmAddress(address: Address): EvmAddress {
  let made = kept.get(address)
  if (made === undefined) {
    if (kept.size === MAX_CACHED) kept.clear()
    made = makeEvmAddress(address)
    kept.set(address, made)
  }
  return made
}
