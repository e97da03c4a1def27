// RLP decoding, compared with @ethereumjs/rlp on random items, corrupted items, and strings of significant bytes.

import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { concatBytes } from '../../../src/core/primitives/hex.ts'
import { decodeItem, type Item, itemEnd, payloadStart } from '../../../src/core/primitives/rlp.ts'
import { scaled } from '../../size.ts'

const options = { seed: 20261121, numRuns: scaled(2000) }

const length = fc.oneof(fc.constantFrom(0, 1, 2, 54, 55, 56, 57, 255, 256, 300), fc.nat(70))
const byte = fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0x81, 0xff), fc.nat(255))
const string = length.chain((size) =>
  fc.array(byte, { minLength: size, maxLength: size }).map((bytes) => Uint8Array.from(bytes)),
)
const { item } = fc.letrec<{ item: Item }>((tie) => ({
  item: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    string,
    fc.array(tie('item'), { maxLength: 5 }),
  ),
}))

/** What begins and sizes items, at every boundary. */
const meaningful = fc.constantFrom(
  ...[
    0, 1, 2, 0x37, 0x38, 0x7f, 0x80, 0x81, 0x82, 0xb7, 0xb8, 0xb9, 0xbf, 0xc0, 0xc1, 0xc2, 0xf7, 0xf8, 0xf9,
    0xff,
  ],
)

/** The same by @ethereumjs/rlp; `undefined` if it refuses. */
function expected(bytes: Uint8Array): unknown {
  try {
    return RLP.decode(bytes)
  } catch {
    return undefined
  }
}

/** An item without the buffers that its strings are views of. */
function plain(decoded: Item | undefined): unknown {
  return Array.isArray(decoded) ? decoded.map(plain) : decoded?.slice()
}

function expectSame(bytes: Uint8Array): void {
  expect(plain(decodeItem(bytes))).toEqual(expected(bytes))
}

test('what is encoded is read again', () => {
  fc.assert(
    fc.property(item, (encoded) => {
      expect(plain(decodeItem(RLP.encode(encoded)))).toEqual(encoded)
    }),
    { ...options, numRuns: scaled(400) },
  )
})

test('what is spoilt is read or refused as @ethereumjs/rlp does', () => {
  fc.assert(
    fc.property(
      item,
      fc.nat(),
      byte,
      fc.constantFrom('replace', 'cut', 'append'),
      (encoded, at, value, how) => {
        const bytes = RLP.encode(encoded).slice()
        const place = at % bytes.length
        if (how === 'replace') bytes[place] = value
        if (how === 'cut') fc.pre(place > 0)
        expectSame(
          how === 'cut'
            ? bytes.subarray(0, place)
            : how === 'append'
              ? concatBytes(bytes, Uint8Array.of(value))
              : bytes,
        )
      },
    ),
    options,
  )
})

test('bytes that say of themselves what they are, are read or refused as @ethereumjs/rlp does', () => {
  fc.assert(
    fc.property(fc.array(meaningful, { minLength: 1, maxLength: 12 }), (bytes) => {
      expectSame(Uint8Array.from(bytes))
    }),
    { ...options, numRuns: scaled(20_000) },
  )
})

test('no bytes are no item', () => {
  expect(decodeItem(Uint8Array.of())).toBeUndefined()
})

test('items follow one another from where their list begins', () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 6 }), (items) => {
      const bytes = RLP.encode(items)
      let at = payloadStart(bytes, 0)
      for (const each of items) {
        const encoded = RLP.encode(each)
        expect(bytes.slice(at, itemEnd(bytes, at))).toEqual(encoded.slice())
        at += encoded.length
      }
      expect(at).toBe(bytes.length)
    }),
    { ...options, numRuns: scaled(400) },
  )
})
