// The hex of addresses as @ethereumjs holds them. The same few objects go from message to message.

import type { Address as EvmAddress } from '@ethereumjs/util'
import { type Address, bytesToHex } from '../primitives/hex.ts'

const names = new WeakMap<EvmAddress, Address>()

export function nameOf(address: EvmAddress): Address {
  let name = names.get(address)
  if (name === undefined) {
    name = bytesToHex(address.bytes)
    names.set(address, name)
  }
  return name
}

/** Saves making the hex of an address that is known. */
export function giveName(address: EvmAddress, name: Address): void {
  names.set(address, name)
}
