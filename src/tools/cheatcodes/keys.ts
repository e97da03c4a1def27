// Private keys as cheatcodes take them: addresses, wallets as forge-std has them, and signatures.

import { addressOfPublicKey, keccak256Hex } from '../../core/primitives/crypto.ts'
import * as hex from '../../core/primitives/hex.ts'
import { CURVE_ORDER } from '../../core/primitives/numbers.ts'
import { publicKeyOf, signDigest } from '../../core/primitives/signer.ts'
import { CheatcodeRefusal } from './errors.ts'

const MOST_UINT64 = (1n << 64n) - 1n

export function requireUint64(value: bigint, name: string): bigint {
  if (value > MOST_UINT64) throw new CheatcodeRefusal(`${name} must be less than 2^64`)
  return value
}

/** Refuses a private key that a curve does not have. */
export function requireKey(key: bigint, curve: string, order: bigint): void {
  if (key === 0n) throw new CheatcodeRefusal('private key cannot be 0')
  if (key < order) return
  throw new CheatcodeRefusal(`private key must be less than the ${curve} curve order (${order})`)
}

function publicKey(key: bigint): Uint8Array {
  requireKey(key, 'Secp256k1', CURVE_ORDER)
  return publicKeyOf(hex.hexToBytes(hex.toWord(key))) as Uint8Array
}

export function keyAddress(key: bigint): hex.Address {
  return addressOfPublicKey(publicKey(key))
}

/** The key that `makeAddr` and `createWallet` make of a name. */
export function keyOfName(name: string): bigint {
  return BigInt(keccak256Hex(hex.utf8ToBytes(name)))
}

export type Wallet = readonly [
  address: hex.Address,
  publicKeyX: bigint,
  publicKeyY: bigint,
  privateKey: bigint,
]

export function walletOf(key: bigint): Wallet {
  const point = publicKey(key)
  const coordinates = point.subarray(point.length - 64)
  const [x, y] = [coordinates.subarray(0, 32), coordinates.subarray(32)].map(hex.bytesToBigInt)
  return [addressOfPublicKey(point), x as bigint, y as bigint, key]
}

const EVEN_V = 27n

/** `(uint8 v, bytes32 r, bytes32 s)`. */
export function sign(key: bigint, digest: hex.Hex): readonly [bigint, hex.Hex, hex.Hex] {
  publicKey(key)
  const { r, s, yParity } = signDigest(hex.hexToBytes(digest), hex.hexToBytes(hex.toWord(key)))
  return [EVEN_V + BigInt(yParity), hex.bytesToHex(r), hex.bytesToHex(s)]
}

function inverse(value: bigint): bigint {
  let [power, result] = [value, 1n]
  for (let exponent = CURVE_ORDER - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * power) % CURVE_ORDER
    power = (power * power) % CURVE_ORDER
  }
  return result
}

/** A signature with a secret number of the caller's own, which gives the key away if it is used twice. */
export function signWithNonce(
  key: bigint,
  digest: hex.Hex,
  nonce: bigint,
): readonly [bigint, hex.Hex, hex.Hex] {
  publicKey(key)
  if (nonce === 0n) throw new CheatcodeRefusal('nonce cannot be 0')
  if (nonce >= CURVE_ORDER) throw new CheatcodeRefusal('invalid nonce scalar')
  const [, x, y] = walletOf(nonce)
  const r = x % CURVE_ORDER
  const s = ((BigInt(digest) + r * key) * inverse(nonce)) % CURVE_ORDER
  const isHigh = s > CURVE_ORDER / 2n
  const parity = (y & 1n) ^ (isHigh ? 1n : 0n)
  return [EVEN_V + parity, hex.toWord(r), hex.toWord(isHigh ? CURVE_ORDER - s : s)]
}

/** `(bytes32 r, bytes32 vs)` (EIP-2098). */
export function signCompact(key: bigint, digest: hex.Hex): readonly [hex.Hex, hex.Hex] {
  const [v, r, s] = sign(key, digest)
  return [r, hex.toWord(BigInt(s) | ((v - EVEN_V) << 255n))]
}
