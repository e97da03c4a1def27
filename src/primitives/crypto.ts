// keccak-256 and secp256k1 from WebAssembly: the primitives that dominate a plain JavaScript emulator.
// docs/decisions/0002-crypto.md has the candidates and their speeds, 0017-own-crypto.md says which are our own.

import { instantiateCrypto } from './crypto-module.ts'
import { type Address, bytesToHex, type Hash } from './hex.ts'
import { keccak256, startKeccak } from './keccak.ts'
import { startRecovery } from './recover.ts'

export { sha256 } from '@noble/hashes/sha2.js'
export { keccak256 } from './keccak.ts'
export { isSignedWith, recoverPublicKey } from './recover.ts'

let loading: Promise<void> | undefined

/**
 * Instantiates the WebAssembly modules, once; they are inlined in their packages, so nothing is fetched. Signing takes
 * `loadSigner` as well.
 */
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
