// Import of blocks of the OP stack: by op-geth's checks (consensus/beacon, core/block_validator.go), and those of the
// derivation on the places of deposits.

import { type Hex, keccak256, toHex } from 'viem'
import { expect, test } from 'vitest'
import { encodeSealedBlock, type SealedBlock } from '../../../../src/core/chain/block/block.ts'
import { encodeBlock } from '../../../../src/core/chain/block/body.ts'
import { createChain } from '../../../../src/core/chain/chain.ts'
import { decodeBlocks } from '../../../../src/core/chain/import/decode-block.ts'
import { importBlock } from '../../../../src/core/chain/import/import-block.ts'
import type { Transaction } from '../../../../src/core/execution/transaction/transaction.ts'
import { EMPTY_BYTES, ZERO_HASH } from '../../../../src/core/primitives/hex.ts'
import type { Header } from '../../../../src/core/rollup/header.ts'
import type { OpFork } from '../../../../src/core/rollup/op/forks.ts'
import { makeRules } from '../../../../src/core/rollup/rules.ts'
import { constantSchedule } from '../../../../src/core/rollup/schedule.ts'
import { contextOf, deposit, opRules, opScheduleOf } from '../../execution/op-chain.ts'
import { buildBlock, genesisOf, transactionsOf } from '../rollup-block.ts'

const FORKS = ['regolith', 'canyon', 'ecotone', 'fjord', 'granite', 'holocene', 'isthmus', 'jovian'] as const

function importOn(parent: SealedBlock, fork: OpFork, bytes: Uint8Array): Promise<SealedBlock> {
  const [decoded] = decodeBlocks(bytes)
  if (decoded === undefined) throw new Error('no block')
  const chain = createChain(parent, 10)
  return importBlock(
    { schedule: opScheduleOf(fork), executionUnder: (rules) => contextOf(rules), chain },
    parent,
    decoded,
  )
}

async function built(fork: OpFork) {
  const parent = genesisOf(fork)
  return { parent, block: await buildBlock({ fork, parent, transactions: await transactionsOf(fork) }) }
}

test.each(FORKS)('%s: takes a block with deposits', { tags: 'gate' }, async (fork) => {
  const { parent, block } = await built(fork)
  const imported = await importOn(parent, fork, encodeSealedBlock(block))
  expect(imported.hash).toBe(block.hash)
  expect(imported.executed.map(({ transaction }) => transaction)).toEqual(
    block.executed.map(({ transaction }) => transaction),
  )
  expect(imported.executed.map(({ receipt }) => receipt)).toEqual(
    block.executed.map(({ receipt }) => receipt),
  )
})

async function refusal(
  fork: OpFork,
  header: Partial<Header>,
  transactions: (valid: readonly Transaction[]) => readonly Transaction[] = (valid) => valid,
): Promise<string> {
  const { parent, block } = await built(fork)
  const valid = block.executed.map(({ transaction }) => transaction)
  const bytes = encodeBlock(opRules(fork), { ...block.header, ...header }, block.body, transactions(valid))
  return importOn(parent, fork, bytes).then(
    () => 'imported',
    (error: Error) => error.message,
  )
}

test('refuses other header fields than the chain computes', async () => {
  const fields: readonly (readonly [OpFork, Partial<Header>, RegExp])[] = [
    ['isthmus', { withdrawalsRoot: keccak256('0x80') }, /withdrawalsRoot/],
    ['isthmus', { blobGasUsed: 1n }, /blobGasUsed.*at most 0/],
    ['jovian', { blobGasUsed: 40_000n }, /blobGasUsed.*expected 80000.*40000/],
    ['jovian', { excessBlobGas: 1n }, /excessBlobGas/],
    ['jovian', { requestsHash: ZERO_HASH }, /requestsHash/],
    ['jovian', { baseFeePerGas: 1_000_000_000n }, /baseFeePerGas/],
    ['jovian', { extraData: EMPTY_BYTES }, /extraData.*should be 17 bytes, got 0/],
    ['holocene', { extraData: new Uint8Array(9) }, /extraData.*denominator of at least 1/],
  ]
  for (const [fork, header, message] of fields) expect(await refusal(fork, header)).toMatch(message)
})

test('takes any gas limit', async () => {
  const { parent, block } = await built('jovian')
  const header = { ...block.header, gasLimit: 400_000_000n }
  const bytes = encodeBlock(
    opRules('jovian'),
    header,
    block.body,
    block.executed.map(({ transaction }) => transaction),
  )
  expect((await importOn(parent, 'jovian', bytes)).header.gasLimit).toBe(400_000_000n)
})

test('refuses a block that does not open with L1 attributes', async () => {
  const expected = /transaction 0.*expected a deposit of L1 attributes/
  expect(await refusal('jovian', {}, ([, ...rest]) => rest)).toMatch(expected)
  expect(await refusal('jovian', {}, () => [])).toMatch(expected)
})

test('refuses a deposit after other transactions', async () => {
  const late = await refusal('jovian', {}, (valid) => [...valid, deposit()])
  expect(late).toMatch(/transaction 4.*expected no deposit after other transactions/)
})

test('refuses withdrawals', async () => {
  const { parent, block } = await built('canyon')
  const withdrawals = [{ index: 0n, validatorIndex: 0n, address: `0x${'01'.repeat(20)}` as Hex, amount: 1n }]
  const transactions = block.executed.map(({ transaction }) => transaction)
  const bytes = encodeBlock(opRules('canyon'), block.header, { ...block.body, withdrawals }, transactions)
  await expect(importOn(parent, 'canyon', bytes)).rejects.toThrow(/number of withdrawals/)
})

test('other chains refuse deposits', async () => {
  const { block } = await built('isthmus')
  const [decoded] = decodeBlocks(encodeSealedBlock(block))
  const schedule = constantSchedule(8453, 'prague', undefined)
  const rules = makeRules(8453, 'prague')
  const parent = { ...genesisOf('isthmus'), rules }
  // The base fee of such a chain falls by an eighth.
  const header = { ...decoded?.header, baseFeePerGas: 875_000_000n }
  const context = { schedule, executionUnder: () => contextOf(rules), chain: createChain(parent, 10) }
  await expect(importBlock(context, parent, { ...decoded, header } as never)).rejects.toThrow(
    /transaction 0.*expected a valid one, got transaction type not supported/,
  )
  expect(toHex(block.executed[0]?.transaction.type ?? 0)).toBe('0x7e')
})
