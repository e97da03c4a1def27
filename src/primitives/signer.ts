// secp256k1 signing by libsecp256k1 in WebAssembly. Loads with the first signature, because many chains only receive
// transactions that clients have signed.

import type { Secp256k1Wasm } from '@bitauth/libauth/build/lib/bin/secp256k1/secp256k1-wasm-types.js'
import { load } from './loading.ts'

const KEY_BYTES = 32
const DIGEST_BYTES = 32
const COMPACT_BYTES = 64
const POINT_BYTES = 64
/** A serialized point: 0x04, x and y. */
const UNCOMPRESSED_BYTES = 65
const RECOVERABLE_BYTES = 65
const RECOVERY_ID_BYTES = 4

/** The library with a signing context, and the addresses of its input and output buffers. */
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
  /** In: the size of `written`; out: the bytes that are written. */
  readonly size: number
}

let signer: Signer | undefined
let loading: Promise<void> | undefined

/**
 * Uses libauth's binary without its wrapper, which also creates a verification context with slow tables, and imports
 * more modules.
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

/** Instantiates the WebAssembly module once. Its bytes are inlined in the package, so nothing is fetched. */
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

/** Copies a key into the library's memory for one call, and clears it afterwards. */
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

/** The 64-byte public key of a private key; `undefined` if the key is zero or not below the curve's order. */
export function publicKeyOf(privateKey: Uint8Array): Uint8Array | undefined {
  const own = loaded()
  const { wasm, context, point, written } = own
  const outcome = withKey(own, privateKey, (key) => wasm.pubkeyCreate(context, point, key))
  if (outcome === 'invalidKey') return undefined
  wasm.pubkeySerialize(context, written, own.size, point, own.uncompressed)
  return wasm.heapU8.slice(written + 1, written + UNCOMPRESSED_BYTES)
}
