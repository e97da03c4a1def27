// gzip, compared with zlib.

import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gunzip, gzipText, isGzip, utf8ToText } from '../../../src/core/primitives/gzip.ts'

const seed = 20261121
const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.constantFrom('ab', 'ü', '0x00'), { maxLength: 5000 }).map((parts) => parts.join('')),
)

describe('gzip', () => {
  test('is what zlib unpacks, and the other way round', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const packed = gzipText(text)
        expect(gunzipSync(packed).toString()).toBe(text)
        const unpacked = gunzip(new Uint8Array(gzipSync(text)), 1e6)
        expect(utf8ToText(unpacked as Uint8Array)).toBe(text)
      }),
      { seed },
    )
  })

  test('has no time in it', () => {
    // RFC 1952, 2.3: bytes 4 to 7 are the time of modification, or zero.
    expect([...gzipText('text').subarray(0, 8)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])
  })

  test('that is damaged, cut off or too long is noticed', () => {
    const packed = new Uint8Array(gzipSync('state '.repeat(100)))
    expect(gunzip(packed, 600)).toHaveLength(600)
    expect(gunzip(packed, 599)).toBeUndefined()
    for (let length = 0; length < packed.length; length++)
      expect(gunzip(packed.slice(0, length), 1e6)).toBeUndefined()
    for (const at of [packed.length - 1, packed.length - 5, packed.length - 9, 12]) {
      const damaged = packed.slice()
      damaged[at] = (damaged[at] as number) ^ 1
      expect(gunzip(damaged, 1e6)).toBeUndefined()
    }
    expect(isGzip(new TextEncoder().encode('{}'))).toBe(false)
    expect(gunzip(new TextEncoder().encode('{"accounts":{}}  '), 1e6)).toBeUndefined()
  })
})
