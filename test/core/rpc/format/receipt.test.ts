import { expect, test } from 'vitest'
import type { ExecutedTransaction } from '../../../../src/core/execution/transaction/transaction.ts'
import { EMPTY_BYTES, type Hash, ZERO_ADDRESS } from '../../../../src/core/primitives/hex.ts'
import { formatReceipt, type PresentedBlock } from '../../../../src/core/rpc/format/receipt.ts'

const hash: Hash = `0x${'ab'.repeat(32)}`
const root: Hash = `0x${'cd'.repeat(32)}`

/** What a receipt shows of its block. */
const block = {
  number: '0x1',
  hash: () => hash,
  view: { environment: { timestamp: 10, blobBaseFee: 7n }, rules: {}, executed: [] },
} as unknown as PresentedBlock

function executed(type: 0 | 3, postState: Hash | undefined, blobGasUsed: bigint): ExecutedTransaction {
  const receipt = {
    ...{ status: 1, postState, gasUsed: 21_000n, cumulativeGasUsed: 21_000n, effectiveGasPrice: 1n },
    ...{ blobGasUsed, logs: [], logsBloom: EMPTY_BYTES, contractAddress: undefined },
  } as const
  const transaction = { type, hash, sender: ZERO_ADDRESS, to: ZERO_ADDRESS }
  return { transaction, receipt, index: 0, firstLogIndex: 0 } as unknown as ExecutedTransaction
}

test('before byzantium a receipt has a state root in the place of the status', () => {
  const receipt = formatReceipt(block, executed(0, root, 0n))
  expect(receipt).toMatchObject({ root, type: '0x0' })
  expect(receipt).not.toHaveProperty('status')
})

test('since then it has a status', () => {
  const receipt = formatReceipt(block, executed(0, undefined, 0n))
  expect(receipt).toMatchObject({ status: '0x1' })
  expect(receipt).not.toHaveProperty('root')
})

test('only a blob transaction has blob gas and its price', () => {
  expect(formatReceipt(block, executed(3, undefined, 131_072n))).toMatchObject({
    blobGasUsed: '0x20000',
    blobGasPrice: '0x7',
  })
  const receipt = formatReceipt(block, executed(0, undefined, 0n))
  expect(receipt).not.toHaveProperty('blobGasUsed')
  expect(receipt).not.toHaveProperty('blobGasPrice')
})
