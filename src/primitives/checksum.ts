// Addresses as people read them: with a checksum in the case of their letters (EIP-55).

import { keccak256Hex } from './crypto.ts'
import { type Address, type Hex, utf8ToBytes } from './hex.ts'

/** A letter is upper case where the digit of the hash at its place is 8 or more. */
export function toChecksumAddress(address: Address): Hex {
  const digits = address.slice(2)
  const hash = keccak256Hex(utf8ToBytes(digits)).slice(2)
  const cased = [...digits].map((digit, index) =>
    (hash[index] as string) >= '8' ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}
