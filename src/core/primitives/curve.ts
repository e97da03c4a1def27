// The curve secp256k1 in WebAssembly (assembly/crypto), and its scalars.

import type { CryptoExports } from './crypto-module.ts'
import { CURVE_ORDER, MAX_UINT256 } from './numbers.ts'

/** Bytes of a half in the HALVES buffer. */
export const HALF_BYTES = 24
const WORD_BYTES = 32
const PUBLIC_KEY_BYTES = 64

/** Sum of 256 bits that each stand for +1, mod the order. */
const ALL_SIGNS = MAX_UINT256 % CURVE_ORDER

/** The module with its buffers. */
export interface Curve {
  readonly exports: CryptoExports
  readonly bytes: Uint8Array
  readonly words: DataView
  readonly halves: DataView
  readonly signs: DataView
}

let curve: Curve | undefined

export function startCurve(exports: CryptoExports): void {
  const { memory, BYTES, HALVES, SIGNS } = exports
  curve = {
    exports,
    bytes: new Uint8Array(memory.buffer, BYTES.value, PUBLIC_KEY_BYTES),
    words: new DataView(memory.buffer, BYTES.value, PUBLIC_KEY_BYTES),
    halves: new DataView(memory.buffer, HALVES.value, 4 * HALF_BYTES),
    signs: new DataView(memory.buffer, SIGNS.value, WORD_BYTES),
  }
}

export function readWord(words: DataView): bigint {
  return (
    (words.getBigUint64(0) << 192n) |
    (words.getBigUint64(8) << 128n) |
    (words.getBigUint64(16) << 64n) |
    words.getBigUint64(24)
  )
}

/** Writes the low 256 bits. */
export function writeWord(words: DataView, value: bigint): void {
  words.setBigUint64(0, value >> 192n)
  words.setBigUint64(8, value >> 128n)
  words.setBigUint64(16, value >> 64n)
  words.setBigUint64(24, value)
}

/** Sets the multiplier of the generator. */
export function writeMultiplier({ signs }: Curve, scalar: bigint): void {
  // Signed bits (+1 for 1, -1 for 0) of x represent 2x - ALL_SIGNS, so x = (scalar + ALL_SIGNS) / 2 mod the order.
  const twice = scalar + ALL_SIGNS
  const value = (((twice & 1n) === 0n ? twice : twice + CURVE_ORDER) >> 1n) % CURVE_ORDER
  signs.setBigUint64(0, value, true)
  signs.setBigUint64(8, value >> 64n, true)
  signs.setBigUint64(16, value >> 128n, true)
  signs.setBigUint64(24, value >> 192n, true)
}

export function started(): Curve {
  if (curve === undefined) throw new Error('loadCrypto() has not resolved yet')
  return curve
}

export function isScalar(value: bigint): boolean {
  return value > 0n && value < CURVE_ORDER
}

export function invertScalar({ exports, words }: Curve, value: bigint): bigint {
  writeWord(words, value)
  exports.invertScalar()
  return readWord(words)
}
