// ECDSA signatures and public keys on secp256k1. Not constant-time: the keys are those of test accounts.

import { type Curve, invertScalar, isScalar, readWord, started, writeMultiplier, writeWord } from './curve.ts'
import { bytesToBigInt } from './hex.ts'
import { CURVE_ORDER } from './numbers.ts'

const WORD_BYTES = 32
const WORD_BITS = 256n

export interface Signature {
  readonly r: Uint8Array
  readonly s: Uint8Array
  readonly yParity: 0 | 1
}

function toWord({ words, bytes }: Curve, value: bigint): Uint8Array {
  writeWord(words, value)
  return bytes.slice(0, WORD_BYTES)
}

/** The candidates for the secret number of a signature, by RFC 6979 with HMAC-SHA-256. */
function* secretsOf(
  { exports, words, bytes }: Curve,
  privateKey: Uint8Array,
  message: bigint,
): Generator<bigint> {
  writeWord(words, message)
  bytes.copyWithin(WORD_BYTES, 0, WORD_BYTES)
  bytes.set(privateKey)
  exports.firstSecret()
  while (true) {
    yield readWord(words)
    exports.nextSecret()
  }
}

const MOST_KEPT = 1024

/** Signatures by key and digest. After a revert a suite signs many transactions again: a third of them, in recorded ones. */
const kept = new Map<bigint, Signature>()

/** Deterministic (RFC 6979), low-s ECDSA over a 32-byte digest. Callers must not change the signature. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): Signature {
  const key = bytesToBigInt(privateKey)
  if (!isScalar(key)) throw new TypeError('The private key is zero or beyond the order of the curve.')
  const message = bytesToBigInt(digest) % CURVE_ORDER
  const name = (key << WORD_BITS) | message
  let signature = kept.get(name)
  if (signature === undefined) {
    signature = sign(message, key, privateKey)
    if (kept.size === MOST_KEPT) kept.clear()
    kept.set(name, signature)
  }
  return signature
}

function sign(message: bigint, key: bigint, privateKey: Uint8Array): Signature {
  const own = started()
  for (const secret of secretsOf(own, privateKey, message)) {
    if (!isScalar(secret)) continue
    writeMultiplier(own, secret)
    own.exports.multiple()
    const r = readWord(own.words) % CURVE_ORDER
    const isOdd = ((own.bytes[2 * WORD_BYTES - 1] as number) & 1) === 1
    const s = ((message + r * key) * invertScalar(own, secret)) % CURVE_ORDER
    if (r === 0n || s === 0n) continue
    const isHigh = s > CURVE_ORDER >> 1n
    return {
      r: toWord(own, r),
      s: toWord(own, isHigh ? CURVE_ORDER - s : s),
      yParity: isOdd === isHigh ? 0 : 1,
    }
  }
  throw new Error('unreachable: there is always another candidate')
}

/** The 64-byte public key of a private key; `undefined` if the key is zero or not below the curve's order. */
export function publicKeyOf(privateKey: Uint8Array): Uint8Array | undefined {
  const own = started()
  const key = bytesToBigInt(privateKey)
  if (!isScalar(key)) return undefined
  writeMultiplier(own, key)
  own.exports.multiple()
  return own.bytes.slice()
}
