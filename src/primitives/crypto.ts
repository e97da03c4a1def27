// keccak-256, sha-256 and secp256k1. The first and the last are WebAssembly, because they would dominate run time in
// JavaScript: docs/decisions/0002-crypto.md, 0017-own-crypto.md.

import { instantiateCrypto } from './crypto-module.ts'
import { type Address, bytesToHex, type Hash, type Hex, utf8ToBytes } from './hex.ts'
import { keccak256, startKeccak } from './keccak.ts'
import { startRecovery } from './recover.ts'

export { sha256 } from '@noble/hashes/sha2.js'
export { keccak256 } from './keccak.ts'
export { isSignedWith, recoverPublicKey } from './recover.ts'

let loading: Promise<void> | undefined

/** Instantiates the WebAssembly module once, from inlined bytes. Signing needs `loadSigner`. */
export function loadCrypto(): Promise<void> {
  loading ??= (async () => {
    const own = await instantiateCrypto()
    startKeccak(own)
    startRecovery(own)
  })()
  return loading
}

export function keccak256Hex(message: Uint8Array): Hash {
  return bytesToHex(keccak256(message))
}

export function addressOfPublicKey(publicKey: Uint8Array): Address {
  return bytesToHex(keccak256(publicKey).subarray(12))
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
