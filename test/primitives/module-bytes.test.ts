import { expect, test } from 'vitest'
import { moduleBytes } from '../../src/primitives/module-bytes.ts'

test('hex of every length is decoded as Node does it', () => {
  for (let length = 0; length <= 40; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 67 + 129 + length) & 0xff)
    expect(moduleBytes(`0x${Buffer.from(bytes).toString('hex')}`)).toEqual(bytes)
  }
})
