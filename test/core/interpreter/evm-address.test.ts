import { createAddressFromString } from '@ethereumjs/util'
import fc from 'fast-check'
import { toHex } from 'viem'
import { expect, test } from 'vitest'
import { toEvmAddress } from '../../../src/core/interpreter/evm-address.ts'

const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((value) => toHex(value))
const low = fc.integer({ min: 0, max: 0x1_0001 }).map((value) => toHex(value, { size: 20 }))
const address = fc.oneof(bytes, low)

test('an address tells the EVM what an Address of @ethereumjs does', () => {
  fc.assert(
    fc.property(address, address, (hex, other) => {
      const [ours, theirs] = [toEvmAddress(hex), createAddressFromString(hex)]
      expect(ours.bytes).toEqual(theirs.bytes)
      expect(ours.toBytes()).toEqual(theirs.toBytes())
      expect(ours.toString()).toBe(theirs.toString())
      expect(ours.isZero()).toBe(theirs.isZero())
      expect(ours.isPrecompileOrSystemAddress()).toBe(theirs.isPrecompileOrSystemAddress())
      for (const each of [hex, other]) {
        const [a, b] = [toEvmAddress(each), createAddressFromString(each)]
        expect([ours.equals(a), ours.equals(b)]).toEqual([theirs.equals(b), theirs.equals(b)])
      }
    }),
    { seed: 20261121 },
  )
})
