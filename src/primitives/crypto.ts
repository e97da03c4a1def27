// keccak-256, SHA-256 and secp256k1 from WebAssembly: the primitives that dominate a plain JavaScript emulator.
// docs/decisions/0002-crypto.md has the candidates and their speeds, 0017-own-crypto.md says which are our own.
/// <reference path="./hash-wasm.d.ts" />

import { createSHA256 } from 'hash-wasm/dist/index.esm.js'
import { instantiateCrypto } from './crypto-module.ts'
import { type Address, bytesToHex, type Hash } from './hex.ts'
import { keccak256, startKeccak } from './keccak.ts'
import { startRecovery } from './recover.ts'

export { keccak256 } from './keccak.ts'
export { isSignedWith, recoverPublicKey } from './recover.ts'

type Hasher = Awaited<ReturnType<typeof createSHA256>>

let sha256Hasher: Hasher | undefined
let loading: Promise<void> | undefined

/**
 * Instantiates the WebAssembly modules, once; they are inlined in their packages, so nothing is fetched. Signing takes
 * `loadSigner` as well.
 */
export function loadCrypto(): Promise<void> {
  loading ??= (async () => {
    const [own, sha256] = await Promise.all([instantiateCrypto(), createSHA256()])
    startKeccak(own)
    startRecovery(own)
    sha256Hasher = sha256
  })()
  return loading
}

export function keccak256Hex(message: Uint8Array): Hash {
  return bytesToHex(keccak256(message))
}

export function sha256(message: Uint8Array): Uint8Array {
  if (sha256Hasher === undefined) throw new Error('loadCrypto() has not resolved yet')
  return sha256Hasher.init().update(message).digest('binary')
}

export function addressOfPublicKey(publicKey: Uint8Array): Address {
  return bytesToHex(keccak256(publicKey).subarray(12))
}
