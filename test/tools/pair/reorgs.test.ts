// Reorganisations of the layer 1, and what they take with them on the layer 2.

import { base } from 'tickchain'
import { parseAbi, parseEther } from 'viem'
import { expect, test } from 'vitest'
import { createRollup } from '../../../src/rollup.ts'
import { ACCOUNT, blockOf, clientsOf, numberOf } from './clients.ts'

const TO = '0x00000000000000000000000000000000000000aa'

test('a reorganisation below an origin replaces the blocks derived from it, with the deposit', async () => {
  const rollup = await createRollup({ proposer: { intervalS: 86_400 } })
  const { l1, l2 } = rollup
  const { public2, wallet1 } = clientsOf(rollup)
  const request = await public2.buildDepositTransaction({ mint: parseEther('1'), to: TO, account: ACCOUNT })
  await rollup.advance(6000)
  // The portal's market of gas costs more some blocks later than the estimate says.
  await wallet1.depositTransaction({ ...request, gas: 300_000n })
  await rollup.advance(24_000)
  const [six, seven, head] = [await blockOf(l2, 6), await blockOf(l2, 7), await blockOf(l2, 'latest')]
  expect(seven.transactions.map(({ type }) => type)).toEqual(['0x7e', '0x7e'])
  expect(Number(head.number)).toBe(15)
  const told: string[] = []
  l1.on('orphanedBlocks', ({ blocks }) => told.push(`l1 -${blocks.length}`))
  l1.on('sealedBlock', () => told.push('l1 +1'))
  l2.on('orphanedBlocks', ({ blocks }) => told.push(`l2 -${blocks.length}`))
  l2.on('sealedBlock', () => told.push('l2 +1'))
  await l1.reorg({ depth: 2 })
  expect(told).toEqual(['l1 -2', 'l1 +1', 'l1 +1', 'l2 -9', ...Array(9).fill('l2 +1')])
  // Blocks up to the origin that is still there stay; the clock does not move.
  expect(await blockOf(l2, 6)).toEqual(six)
  const other = await blockOf(l2, 7)
  expect(other.hash).not.toBe(seven.hash)
  expect(other.timestamp).toBe(seven.timestamp)
  expect(other.transactions).toHaveLength(1)
  expect(await numberOf(l2, 'latest')).toBe(15)
  expect(await public2.getBalance({ address: TO })).toBe(0n)
  // The deposit has returned to the layer 1's pool, and comes once more.
  await rollup.advance(14_000)
  expect(await public2.getBalance({ address: TO })).toBe(parseEther('1'))
})

test('a reorganisation above all origins replaces nothing', async () => {
  const rollup = await createRollup({ l1ConfirmationDepth: 2 })
  const { l1, l2 } = rollup
  await rollup.advance(50_000)
  const before = await blockOf(l2, 'latest')
  await l1.reorg({ depth: 2 })
  expect(await blockOf(l2, 'latest')).toEqual(before)
  await rollup.advance(50_000)
  expect(await blockOf(l2, Number(before.number))).toEqual(before)
  await l1.reorg({ depth: 4 })
  expect((await blockOf(l2, 'latest')).hash).not.toBe(before.hash)
})

test('it takes pre-confirmations along: what can run is pre-confirmed again', async () => {
  const rollup = await createRollup()
  const { l1, l2 } = rollup
  const { wallet2, public2 } = clientsOf(rollup)
  await rollup.advance(14_000)
  const hash = await wallet2.sendTransaction({ to: TO, value: 1n })
  await rollup.advance(200)
  const before = await blockOf(l2, 'pending')
  expect(before.transactions.map((each) => each.hash)).toContain(hash)
  await l1.request('anvil_reorg', [1, []])
  const after = await blockOf(l2, 'pending')
  expect(after.transactions.map((each) => each.hash)).toContain(hash)
  expect(after.transactions[0]!.hash).not.toBe(before.transactions[0]!.hash)
  await rollup.advance(1800)
  expect((await public2.getTransactionReceipt({ hash })).blockNumber).toBe(8n)
})

test('safe goes back with the batches, and forward when they are posted again', async () => {
  const rollup = await createRollup({ batcher: { intervalS: 24 } })
  const { l1, l2 } = rollup
  await rollup.advance(36_000)
  expect(await numberOf(l2, 'safe')).toBe(12)
  const head = await blockOf(l2, 12)
  await l1.reorg({ depth: 1, repool: false })
  expect(await numberOf(l2, 'safe')).toBe(0)
  expect((await blockOf(l2, 12)).hash).toBe(head.hash)
  await rollup.advance(24_000)
  expect(await numberOf(l2, 'safe')).toBeGreaterThanOrEqual(12)
})

test('a proposal that went with its block is made again', async () => {
  const rollup = await createRollup({ proposer: { intervalS: 24 }, batcher: { intervalS: 12 } })
  const { public1, chain2 } = clientsOf(rollup)
  const address = chain2.contracts.disputeGameFactory[900]!.address
  const abi = parseAbi(['function gameCount() view returns (uint256)'])
  const games = () => public1.readContract({ abi, address, functionName: 'gameCount' })
  await rollup.advance(60_000)
  expect(await games()).toBe(2n)
  await rollup.batcher.withhold()
  await rollup.l1.reorg({ depth: 2, repool: false })
  expect(await games()).toBe(1n)
  await rollup.proposer.submit()
  await rollup.advance(12_000)
  expect(await games()).toBe(2n)
})

test('blocks every 200 ms that are derived again keep their milliseconds', async () => {
  const { l1, l2, advance } = await createRollup({ l2: base() })
  await advance(25_000)
  const blocks = async () => Promise.all(Array.from({ length: 6 }, (_, index) => blockOf(l2, 119 + index)))
  const before = await blocks()
  const start = Number(before[0]!.timestampMs)
  expect(before.map(({ timestampMs }) => Number(timestampMs) - start)).toEqual([0, 200, 400, 600, 800, 1000])
  await l1.reorg({ depth: 2 })
  const after = await blocks()
  expect(after.map(({ timestampMs }) => timestampMs)).toEqual(before.map(({ timestampMs }) => timestampMs))
  expect(after.at(-1)!.hash).not.toBe(before.at(-1)!.hash)
})
