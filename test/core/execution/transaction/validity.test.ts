// What makes a transaction invalid in a block, as a message.

import { expect, test } from 'vitest'
import type { EvmInstance } from '../../../../src/core/execution/evm/pooled-evm.ts'
import type { Transaction } from '../../../../src/core/execution/transaction/transaction.ts'
import { invalidityIn } from '../../../../src/core/execution/transaction/validity.ts'
import type { BlockEnvironment } from '../../../../src/core/rollup/header.ts'
import { makeRules } from '../../../../src/core/rollup/rules.ts'

test('a mistake of our own does not pass for an invalid transaction', () => {
  const instance = { rules: makeRules(1, 'prague'), evm: {} } as EvmInstance
  const broken = new Proxy({} as Transaction, {
    get() {
      throw new RangeError('an index out of range')
    },
  })
  expect(() => invalidityIn(instance, {} as BlockEnvironment, broken)).toThrow(RangeError)
})
