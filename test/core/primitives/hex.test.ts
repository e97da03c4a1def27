import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bigIntToBytes,
  bytesToBigInt,
  bytesToHex,
  concatBytes,
  equalBytes,
  hexToBytes,
  isHexBytes,
  padLeft,
  stripLeadingZeros,
  toQuantity,
  toWord,
  utf8ToBytes,
  ZERO_ADDRESS,
  ZERO_HASH,
} from '../../../src/core/primitives/hex.ts'

const runs = { seed: 20261121, numRuns: 300 }
const bytes = fc.uint8Array({ maxLength: 80 })
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })

describe('hex of bytes', () => {
  test('is what Buffer writes, with 0x in front', () => {
    fc.assert(
      fc.property(bytes, (b) => {
        expect(bytesToHex(b)).toBe(`0x${Buffer.from(b).toString('hex')}`)
      }),
      runs,
    )
  })

  test('comes back as the same bytes, in either case', () => {
    fc.assert(
      fc.property(bytes, (b) => {
        const digits = bytesToHex(b).slice(2)
        expect(hexToBytes(`0x${digits}`)).toEqual(b)
        expect(hexToBytes(`0x${digits.toUpperCase()}`)).toEqual(b)
      }),
      runs,
    )
  })

  test('of a view covers the view and not its buffer', () => {
    expect(bytesToHex(Uint8Array.of(1, 2, 3, 4).subarray(1, 3))).toBe('0x0203')
  })

  test.each(['0x', '0x00', '0xAbCd', ZERO_ADDRESS, ZERO_HASH])('accepts %s', (text) => {
    expect(isHexBytes(text)).toBe(true)
  })

  test.each([
    ['no prefix', 'abcd'],
    ['an upper-case prefix', '0Xab'],
    ['an odd number of digits', '0xabc'],
    ['a digit beyond f', '0x0g'],
    ['a sign', '0x-1'],
    ['a blank', '0x 1'],
    ['a full-width digit', '0x0\uff11'],
    ['another prefix', '1x00'],
    ['half a prefix', '0'],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(isHexBytes(text)).toBe(false)
    expect(() => hexToBytes(text)).toThrow(TypeError)
  })

  test.each([[undefined], [null], [16], [16n], [['0x00']], [Uint8Array.of(0)]])(
    'refuses %o, which is no text',
    (value) => {
      expect(isHexBytes(value)).toBe(false)
    },
  )

  test('can be asked for an exact number of bytes', () => {
    expect(isHexBytes(ZERO_ADDRESS, 20)).toBe(true)
    expect(isHexBytes(ZERO_HASH, 20)).toBe(false)
    expect(isHexBytes('0x', 0)).toBe(true)
  })

  test('names bad input by its beginning only', () => {
    expect(() => hexToBytes(`0x${'zz'.repeat(10_000)}`)).toThrow(/^.{1,120}$/)
  })
})

describe('numbers', () => {
  // execution-apis, "Hex value encoding", quantity: 0x41 is 65, 0x400 is 1024, 0x0 is zero.
  test.each([
    [0, '0x0'],
    [0n, '0x0'],
    [65, '0x41'],
    [1024n, '0x400'],
    [2n ** 64n, '0x10000000000000000'],
  ])('%s is the quantity %s', (value, quantity) => {
    expect(toQuantity(value)).toBe(quantity)
  })

  test('a word is 32 bytes, most significant first', () => {
    expect(toWord(0)).toBe(ZERO_HASH)
    expect(toWord(258)).toBe(`0x${'00'.repeat(30)}0102`)
    expect(toWord(2n ** 256n - 1n)).toBe(`0x${'ff'.repeat(32)}`)
  })

  test('the bytes of a number are minimal, and none for zero', () => {
    expect(bigIntToBytes(0n)).toEqual(Uint8Array.of())
    expect(bigIntToBytes(15n)).toEqual(Uint8Array.of(15))
    expect(bigIntToBytes(256n)).toEqual(Uint8Array.of(1, 0))
    expect(bigIntToBytes(2n ** 32n)).toEqual(Uint8Array.of(1, 0, 0, 0, 0))
    expect(bigIntToBytes(2n ** 64n - 1n)).toEqual(new Uint8Array(8).fill(255))
    expect(bigIntToBytes(2n ** 64n)).toEqual(Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0))
  })

  test('a number survives bytes, padding and words', () => {
    fc.assert(
      fc.property(uint256, (value) => {
        const minimal = bigIntToBytes(value)
        const word = padLeft(minimal, 32)
        expect(minimal[0]).not.toBe(0)
        expect(word).toHaveLength(32)
        expect(bytesToHex(word)).toBe(toWord(value))
        expect(bytesToBigInt(minimal)).toBe(value)
        expect(bytesToBigInt(word)).toBe(value)
        expect(stripLeadingZeros(word)).toEqual(minimal)
        expect(BigInt(toQuantity(value))).toBe(value)
      }),
      runs,
    )
  })

  test('a negative number has no bytes', () => {
    expect(() => bigIntToBytes(-1n)).toThrow(TypeError)
  })
})

describe('bytes', () => {
  test('only leading zeros are stripped', () => {
    expect(stripLeadingZeros(Uint8Array.of(0, 0, 7, 0))).toEqual(Uint8Array.of(7, 0))
    expect(stripLeadingZeros(Uint8Array.of(0, 0))).toEqual(Uint8Array.of())
  })

  test('padding never shortens', () => {
    expect(padLeft(Uint8Array.of(1, 2, 3), 2)).toEqual(Uint8Array.of(1, 2, 3))
  })

  test('joined parts follow each other', () => {
    expect(concatBytes()).toEqual(Uint8Array.of())
    expect(concatBytes(Uint8Array.of(1), Uint8Array.of(), Uint8Array.of(2, 3))).toEqual(
      Uint8Array.of(1, 2, 3),
    )
  })

  test('equality is by content', () => {
    expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true)
    expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false)
    expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2, 0))).toBe(false)
  })
})

describe('UTF-8', () => {
  test.each(['', 'tick', 'é', '€', '𝄞', '\u0000\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}'])(
    'of %j is what TextEncoder writes',
    (text) => {
      expect(utf8ToBytes(text)).toEqual(new TextEncoder().encode(text))
    },
  )

  test('is what TextEncoder writes for any string, unpaired surrogates included', () => {
    const codeUnit = fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff }))
    fc.assert(
      fc.property(fc.array(codeUnit, { maxLength: 12 }), (codeUnits) => {
        const text = String.fromCharCode(...codeUnits)
        expect(utf8ToBytes(text)).toEqual(new TextEncoder().encode(text))
      }),
      runs,
    )
  })
})
