// Signatures on secp256k1, in WebAssembly (assembly/crypto): scalars, signing, recovery, and verification against a
// known private key.

import { type CryptoModule, HALF_BYTES, loadedCrypto } from './crypto-module.ts'
import { bytesToBigInt } from './hex.ts'
import { memoizeMany } from './lru-cache.ts'
import { CURVE_ORDER, MAX_UINT256 } from './numbers.ts'

/** Sum of 256 bits that each stand for +1, mod the order. */
const ALL_SIGNS = MAX_UINT256 % CURVE_ORDER

function readBigEndian(words: DataView): bigint {
  return (
    (words.getBigUint64(0) << 192n) |
    (words.getBigUint64(8) << 128n) |
    (words.getBigUint64(16) << 64n) |
    words.getBigUint64(24)
  )
}

/** Writes the low 256 bits. */
function writeBigEndian(words: DataView, value: bigint): void {
  words.setBigUint64(0, value >> 192n)
  words.setBigUint64(8, value >> 128n)
  words.setBigUint64(16, value >> 64n)
  words.setBigUint64(24, value)
}

/** Sets the multiplier of the generator. */
function writeMultiplier({ signs }: CryptoModule, scalar: bigint): void {
  // Signed bits (+1 for 1, -1 for 0) of x represent 2x - ALL_SIGNS, so x = (scalar + ALL_SIGNS) / 2 mod the order.
  const twice = scalar + ALL_SIGNS
  const value = (((twice & 1n) === 0n ? twice : twice + CURVE_ORDER) >> 1n) % CURVE_ORDER
  signs.setBigUint64(0, value, true)
  signs.setBigUint64(8, value >> 64n, true)
  signs.setBigUint64(16, value >> 128n, true)
  signs.setBigUint64(24, value >> 192n, true)
}

function isScalar(value: bigint): boolean {
  return value > 0n && value < CURVE_ORDER
}

function inverseOf({ words, invertScalar }: CryptoModule, value: bigint): bigint {
  writeBigEndian(words, value)
  invertScalar()
  return readBigEndian(words)
}

/** Basis of short vectors for the GLV decomposition of a scalar into two halves (Gallant, Lambert and Vanstone). */
const A1 = 0x3086d221a7d46bcde86c90e49284eb15n
const MINUS_B1 = 0xe4437ed6010e88286f547fa90abfe4c3n
const A2 = 0x114ca50f7a8e2f3f657c1108d9d44cfd8n

function divideRounded(dividend: bigint): bigint {
  return (dividend + (CURVE_ORDER >> 1n)) / CURVE_ORDER
}

function writeHalf(halves: DataView, at: number, half: bigint): void {
  const size = half < 0n ? -half : half
  halves.setBigUint64(at, BigInt.asUintN(64, size), true)
  halves.setBigUint64(at + 8, size >> 64n, true)
  halves.setUint32(at + 20, half < 0n ? 1 : 0, true)
}

/** Splits k into k1 + k2 × lambda, with k1 and k2 of half the length. */
function writeHalves(halves: DataView, at: number, k: bigint): void {
  const c1 = divideRounded(A1 * k)
  const c2 = divideRounded(MINUS_B1 * k)
  writeHalf(halves, at, k - c1 * A1 - c2 * A2)
  writeHalf(halves, at + HALF_BYTES, c1 * MINUS_B1 - c2 * A1)
}

/** The 64-byte public key of a signature, or `undefined` if there is none. */
export function recoverPublicKey(
  digest: Uint8Array,
  r: bigint,
  s: bigint,
  yParity: number,
): Uint8Array | undefined {
  const own = loadedCrypto()
  const { bytes, words, halves, recover } = own
  if (!isScalar(r) || !isScalar(s)) return undefined
  const inverse = inverseOf(own, r)
  const message = bytesToBigInt(digest) % CURVE_ORDER
  writeHalves(halves, 0, (s * inverse) % CURVE_ORDER)
  writeHalves(halves, 2 * HALF_BYTES, ((CURVE_ORDER - message) * inverse) % CURVE_ORDER)
  writeBigEndian(words, r)
  return recover(yParity) === 0 ? undefined : bytes.slice()
}

/** True if a private key has made a signature. Agrees with `recoverPublicKey`, at a quarter of its cost. */
export function isSignedWith(
  privateKey: Uint8Array,
  digest: Uint8Array,
  r: bigint,
  s: bigint,
  yParity: number,
): boolean {
  const own = loadedCrypto()
  const { words, isMultiple } = own
  if (!isScalar(r) || !isScalar(s)) return false
  // R = ((z + r × key) / s) × G.
  const sum = bytesToBigInt(digest) + r * bytesToBigInt(privateKey)
  const scalar = (sum * inverseOf(own, s)) % CURVE_ORDER
  writeMultiplier(own, scalar)
  writeBigEndian(words, r)
  return isMultiple(yParity) !== 0
}

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
