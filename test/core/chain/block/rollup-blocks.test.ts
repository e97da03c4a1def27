// Headers of the OP stack, against the specification (isthmus and jovian, execution engine), @ethereumjs/mpt and viem.

import { createMPT } from '@ethereumjs/mpt'
import { type Hex, hexToBytes, keccak256, padHex, parseTransaction, sha256, toHex, toRlp } from 'viem'
import { parseTransaction as parseOpTransaction } from 'viem/op-stack'
import { expect, test } from 'vitest'
import { encodeSealedBlock } from '../../../../src/core/chain/block/block.ts'
import { feesAfter } from '../../../../src/core/chain/block/execute-block.ts'
import { encodeReceipt } from '../../../../src/core/execution/transaction/transaction.ts'
import type { OpFork } from '../../../../src/core/rollup/op/forks.ts'
import { rootOfList } from '../recompute.ts'
import { buildBlock, genesisOf, transactionsOf } from '../rollup-block.ts'

const FORKS = ['canyon', 'ecotone', 'fjord', 'holocene', 'isthmus', 'jovian'] as const
const EMPTY_ROOT = keccak256('0x80')

async function built(fork: OpFork) {
  const parent = genesisOf(fork)
  return buildBlock({ fork, parent, transactions: await transactionsOf(fork) })
}

/** The root of slots 5 → 7 and, after the block's last transaction, 9 → 1. */
async function passerRoot(slots: readonly (readonly [Hex, Hex])[]): Promise<Hex> {
  const trie = await createMPT({ useKeyHashing: true })
  for (const [slot, value] of slots) await trie.put(hexToBytes(padHex(slot, { size: 32 })), hexToBytes(value))
  return toHex(trie.root())
}

test.each(FORKS)('%s: commits to transactions and receipts', async (fork) => {
  const { header, executed } = await built(fork)
  const raws = executed.map(({ transaction }) => toHex(transaction.raw))
  expect(header.transactionsRoot).toBe(await rootOfList(raws))
  expect(header.receiptsRoot).toBe(await rootOfList(executed.map((each) => toHex(encodeReceipt(each)))))
  expect(executed.map(({ receipt }) => receipt.status)).toEqual([1, 1, 1, 1])
  const [attributes, user] = raws as [Hex, Hex]
  expect(parseOpTransaction(attributes as never)).toMatchObject({ type: 'deposit', gas: 1_000_000n })
  expect(parseOpTransaction(user as never)).toMatchObject({
    type: 'deposit',
    mint: 3n,
    value: 2n,
    gas: 100_000n,
  })
  expect(parseTransaction(raws[2] as Hex)).toMatchObject({ nonce: 0, value: 5n })
})

test.each(FORKS)('%s: the withdrawals root is of the message passer from isthmus on', async (fork) => {
  const isIsthmus = fork === 'isthmus' || fork === 'jovian'
  const atGenesis = isIsthmus ? await passerRoot([['0x05', '0x07']]) : EMPTY_ROOT
  const after = isIsthmus
    ? await passerRoot([
        ['0x05', '0x07'],
        ['0x09', '0x01'],
      ])
    : EMPTY_ROOT
  expect(genesisOf(fork).header.withdrawalsRoot).toBe(atGenesis)
  expect((await built(fork)).header.withdrawalsRoot).toBe(after)
})

test('there are no requests and no blobs; blob gas is the DA footprint in jovian', async () => {
  const isthmus = (await built('isthmus')).header
  expect(isthmus.requestsHash).toBe(sha256('0x'))
  expect(isthmus).toMatchObject({ blobGasUsed: 0n, excessBlobGas: 0n, blobBaseFee: 1n })
  const jovian = await built('jovian')
  // Two transactions of the least size, 100 bytes at 400 gas each; deposits count nothing.
  expect(jovian.header).toMatchObject({ blobGasUsed: 80_000n, excessBlobGas: 0n, blobBaseFee: 1n })
  expect(jovian.header.requestsHash).toBe(sha256('0x'))
})

test('the next base fee follows from extraData and, in jovian, from the footprint', async () => {
  const { header, rules } = await built('jovian')
  const parent = { rules, header: { ...header, gasUsed: 21_000n, blobGasUsed: 10_000_000n } }
  // Target 30,000,000 / 6; above it by as much again: 1/250 more.
  const { baseFeePerGas } = header
  expect(feesAfter(rules, parent)).toEqual({
    baseFeePerGas: baseFeePerGas + baseFeePerGas / 250n,
    ...{ excessBlobGas: 0n, blobBaseFee: 1n },
  })
  // At least the minimum of the parent's extraData.
  const floor = genesisOf('jovian', 2_000_000_000n)
  expect(feesAfter(rules, floor).baseFeePerGas).toBe(2_000_000_000n)
})

test('the RLP of a block has deposits as byte strings, and an empty list of withdrawals', async () => {
  const block = await built('jovian')
  const { header } = block
  const quantity = (value: bigint | number): Hex => (BigInt(value) === 0n ? '0x' : toHex(BigInt(value)))
  const even = (hex: Hex): Hex => (hex.length % 2 === 0 ? hex : `0x0${hex.slice(2)}`)
  const fields: Hex[] = [
    ...[header.parentHash, header.unclesHash, header.coinbase, header.stateRoot],
    ...[header.transactionsRoot, header.receiptsRoot, toHex(header.logsBloom), '0x' as Hex],
    ...[header.number, header.gasLimit, header.gasUsed, header.timestamp].map((each) => even(quantity(each))),
    ...[toHex(header.extraData), header.prevRandao, '0x0000000000000000' as Hex],
    ...[
      even(quantity(header.baseFeePerGas)),
      header.withdrawalsRoot,
      even(quantity(header.blobGasUsed)),
      '0x' as Hex,
    ],
    ...[header.parentBeaconBlockRoot, header.requestsHash],
  ]
  expect(block.hash).toBe(keccak256(toRlp(fields)))
  const raws = block.executed.map(({ transaction }) => toHex(transaction.raw))
  expect(toHex(encodeSealedBlock(block))).toBe(toRlp([fields, raws, [], []] as never))
})
