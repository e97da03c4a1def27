// secp256k1 signatures, by libsecp256k1 in WebAssembly. Loaded when somebody is about to sign: many a chain only takes
// what others have signed, or never gets so far.

import type { instantiateSecp256k1 } from '@bitauth/libauth/build/lib/crypto/secp256k1.js'
import { load } from './loading.ts'

type Secp256k1 = Awaited<ReturnType<typeof instantiateSecp256k1>>

let secp256k1: Secp256k1 | undefined
let loading: Promise<void> | undefined

/** Instantiates the WebAssembly module, once; it is inlined in its package, so nothing is fetched. */
export function loadSigner(): Promise<void> {
  loading ??= load(
    (async () => {
      const { instantiateSecp256k1 } = await import('@bitauth/libauth/build/lib/crypto/secp256k1.js')
      secp256k1 = await instantiateSecp256k1()
    })(),
  )
  return loading
}

function loaded(): Secp256k1 {
  if (secp256k1 === undefined) throw new Error('loadSigner() has not resolved yet')
  return secp256k1
}

export interface Signature {
  readonly r: Uint8Array
  readonly s: Uint8Array
  readonly yParity: 0 | 1
}

/** Deterministic (RFC 6979), low-s ECDSA over a 32-byte digest. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): Signature {
  const signed = loaded().signMessageHashRecoverableCompact(privateKey, digest)
  if (typeof signed === 'string') throw new TypeError(signed)
  const { signature, recoveryId } = signed
  return { r: signature.slice(0, 32), s: signature.slice(32, 64), yParity: (recoveryId & 1) as 0 | 1 }
}

/** The 64-byte public key of a private key, or `undefined` where the key is zero or beyond the curve's order. */
export function publicKeyOf(privateKey: Uint8Array): Uint8Array | undefined {
  const publicKey = loaded().derivePublicKeyUncompressed(privateKey)
  return typeof publicKey === 'string' ? undefined : publicKey.slice(1)
}
