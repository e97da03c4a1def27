import { expect, test } from 'vitest'
import { SharedBytes } from '../../../src/core/primitives/shared-bytes.ts'

const LENGTHS = [65, 100, 256, 200, 256, 90, 256, 70, 1, 64, 257, 255, 255, 255, 255, 80]

test('arrays of one memory are zero and do not overlap', () => {
  const memory = new SharedBytes(1024)
  const arrays = LENGTHS.map((length) => memory.take(length))
  expect(arrays.map(({ length }) => length)).toEqual(LENGTHS)
  for (const [index, array] of arrays.entries()) {
    expect(array.every((byte) => byte === 0)).toBe(true)
    array.fill(index + 1)
  }
  for (const [index, array] of arrays.entries()) {
    expect(array.every((byte) => byte === index + 1)).toBe(true)
  }
})

test('only arrays between 65 bytes and a quarter of the memory share it', () => {
  const memory = new SharedBytes(1024)
  const sharesAt = (length: number) => memory.take(length).buffer.byteLength > length
  expect([0, 32, 64, 65, 256, 257, 2000].map(sharesAt)).toEqual([
    false,
    false,
    false,
    true,
    true,
    false,
    false,
  ])
})
