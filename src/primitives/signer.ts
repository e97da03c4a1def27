// secp256k1 signatures, by libsecp256k1 in WebAssembly. Loaded when somebody is about to sign: many a chain only takes
// what others have signed, or never gets so far.

import type { Secp256k1Wasm } from '@bitauth/libauth/build/lib/bin/secp256k1/secp256k1-wasm-types.js'
import { load } from './loading.ts'

const KEY_BYTES = 32
const DIGEST_BYTES = 32
const COMPACT_BYTES = 64
const POINT_BYTES = 64
/** A point as it is written: 0x04, x and y. */
const UNCOMPRESSED_BYTES = 65
const RECOVERABLE_BYTES = 65
const RECOVERY_ID_BYTES = 4

/** The library with a context that signs, and where in its memory it is given things and leaves them. */
interface Signer {
  readonly wasm: Secp256k1Wasm
  readonly context: number
  readonly uncompressed: number
  readonly key: number
  readonly digest: number
  readonly recoverable: number
  readonly compact: number
  readonly recoveryId: number
  readonly point: number
  readonly written: number
  /** How long what is written may be, and is. */
  readonly size: number
}

let signer: Signer | undefined
let loading: Promise<void> | undefined

/**
 * What libauth itself wraps the library in makes a context that verifies as well, whose tables take longer than all
 * else here, and imports half as many modules again.
 */
async function startSigner(): Promise<Signer> {
  const { CompressionFlag, ContextFlag, instantiateSecp256k1Wasm } = await import(
    '@bitauth/libauth/build/lib/bin/secp256k1/secp256k1-wasm.js'
  )
  const wasm = await instantiateSecp256k1Wasm()
  return {
    wasm,
    context: wasm.contextCreate(ContextFlag.SIGN),
    uncompressed: CompressionFlag.UNCOMPRESSED,
    key: wasm.malloc(KEY_BYTES),
    digest: wasm.malloc(DIGEST_BYTES),
    recoverable: wasm.malloc(RECOVERABLE_BYTES),
    compact: wasm.malloc(COMPACT_BYTES),
    recoveryId: wasm.malloc(RECOVERY_ID_BYTES),
    point: wasm.malloc(POINT_BYTES),
    written: wasm.malloc(UNCOMPRESSED_BYTES),
    size: wasm.mallocSizeT(UNCOMPRESSED_BYTES),
  }
}

/** Instantiates the WebAssembly module, once; it is inlined in its package, so nothing is fetched. */
export function loadSigner(): Promise<void> {
  loading ??= load(
    startSigner().then((started) => {
      signer = started
    }),
  )
  return loading
}

function loaded(): Signer {
  if (signer === undefined) throw new Error('loadSigner() has not resolved yet')
  return signer
}

/** Lends the library a key, which does not stay in its memory. */
function withKey(
  { wasm, key }: Signer,
  privateKey: Uint8Array,
  use: (key: number) => number,
): 'done' | 'invalidKey' {
  wasm.heapU8.set(privateKey, key)
  const result = use(key)
  wasm.heapU8.fill(0, key, key + KEY_BYTES)
  return result === 1 ? 'done' : 'invalidKey'
}

export interface Signature {
  readonly r: Uint8Array
  readonly s: Uint8Array
  readonly yParity: 0 | 1
}

/** Deterministic (RFC 6979), low-s ECDSA over a 32-byte digest. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): Signature {
  const own = loaded()
  const { wasm, context, recoverable, compact, recoveryId } = own
  wasm.heapU8.set(digest, own.digest)
  const outcome = withKey(own, privateKey, (key) =>
    wasm.signRecoverable(context, recoverable, own.digest, key),
  )
  if (outcome === 'invalidKey')
    throw new TypeError('The private key is zero or beyond the order of the curve.')
  wasm.recoverableSignatureSerialize(context, compact, recoveryId, recoverable)
  const yParity = ((wasm.heapU8[recoveryId] as number) & 1) as 0 | 1
  const middle = compact + COMPACT_BYTES / 2
  return {
    r: wasm.heapU8.slice(compact, middle),
    s: wasm.heapU8.slice(middle, compact + COMPACT_BYTES),
    yParity,
  }
}

/** The 64-byte public key of a private key, or `undefined` where the key is zero or beyond the curve's order. */
export function publicKeyOf(privateKey: Uint8Array): Uint8Array | undefined {
  const own = loaded()
  const { wasm, context, point, written } = own
  const outcome = withKey(own, privateKey, (key) => wasm.pubkeyCreate(context, point, key))
  if (outcome === 'invalidKey') return undefined
  wasm.pubkeySerialize(context, written, own.size, point, own.uncompressed)
  return wasm.heapU8.slice(written + 1, written + UNCOMPRESSED_BYTES)
}
