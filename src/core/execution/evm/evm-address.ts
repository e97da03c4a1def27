// Addresses in the form that the EVM expects.

import { EvmAddress } from '../../interpreter/evm-address.ts'
import { type Address, hexToBytes } from '../../primitives/hex.ts'

const MAX_CACHED = 1024

const kept = new Map<Address, EvmAddress>()

/** Cached, because most calls use the same few addresses. */
export function toEvmAddress(address: Address): EvmAddress {
  let made = kept.get(address)
  if (made === undefined) {
    if (kept.size === MAX_CACHED) kept.clear()
    made = new EvmAddress(hexToBytes(address), address)
    kept.set(address, made)
  }
  return made
}
