import { expect, test } from 'vitest'
import { SharedBytes } from '../../../src/core/primitives/shared-bytes.ts'

const LENGTHS = [65, 100, 256, 200, 256, 90, 256, 70, 1, 64, 257, 255, 255, 255, 255, 80]

test('arrays of one memory are zero and do not overlap', () => {
  const memory = new SharedBytes(1 << 16)
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

test('a long array has memory of its own', () => {
  const memory = new SharedBytes(1 << 16)
  const sharesAt = (length: number) => memory.take(length).buffer.byteLength > length
  expect([1, 1000, 16_384, 16_385, 70_000].map(sharesAt)).toEqual([true, true, true, false, false])
})
