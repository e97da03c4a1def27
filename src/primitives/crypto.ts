// keccak-256 and secp256k1 from WebAssembly: the two primitives that dominate a plain JavaScript emulator.
// docs/decisions/0002-crypto.md has the candidates and their speeds.

import { instantiateSecp256k1 } from '@bitauth/libauth/build/lib/crypto/secp256k1.js'
import { createKeccak, createSHA256 } from 'hash-wasm'
import { type Address, bytesToHex, concatBytes, type Hash } from './hex.ts'

type Hasher = Awaited<ReturnType<typeof createKeccak>>
type Secp256k1 = Awaited<ReturnType<typeof instantiateSecp256k1>>

interface Crypto {
  readonly keccak: Hasher
  readonly sha256: Hasher
  readonly secp256k1: Secp256k1
}

let crypto: Crypto | undefined
let loading: Promise<void> | undefined

/** Instantiates the WebAssembly modules, once; they are inlined in their packages, so nothing is fetched. */
export function loadCrypto(): Promise<void> {
  loading ??= (async () => {
    const [keccak, sha256, secp256k1] = await Promise.all([
      createKeccak(256),
      createSHA256(),
      instantiateSecp256k1(),
    ])
    crypto = { keccak, sha256, secp256k1 }
  })()
  return loading
}

function loaded(): Crypto {
  if (crypto === undefined) throw new Error('loadCrypto() has not resolved yet')
  return crypto
}

export function keccak256(message: Uint8Array): Uint8Array {
  return loaded().keccak.init().update(message).digest('binary')
}

export function keccak256Hex(message: Uint8Array): Hash {
  return bytesToHex(keccak256(message))
}

export function sha256(message: Uint8Array): Uint8Array {
  return loaded().sha256.init().update(message).digest('binary')
}

export interface Signature {
  readonly r: Uint8Array
  readonly s: Uint8Array
  readonly yParity: 0 | 1
}

/** Deterministic (RFC 6979), low-s ECDSA over a 32-byte digest. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): Signature {
  const signed = loaded().secp256k1.signMessageHashRecoverableCompact(privateKey, digest)
  if (typeof signed === 'string') throw new TypeError(signed)
  const { signature, recoveryId } = signed
  return { r: signature.slice(0, 32), s: signature.slice(32, 64), yParity: (recoveryId & 1) as 0 | 1 }
}

/** The 64-byte public key that made a signature, or `undefined` where there is none. */
export function recoverPublicKey(
  digest: Uint8Array,
  r: Uint8Array,
  s: Uint8Array,
  yParity: number,
): Uint8Array | undefined {
  const recovered = loaded().secp256k1.recoverPublicKeyUncompressed(
    concatBytes(r, s),
    yParity as 0 | 1 | 2 | 3,
    digest,
  )
  return typeof recovered === 'string' ? undefined : recovered.slice(1)
}

/** The 64-byte public key of a private key, or `undefined` where the key is zero or beyond the curve's order. */
export function publicKeyOf(privateKey: Uint8Array): Uint8Array | undefined {
  const publicKey = loaded().secp256k1.derivePublicKeyUncompressed(privateKey)
  return typeof publicKey === 'string' ? undefined : publicKey.slice(1)
}

export function addressOfPublicKey(publicKey: Uint8Array): Address {
  return bytesToHex(keccak256(publicKey).subarray(12))
}
