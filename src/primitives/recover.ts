// Recovers public keys from ECDSA signatures on secp256k1. What is done mod the order of the curve is done here, and
// the points in the WebAssembly of assembly/crypto.

import type { CryptoExports } from './crypto-module.ts'
import { bytesToBigInt } from './hex.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** A basis of short vectors, by which a scalar is split into two halves (Gallant, Lambert and Vanstone). */
const A1 = 0x3086d221a7d46bcde86c90e49284eb15n
const MINUS_B1 = 0xe4437ed6010e88286f547fa90abfe4c3n
const A2 = 0x114ca50f7a8e2f3f657c1108d9d44cfd8n

/** Where the halves of a second scalar follow on those of the first. */
const HALF_BYTES = 24
const PUBLIC_KEY_BYTES = 64

interface Curve {
  readonly exports: CryptoExports
  readonly bytes: Uint8Array
  readonly words: DataView
  readonly halves: DataView
}

let curve: Curve | undefined

export function startRecovery(exports: CryptoExports): void {
  const { memory, BYTES, HALVES } = exports
  exports.prepare()
  curve = {
    exports,
    bytes: new Uint8Array(memory.buffer, BYTES.value, PUBLIC_KEY_BYTES),
    words: new DataView(memory.buffer, BYTES.value, PUBLIC_KEY_BYTES),
    halves: new DataView(memory.buffer, HALVES.value, 4 * HALF_BYTES),
  }
}

function divideRounded(dividend: bigint): bigint {
  return (dividend + (ORDER >> 1n)) / ORDER
}

function writeHalf(halves: DataView, at: number, half: bigint): void {
  const size = half < 0n ? -half : half
  halves.setBigUint64(at, BigInt.asUintN(64, size), true)
  halves.setBigUint64(at + 8, size >> 64n, true)
  halves.setUint32(at + 20, half < 0n ? 1 : 0, true)
}

/** Splits k into k1 + k2 × lambda, each of half the length. */
function writeHalves(halves: DataView, at: number, k: bigint): void {
  const c1 = divideRounded(A1 * k)
  const c2 = divideRounded(MINUS_B1 * k)
  writeHalf(halves, at, k - c1 * A1 - c2 * A2)
  writeHalf(halves, at + HALF_BYTES, c1 * MINUS_B1 - c2 * A1)
}

function readWord(words: DataView): bigint {
  const [a, b, c, d] = [0, 8, 16, 24].map((at) => words.getBigUint64(at)) as [bigint, bigint, bigint, bigint]
  return (a << 192n) | (b << 128n) | (c << 64n) | d
}

/** The 64-byte public key that made a signature of 32-byte r and s, or `undefined` where there is none. */
export function recoverPublicKey(
  digest: Uint8Array,
  r: Uint8Array,
  s: Uint8Array,
  yParity: number,
): Uint8Array | undefined {
  if (curve === undefined) throw new Error('loadCrypto() has not resolved yet')
  const { exports, bytes, words, halves } = curve
  const rValue = bytesToBigInt(r)
  const sValue = bytesToBigInt(s)
  if (rValue === 0n || sValue === 0n || rValue >= ORDER || sValue >= ORDER) return undefined
  bytes.set(r)
  exports.invertScalar()
  const inverse = readWord(words)
  const message = bytesToBigInt(digest) % ORDER
  writeHalves(halves, 0, (sValue * inverse) % ORDER)
  writeHalves(halves, 2 * HALF_BYTES, ((ORDER - message) * inverse) % ORDER)
  bytes.set(r)
  return exports.recover(yParity) === 0 ? undefined : bytes.slice()
}
