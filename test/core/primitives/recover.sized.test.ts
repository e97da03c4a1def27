// Public key recovery, compared with @noble/curves: at random, and with additions of equal, opposite and zero points,
// which random numbers never produce. Also the check whether a known key has signed.

import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { isSignedWith, loadCrypto, recoverPublicKey } from '../../../src/core/primitives/crypto.ts'
import { bytesToHex, hexToBytes, toWord } from '../../../src/core/primitives/hex.ts'
import { sampled, scaled } from '../../size.ts'

const { Point, Signature } = secp256k1
const ORDER = Point.Fn.ORDER
const PRIME = Point.Fp.ORDER

const word = (value: bigint): Uint8Array => hexToBytes(toWord(value))

/** The same by @noble/curves. */
function expectedKey(digest: bigint, r: bigint, s: bigint, yParity: number): string | undefined {
  try {
    const point = new Signature(r, s, yParity).recoverPublicKey(word(digest))
    return bytesToHex(point.toBytes(false).slice(1))
  } catch {
    return undefined
  }
}

function recoveredKey(digest: bigint, r: bigint, s: bigint, yParity: number): string | undefined {
  const key = recoverPublicKey(word(digest), r, s, yParity)
  return key === undefined ? undefined : bytesToHex(key)
}

function expectSame(digest: bigint, r: bigint, s: bigint, yParity: number): string | undefined {
  const key = recoveredKey(digest, r, s, yParity)
  expect(key).toBe(expectedKey(digest, r, s, yParity))
  return key
}

beforeAll(loadCrypto)

test('a key is the one that @noble/curves recovers', () => {
  const scalar = fc.bigInt({ min: 1n, max: ORDER - 1n })
  const parity = fc.integer({ min: 0, max: 1 })
  fc.assert(
    fc.property(
      scalar,
      scalar,
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      parity,
      (k, s, digest, yParity) => {
        const { x } = Point.BASE.multiply(k).toAffine()
        fc.pre(x < ORDER)
        expect(expectSame(digest, x, s, yParity)).toBeDefined()
      },
    ),
    { seed: 20261121, numRuns: scaled(150) },
  )
})

describe('where R is a small multiple of G', () => {
  const small = sampled([1n, 2n, 3n, 5n, 7n, 16n, 63n, 127n, 128n, 129n])
  const scalars = [1n, 2n, 3n, 127n, 128n, 2n ** 128n, ORDER - 1n, ORDER - 2n, (ORDER - 1n) / 2n]

  test.each(small)('%i × G', (k) => {
    const { x, y } = Point.BASE.multiply(k).toAffine()
    for (const s of scalars) {
      for (const digest of [0n, 1n, s, k * s, ORDER - s, ORDER, ORDER + 1n, 2n ** 256n - 1n]) {
        for (const yParity of [0, 1]) expectSame(digest % 2n ** 256n, x, s, yParity)
      }
    }
    // s × R is z × G: the difference is the point at infinity, which is no key.
    expect(recoveredKey((k * 5n) % ORDER, x, 5n, Number(y & 1n))).toBeUndefined()
  })
})

describe('there is no key', () => {
  const { x } = Point.BASE.multiply(9n).toAffine()
  /** No point has this x: x³ + 7 is no square. */
  const off = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n].find((candidate) => {
    const square = candidate ** 3n + 7n
    return Point.Fp.eql(Point.Fp.pow(square, (PRIME - 1n) / 2n), Point.Fp.create(-1n))
  }) as bigint

  test.each([
    ['for an r of zero', 0n, 1n],
    ['for an s of zero', x, 0n],
    ['for an r of the order', ORDER, 1n],
    ['for an s of the order', x, ORDER],
    ['for an r that is beyond the field', 2n ** 256n - 1n, 1n],
    ['for an r that no point has as its x', off, 1n],
  ])('%s', (_, r, s) => {
    expect(recoveredKey(1n, r, s, 0)).toBeUndefined()
    expect(recoveredKey(1n, r, s, 1)).toBeUndefined()
  })
})

describe('a known key', () => {
  const scalar = fc.bigInt({ min: 1n, max: ORDER - 1n })
  const message = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
  const invert = (value: bigint): bigint => Point.Fn.inv(value)

  /** The signature with a nonce of choice (SEC 1, 4.1.3). */
  function sign(key: bigint, digest: bigint, nonce: bigint) {
    const { x, y } = Point.BASE.multiply(nonce).toAffine()
    const r = x % ORDER
    const s = (invert(nonce) * ((digest % ORDER) + r * key)) % ORDER
    return { r, s, yParity: Number(y & 1n) }
  }

  const isSigned = (key: bigint, digest: bigint, r: bigint, s: bigint, yParity: number): boolean =>
    isSignedWith(word(key), word(digest), r, s, yParity)

  /** Whether @noble/curves recovers the public key of a private one. */
  function isExpected(key: bigint, digest: bigint, r: bigint, s: bigint, yParity: number): boolean {
    return expectedKey(digest, r, s, yParity) === bytesToHex(Point.BASE.multiply(key).toBytes(false).slice(1))
  }

  test('has made its signature, and the malleated one, and no other', () => {
    fc.assert(
      fc.property(scalar, scalar, scalar, message, (key, other, nonce, digest) => {
        const { r, s, yParity } = sign(key, digest, nonce)
        fc.pre(s !== 0n && key !== other && digest > 0n)
        expect(isSigned(key, digest, r, s, yParity)).toBe(true)
        expect(isSigned(key, digest, r, ORDER - s, 1 - yParity)).toBe(true)
        expect(isSigned(key, digest, r, s, 1 - yParity)).toBe(false)
        expect(isSigned(key, digest, r, ORDER - s, yParity)).toBe(false)
        expect(isSigned(other, digest, r, s, yParity)).toBe(false)
        expect(isSigned(ORDER - key, digest, r, s, yParity)).toBe(false)
        expect(isSigned(key, digest - 1n, r, s, yParity)).toBe(false)
        expect(isSigned(key, digest, (r % (ORDER - 1n)) + 1n, s, yParity)).toBe(false)
      }),
      { seed: 20261121, numRuns: scaled(60) },
    )
  })

  test('has made what is recovered to it, where R is a small multiple of G', () => {
    for (const nonce of sampled([1n, 2n, 3n, 16n, 2n ** 24n, 2n ** 128n + 1n, ORDER - 1n, ORDER - 2n])) {
      for (const key of [1n, 2n, 0x4c4cn, ORDER - 1n]) {
        for (const digest of [0n, 1n, ORDER - 1n, ORDER, ORDER + 1n, 2n ** 256n - 1n]) {
          const { r, s, yParity } = sign(key, digest, nonce)
          for (const parity of [yParity, 1 - yParity]) {
            expect(isSigned(key, digest, r, s, parity)).toBe(isExpected(key, digest, r, s, parity))
          }
          expect(isSigned(key, digest, r, s, yParity)).toBe(s !== 0n)
        }
      }
    }
  })

  test('has not made what leads to the point at infinity', () => {
    // z is -r × key: the nonce would be zero.
    const { x } = Point.BASE.multiply(7n).toAffine()
    const digest = (ORDER - ((x * 3n) % ORDER)) % ORDER
    for (const yParity of [0, 1]) expect(isSigned(3n, digest, x, 5n, yParity)).toBe(false)
  })

  test.each([
    ['an r of zero', 0n, 1n],
    ['an s of zero', 1n, 0n],
    ['an r of the order', ORDER, 1n],
    ['an s of the order', 1n, ORDER],
    ['an s beyond it', 1n, ORDER + 1n],
    ['an r of all ones', 2n ** 256n - 1n, 1n],
  ])('has not made %s', (_, r, s) => {
    for (const yParity of [0, 1]) expect(isSigned(1n, 1n, r, s, yParity)).toBe(false)
  })
})
