// ECDSA signatures and public keys on secp256k1. Not constant-time: the keys are those of test accounts.

import { type CryptoModule, loadedCrypto } from './crypto-module.ts'
import { inverseOf, isScalar, readBigEndian, writeBigEndian, writeMultiplier } from './curve.ts'
import { bytesToBigInt } from './hex.ts'
import { memoizeMany } from './memoize-last.ts'
import { CURVE_ORDER, MAX_UINT256 } from './numbers.ts'

const WORD_BYTES = 32
const WORD_BITS = 256n

interface Signature {
  readonly r: Uint8Array
  readonly s: Uint8Array
  readonly yParity: 0 | 1
}

function toWord({ words, bytes }: CryptoModule, value: bigint): Uint8Array {
  writeBigEndian(words, value)
  return bytes.slice(0, WORD_BYTES)
}

/** The candidates for the secret number of a signature, by RFC 6979 with HMAC-SHA-256. */
function* secretsOf(
  { words, bytes, firstSecret, nextSecret }: CryptoModule,
  key: bigint,
  message: bigint,
): Generator<bigint> {
  writeBigEndian(words, message)
  bytes.copyWithin(WORD_BYTES, 0, WORD_BYTES)
  writeBigEndian(words, key)
  firstSecret()
  while (true) {
    yield readBigEndian(words)
    nextSecret()
  }
}

/** Memoized by key and digest: after a revert a suite signs many transactions again, a third of them in recorded ones. */
const signatureOf = memoizeMany(1024, (name: bigint) => sign(name >> WORD_BITS, name & MAX_UINT256))

/** Deterministic (RFC 6979), low-s ECDSA over a 32-byte digest. Callers must not change the signature. */
export function signDigest(digest: Uint8Array, privateKey: Uint8Array): Signature {
  const key = bytesToBigInt(privateKey)
  if (!isScalar(key)) throw new TypeError('The private key is zero or beyond the order of the curve.')
  const message = bytesToBigInt(digest) % CURVE_ORDER
  return signatureOf((key << WORD_BITS) | message)
}

function sign(key: bigint, message: bigint): Signature {
  const own = loadedCrypto()
  for (const secret of secretsOf(own, key, message)) {
    if (!isScalar(secret)) continue
    writeMultiplier(own, secret)
    own.multiple()
    const r = readBigEndian(own.words) % CURVE_ORDER
    const isOdd = ((own.bytes[2 * WORD_BYTES - 1] as number) & 1) === 1
    const s = ((message + r * key) * inverseOf(own, secret)) % CURVE_ORDER
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
  const own = loadedCrypto()
  const key = bytesToBigInt(privateKey)
  if (!isScalar(key)) return undefined
  writeMultiplier(own, key)
  own.multiple()
  return own.bytes.slice()
}
