// keccak-256, SHA-256 and secp256k1 in WebAssembly, because they would dominate run time in JavaScript:
// docs/decisions/0017-own-crypto.md.

import { type CryptoExports, instantiateCrypto } from './crypto-module.ts'
import { startCurve } from './curve.ts'
import { type Address, bytesToHex, type Hash } from './hex.ts'
import { keccak256, keccakView, startKeccak } from './keccak.ts'

export { isSignedWith, recoverPublicKey } from './curve.ts'
export { keccak256 } from './keccak.ts'

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

const HASH_BYTES = 32
const BLOCK_BYTES = 64

interface Sha256 extends Pick<CryptoExports, 'beginSha256' | 'absorbSha256' | 'finishSha256'> {
  /** Address of `input`. */
  readonly start: number
  readonly input: Uint8Array
}

let hasher: Sha256 | undefined

function startSha256(exports: CryptoExports): void {
  const { memory, INPUT, ROOM, beginSha256, absorbSha256, finishSha256 } = exports
  const input = new Uint8Array(memory.buffer, INPUT.value, ROOM.value)
  hasher = { beginSha256, absorbSha256, finishSha256, start: INPUT.value, input }
}

export function sha256(message: Uint8Array): Uint8Array {
  if (hasher === undefined) throw new Error('loadCrypto() has not resolved yet')
  const { start, input, beginSha256, absorbSha256, finishSha256 } = hasher
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
