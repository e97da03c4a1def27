// ECDSA public key recovery on secp256k1, and verification against a known private key.

import { HALF_BYTES, invertScalar, isScalar, started, writeMultiplier, writeWord } from './curve.ts'
import { bytesToBigInt } from './hex.ts'
import { CURVE_ORDER } from './numbers.ts'

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
  const own = started()
  const { exports, bytes, words, halves } = own
  if (!isScalar(r) || !isScalar(s)) return undefined
  const inverse = invertScalar(own, r)
  const message = bytesToBigInt(digest) % CURVE_ORDER
  writeHalves(halves, 0, (s * inverse) % CURVE_ORDER)
  writeHalves(halves, 2 * HALF_BYTES, ((CURVE_ORDER - message) * inverse) % CURVE_ORDER)
  writeWord(words, r)
  return exports.recover(yParity) === 0 ? undefined : bytes.slice()
}

/** Whether a private key has made a signature. Agrees with `recoverPublicKey`, at a quarter of its cost. */
export function isSignedWith(
  privateKey: Uint8Array,
  digest: Uint8Array,
  r: bigint,
  s: bigint,
  yParity: number,
): boolean {
  const own = started()
  const { exports, words } = own
  if (!isScalar(r) || !isScalar(s)) return false
  // R = ((z + r × key) / s) × G.
  const sum = bytesToBigInt(digest) + r * bytesToBigInt(privateKey)
  const scalar = (sum * invertScalar(own, s)) % CURVE_ORDER
  writeMultiplier(own, scalar)
  writeWord(words, r)
  return exports.isMultiple(yParity) !== 0
}
