// keccak-256, SHA-256 and secp256k1 in WebAssembly, because they would dominate run time in JavaScript:
// docs/decisions/0017-own-crypto.md.

import { instantiateCrypto } from './crypto-module.ts'
import { startCurve } from './curve.ts'
import { type Address, bytesToHex, type Hash } from './hex.ts'
import { keccak256, keccakView, startKeccak } from './keccak.ts'
import { startSha256 } from './sha256.ts'

export { keccak256 } from './keccak.ts'
export { isSignedWith, recoverPublicKey } from './recover.ts'
export { sha256 } from './sha256.ts'

let loading: Promise<void> | undefined

/** Instantiates the WebAssembly module once, from inlined bytes. */
export function loadCrypto(): Promise<void> {
  loading ??= (async () => {
    const own = await instantiateCrypto()
    startKeccak(own)
    startSha256(own)
    startCurve(own)
  })()
  return loading
}

export function keccak256Hex(message: Uint8Array): Hash {
  return bytesToHex(keccakView(message))
}

export function addressOfPublicKey(publicKey: Uint8Array): Address {
  return bytesToHex(keccak256(publicKey).subarray(12))
}
