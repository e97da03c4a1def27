// Addresses of created contracts, and checksummed addresses.

import { keccak256, keccak256Hex } from './crypto.ts'
import { type Address, concatBytes, type Hex, utf8ToBytes } from './hex.ts'
import { encodedView } from './rlp.ts'

const HASH_BYTES = 32
const ADDRESS_BYTES = 20
const CREATE2_PREFIX = Uint8Array.of(0xff)

function addressIn(hash: Uint8Array): Uint8Array {
  return hash.subarray(HASH_BYTES - ADDRESS_BYTES)
}

/** The address for CREATE and creation transactions (yellow paper, 7); `nonce` is the creator's before the creation. */
export function createAddress(creator: Uint8Array, nonce: bigint): Uint8Array {
  return addressIn(keccak256(encodedView([creator, nonce])))
}

/** The address for CREATE2 (EIP-1014). */
export function create2Address(creator: Uint8Array, salt: Uint8Array, initCode: Uint8Array): Uint8Array {
  return addressIn(keccak256(concatBytes(CREATE2_PREFIX, creator, salt, keccak256(initCode))))
}

/** An address with its EIP-55 checksum: letters are upper case where the hash has a nibble of 8 or more. */
export function toChecksumAddress(address: Address): Hex {
  const digits = address.slice(2)
  const hash = keccak256Hex(utf8ToBytes(digits)).slice(2)
  const cased = [...digits].map((digit, index) =>
    (hash[index] as string) >= '8' ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}

/** The address in the low 20 bytes of a word. */
export function addressOfWord(word: bigint): Address {
  return `0x${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}`
}
