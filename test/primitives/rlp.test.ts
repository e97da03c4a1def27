import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesToHex, utf8ToBytes } from '../../src/primitives/hex.ts'
import { encodeBytes, encodeBytesList, encodeItems, encodeList, type Item } from '../../src/primitives/rlp.ts'

const SEED = 20261121

describe('the examples of the Ethereum wiki', () => {
  test.each([
    ['dog', encodeBytes(utf8ToBytes('dog')), '0x83646f67'],
    ['[cat, dog]', encodeBytesList([utf8ToBytes('cat'), utf8ToBytes('dog')]), '0xc88363617483646f67'],
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
      expect(encodeBytesList(items)).toEqual(RLP.encode(items))
      expect(encodeList([encodeBytesList(items), encodeList([])])).toEqual(RLP.encode([items, []]))
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
  const item: fc.Arbitrary<Item> = fc.oneof(bytes, pair, fc.array(fc.oneof(bytes, pair), { maxLength: 4 }))
  fc.assert(
    fc.property(fc.array(item, { maxLength: 6 }), (items) => {
      const expected = RLP.encode(items as Parameters<typeof RLP.encode>[0])
      expect(bytesToHex(encodeItems(items))).toBe(bytesToHex(expected))
    }),
    { seed: SEED, numRuns: 300 },
  )
})
