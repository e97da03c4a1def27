// Transient storage compared with that of @ethereumjs/evm, on random operations.

import { Common, Mainnet } from '@ethereumjs/common'
import { EVM } from '@ethereumjs/evm'
import { Address as EvmAddress } from '@ethereumjs/util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TransientStorage } from '../../../src/core/interpreter/journal.ts'
import { bytesToBigInt, bytesToHex } from '../../../src/core/primitives/hex.ts'
import { scaled } from '../../size.ts'

const accounts = [1, 2].map((byte) => new EvmAddress(new Uint8Array(20).fill(byte)))
const keys = [0, 1, 2, 255].map((byte) => new Uint8Array(32).fill(byte))

const common = new Common({ chain: Mainnet, hardfork: 'cancun' })

const operation = fc.oneof(
  fc.constant({ kind: 'checkpoint' } as const),
  fc.constant({ kind: 'commit' } as const),
  fc.constant({ kind: 'revert' } as const),
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('put' as const), ...place(), value: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'clear' } as const) },
)

function place() {
  return { account: fc.constantFrom(...accounts), key: fc.constantFrom(...keys) }
}

test('it holds the same values after the same operations', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      const ours = new TransientStorage()
      const theirs = new EVM({ common }).transientStorage
      let depth = 0
      for (const each of operations) {
        if (each.kind === 'put') {
          const value = each.value === 0 ? new Uint8Array(0) : Uint8Array.of(each.value)
          ours.write(bytesToHex(each.account.bytes), bytesToBigInt(each.key), BigInt(each.value))
          theirs.put(each.account, each.key, value)
        } else {
          // As the EVM does: it closes what it has opened, and clears at the end of a transaction.
          if (each.kind === 'clear' ? depth > 0 : each.kind !== 'checkpoint' && depth === 0) continue
          depth += each.kind === 'checkpoint' ? 1 : each.kind === 'clear' ? 0 : -1
          for (const storage of [ours, theirs]) storage[each.kind]()
        }
        for (const account of accounts) {
          for (const key of keys)
            expect(ours.read(bytesToHex(account.bytes), bytesToBigInt(key))).toBe(
              bytesToBigInt(theirs.get(account, key)),
            )
        }
      }
    }),
    { seed: 20261122, numRuns: scaled(200) },
  )
})
