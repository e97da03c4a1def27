import { deflateSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { bytesToBase64 } from '../../../../src/core/primitives/hex.ts'
import { unpackContracts, withImmutables } from '../../../../src/core/rollup/op/contract-code.ts'

const CONTRACTS = {
  First: { length: 3, immutables: {} },
  Second: { length: 66, immutables: { OWNER: [1], LIMIT: [33] } },
} as const
const joined = Uint8Array.from({ length: 69 }, (_, index) => index)

describe('unpackContracts', () => {
  test('cuts the joined code by the lengths', () => {
    const { First, Second } = unpackContracts(CONTRACTS, bytesToBase64(deflateSync(joined)))
    expect(First.bytes).toEqual(Uint8Array.of(0, 1, 2))
    expect([Second.bytes.length, Second.bytes[0], Second.bytes[65]]).toEqual([66, 3, 68])
    expect(Second.immutables).toEqual({ OWNER: [1], LIMIT: [33] })
  })
})

describe('withImmutables', () => {
  const contract = { bytes: joined.subarray(3), immutables: CONTRACTS.Second.immutables }

  test('sets words, and leaves the code as it was', () => {
    const code = withImmutables(contract, { OWNER: `0x${'ab'.repeat(20)}`, LIMIT: 0x1234n })
    expect([...code.subarray(0, 14)]).toEqual([3, ...new Array(12).fill(0), 0xab])
    expect([...code.subarray(32, 35)]).toEqual([0xab, 0, 0])
    expect([...code.subarray(63)]).toEqual([0x12, 0x34, 68])
    expect(contract.bytes[1]).toBe(4)
  })

  test('wants all of them', () => {
    expect(() => withImmutables(contract, { OWNER: 1n })).toThrow('no value for the immutable LIMIT')
  })
})
