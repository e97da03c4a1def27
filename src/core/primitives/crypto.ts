// keccak-256, SHA-256 and secp256k1 in WebAssembly, because they would dominate run time in JavaScript:
// docs/decisions/0017-own-crypto.md.

import { loadedCrypto } from './crypto-module.ts'
import { type Address, bytesToHex, type Hash } from './hex.ts'
import { keccak256, keccakView } from './keccak.ts'

export { loadCrypto } from './crypto-module.ts'
export { isSignedWith, recoverPublicKey } from './curve.ts'
export { keccak256 } from './keccak.ts'

export function keccak256Hex(message: Uint8Array): Hash {
  return bytesToHex(keccakView(message))
}

export function addressOfPublicKey(publicKey: Uint8Array): Address {
  return bytesToHex(keccak256(publicKey).subarray(12))
}

const HASH_BYTES = 32
const BLOCK_BYTES = 64

export function sha256(message: Uint8Array): Uint8Array {
  const { start, input, beginSha256, absorbSha256, finishSha256 } = loadedCrypto()
  beginSha256()
  let done = 0
  for (; message.length - done > input.length; done += input.length) {
    input.set(message.subarray(done, done + input.length))
    absorbSha256(start, input.length / BLOCK_BYTES)
  }
  input.set(message.subarray(done))
  finishSha256(start, message.length - done, message.length)
  return input.slice(0, HASH_BYTES)
}
