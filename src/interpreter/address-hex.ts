// Hex of @ethereumjs addresses, cached by object: messages pass the same few objects on.

import { type Address, bytesToHex } from '../primitives/hex.ts'
import type { EvmAddress } from './evm-address.ts'

const hexes = new WeakMap<EvmAddress, Address>()

export function hexOf(address: EvmAddress): Address {
  let hex = hexes.get(address)
  if (hex === undefined) {
    hex = bytesToHex(address.bytes)
    hexes.set(address, hex)
  }
  return hex
}

/** For an address whose hex is already known. */
export function rememberHex(address: EvmAddress, hex: Address): void {
  hexes.set(address, hex)
}
