import fc from 'fast-check'
import { expect, test } from 'vitest'
import { base64ToBytes, bytesToBase64 } from '../../../src/core/primitives/hex.ts'
import { scaled } from '../../size.ts'

// RFC 4648, section 10.
test.each([
  ['', ''],
  ['f', 'Zg=='],
  ['fo', 'Zm8='],
  ['foo', 'Zm9v'],
  ['foob', 'Zm9vYg=='],
  ['fooba', 'Zm9vYmE='],
  ['foobar', 'Zm9vYmFy'],
])('%j is %j', (text, encoded) => {
  const bytes = new TextEncoder().encode(text)
  expect(bytesToBase64(bytes)).toBe(encoded)
  expect(base64ToBytes(encoded)).toEqual(bytes)
})

test('is that of Node.js, for any bytes', { tags: 'gate' }, () => {
  // Up to the third chunk of the encoder.
  const lengths = fc.oneof(fc.nat(70), fc.constantFrom(3071, 3072, 3073, 6145))
  const bytes = lengths.chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
  fc.assert(
    fc.property(bytes, (each) => {
      const encoded = Buffer.from(each).toString('base64')
      expect(bytesToBase64(each)).toBe(encoded)
      expect(base64ToBytes(encoded)).toEqual(each)
    }),
    { seed: 20261122, numRuns: scaled(300) },
  )
})

test.each([
  ['of another length', 'Zm9vY'],
  ['without padding', 'Zm8'],
  ['with padding inside', 'Zg==Zm9v'],
  ['with too much padding', 'Z==='],
  ['of padding alone', '===='],
  ['with bits that belong to no byte', 'Zh=='],
  ['with bits that belong to no byte, of three digits', 'Zm9='],
  ['with digits of base64url', 'Zm-_'],
  ['with a space', 'Zm 9'],
  ['with a character whose low bits are those of a digit', 'Zm9\u01f6'],
])('a text %s is none', (_, text) => {
  expect(base64ToBytes(text)).toBeUndefined()
})
