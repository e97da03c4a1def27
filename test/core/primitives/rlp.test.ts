import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesToHex, equalBytes, utf8ToBytes } from '../../../src/core/primitives/hex.ts'
import {
  type Encodable,
  encodeBytes,
  encodedView,
  encodeItems,
  encodeList,
} from '../../../src/core/primitives/rlp.ts'

const SEED = 20261121

describe('the examples of the Ethereum wiki', () => {
  test.each([
    ['dog', encodeBytes(utf8ToBytes('dog')), '0x83646f67'],
    ['[cat, dog]', encodeItems([utf8ToBytes('cat'), utf8ToBytes('dog')]), '0xc88363617483646f67'],
    ['the empty string', encodeBytes(new Uint8Array(0)), '0x80'],
    ['the empty list', encodeList([]), '0xc0'],
    ['the byte 0x00', encodeBytes(Uint8Array.of(0)), '0x00'],
    ['the byte 0x0f', encodeBytes(Uint8Array.of(15)), '0x0f'],
    ['1024', encodeBytes(Uint8Array.of(4, 0)), '0x820400'],
  ])('%s', (_, encoded, expected) => {
    expect(bytesToHex(encoded)).toBe(expected)
  })
})

const lengths = fc.constantFrom(0, 1, 2, 31, 32, 55, 56, 57, 255, 256, 257, 65_535, 65_536)

test('strings of every boundary length are encoded as @ethereumjs/rlp does', () => {
  fc.assert(
    fc.property(lengths, (length) => {
      const bytes = new Uint8Array(length).fill(0x9c)
      expect(bytesToHex(encodeBytes(bytes))).toBe(bytesToHex(RLP.encode(bytes)))
      expect(bytesToHex(encodeList([encodeBytes(bytes)]))).toBe(bytesToHex(RLP.encode([bytes])))
    }),
    { seed: SEED, numRuns: 60 },
  )
})

test('lists of strings are encoded as @ethereumjs/rlp does', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 80 }), { maxLength: 40 }), (items) => {
      expect(encodeItems(items)).toEqual(RLP.encode(items))
      expect(encodeList([encodeItems(items), encodeList([])])).toEqual(RLP.encode([items, []]))
    }),
    { seed: SEED, numRuns: 300 },
  )
})

test('lists in lists are encoded as @ethereumjs/rlp does', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 3 }),
    fc.constantFrom(31, 55, 56, 255, 256).map((length) => new Uint8Array(length).fill(0x9c)),
  )
  const pair = fc.array(bytes, { maxLength: 4 })
  const item: fc.Arbitrary<Encodable> = fc.oneof(
    bytes,
    pair,
    fc.array(fc.oneof(bytes, pair), { maxLength: 4 }),
  )
  fc.assert(
    fc.property(fc.array(item, { maxLength: 6 }), (items) => {
      const expected = RLP.encode(items as Parameters<typeof RLP.encode>[0])
      expect(bytesToHex(encodeItems(items))).toBe(bytesToHex(expected))
    }),
    { seed: SEED, numRuns: 300 },
  )
})

describe('integers and hex', () => {
  // Around every power of 256, and around 2^48, from which on integers are written in parts.
  const edges = Array.from({ length: 33 }, (_, bytes) => 256n ** BigInt(bytes))
  test.each(edges.flatMap((edge) => [edge - 1n, edge, edge + 1n]))('%i as @ethereumjs/rlp does', (value) => {
    expect(bytesToHex(encodeItems([value]))).toBe(bytesToHex(RLP.encode([value])))
  })

  test('numbers up to the largest exact one as bigints', () => {
    for (const value of [0, 1, 127, 128, 255, 256, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 48, 2 ** 53 - 1]) {
      expect(encodeItems([value])).toEqual(encodeItems([BigInt(value)]))
    }
  })

  test('zeros within an integer stay', () => {
    expect(bytesToHex(encodeItems([1n << 96n]))).toBe('0xce8d01000000000000000000000000')
    expect(bytesToHex(encodeItems([(1n << 96n) + 5n]))).toBe('0xce8d01000000000000000000000005')
  })

  test('hex as the bytes that it stands for, with its zeros', () => {
    expect(bytesToHex(encodeItems(['0x', '0x00', '0x7f', '0x80', '0x0001']))).toBe('0xc880007f8180820001')
  })

  test.each([-1n, -1])('%s is refused, and the next encoding is not disturbed', (value) => {
    expect(() => encodeItems(['0x1234', value])).toThrow(TypeError)
    expect(bytesToHex(encodeItems(['0x1234']))).toBe('0xc3821234')
  })
})

test('a type byte comes before the list', () => {
  expect(bytesToHex(encodeItems(['0x1234'], 0x7e))).toBe('0x7ec3821234')
})

test('encodings longer than any before are whole, and a view holds until the next', () => {
  for (const length of [10_000, 100_000]) {
    const items = [
      new Uint8Array(length).fill(7),
      [1n, new Uint8Array(length).fill(9)],
      `0x${'ab'.repeat(length)}`,
    ] as const
    const expected = RLP.encode(items as unknown as Parameters<typeof RLP.encode>[0])
    expect(equalBytes(encodedView(items), expected)).toBe(true)
    expect(equalBytes(encodeItems(items), expected)).toBe(true)
  }
})
