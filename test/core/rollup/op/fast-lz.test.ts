// The compressed length by FastLZ: vectors of op-geth and revm, and hand calculations.

import { hexToBytes } from 'viem'
import { describe, expect, test } from 'vitest'
import { fastLzLength } from '../../../../src/core/rollup/op/fast-lz.ts'
import { CONTRACT_CALL } from './vectors.ts'

const filled = (length: number, byte = 0): Uint8Array => new Uint8Array(length).fill(byte)

/** Bytes among which no three repeat: each pair of numbers up to 127 once. */
function unlike(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i % 2 === 0 ? i >> 8 : 128 + ((i >> 1) & 127)))
}

describe('the length that FastLZ compresses to', () => {
  test.each([
    ['nothing', filled(0), 0],
    ['three bytes', hexToBytes('0xfacade'), 4],
    ['1000 zeros', filled(1000), 21],
    ['1000 ones', filled(1000, 1), 21],
    ['1000 bytes of 42', filled(1000, 42), 21],
    ['a contract call on OP Mainnet', hexToBytes(CONTRACT_CALL), 202],
  ])('of %s is right', (_, bytes, length) => {
    expect(fastLzLength(bytes)).toBe(length)
  })

  // Literals come in runs of up to 32 bytes with one byte before each.
  test.each([
    [1, 2],
    [31, 32],
    [32, 33],
    [33, 35],
    [64, 66],
    [65, 68],
    [256, 264],
  ])('of %d bytes that do not repeat is %d', (length, compressed) => {
    expect(fastLzLength(Uint8Array.from({ length }, (_, i) => i))).toBe(compressed)
  })

  test('does not depend on what was compressed before', () => {
    const call = hexToBytes(CONTRACT_CALL)
    fastLzLength(filled(5000, 3))
    expect(fastLzLength(call)).toBe(202)
    expect(fastLzLength(unlike(40))).toBe(42)
  })
})
