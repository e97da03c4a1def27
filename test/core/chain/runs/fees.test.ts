// Fees of consecutive empty blocks.

import { expect, test } from 'vitest'
import { type EmptyBlocks, feesFrom } from '../../../../src/core/chain/runs/empty-run.ts'
import { makeRules } from '../../../../src/core/rollup/rules.ts'

// EIP-1559: after an empty block the base fee is lower by an eighth, rounded down.
test('the base fee falls from 20 to 7, where an eighth is nothing', () => {
  const rules = makeRules(1, 'london')
  const gasLimit = 30_000_000n
  const header = { baseFeePerGas: 20n, gasLimit, gasUsed: 0n, excessBlobGas: 0n, blobGasUsed: 0n }
  const fees = feesFrom({ rules, gasLimit, parent: { rules, header } } as EmptyBlocks)
  // The second time all fees are known.
  for (let time = 0; time < 2; time++) {
    expect(fees.firstWhere(100, ({ baseFeePerGas }) => baseFeePerGas <= 7n)).toBe(9)
    expect(fees.firstWhere(9, ({ baseFeePerGas }) => baseFeePerGas <= 7n)).toBe(9)
    expect(fees.firstWhere(100, ({ baseFeePerGas }) => baseFeePerGas <= 18n)).toBe(0)
    expect(fees.firstWhere(100, ({ baseFeePerGas }) => baseFeePerGas < 7n)).toBe(100)
  }
  const first = Array.from({ length: 11 }, (_, index) => fees.at(index).baseFeePerGas)
  expect(first).toEqual([18n, 16n, 14n, 13n, 12n, 11n, 10n, 9n, 8n, 7n, 7n])
  expect(fees.at(1_000_000).baseFeePerGas).toBe(7n)
})

test('the search ends where the fees do', () => {
  const rules = makeRules(1, 'london')
  const gasLimit = 30_000_000n
  const header = { baseFeePerGas: 7n, gasLimit, gasUsed: 0n, excessBlobGas: 0n, blobGasUsed: 0n }
  const fees = feesFrom({ rules, gasLimit, parent: { rules, header } } as EmptyBlocks)
  let asked = 0
  const isMet = (): boolean => {
    asked++
    return false
  }
  expect(fees.firstWhere(1_000_000, isMet)).toBe(1_000_000)
  expect(asked).toBeLessThanOrEqual(2)
})
