// What the sequencer may do and what follows without it: sequencing window, forced inclusion, drift.
import { parseEther } from 'viem'
import { expect, test } from 'vitest'
import { internalsOf } from '../../../src/core/emulator/internals.ts'
import { createRollup } from '../../../src/rollup.ts'
import { ACCOUNT, blockOf, clientsOf, numberOf } from './clients.ts'

const TO = '0x00000000000000000000000000000000000000aa'

test('blocks whose batches are withheld past the sequencing window give way to blocks of deposits alone', async () => {
  const rollup = await createRollup({ sequencingWindow: 5 })
  const { l2 } = rollup
  const { wallet2, public2 } = clientsOf(rollup)
  await rollup.batcher.withhold()
  const hash = await wallet2.sendTransaction({ to: TO, value: 1n })
  await rollup.advance(2000)
  expect((await public2.getTransactionReceipt({ hash })).blockNumber).toBe(1n)
  // The epoch 0 has to be posted up to L1 block 5, at 60 s.
  await rollup.advance(57_900)
  expect((await public2.getTransactionReceipt({ hash })).blockNumber).toBe(1n)
  expect(await numberOf(l2, 'safe')).toBe(0)
  await rollup.advance(100)
  const one = await blockOf(l2, 1)
  expect(one.transactions).toHaveLength(1)
  expect(await numberOf(l2, 'latest')).toBe(30)
  // Epoch 0 has blocks up to 10 s: the next epoch begins at 12 s.
  expect(await numberOf(l2, 'safe')).toBe(5)
  // The transaction was in the pool again, and is in the block that was being built.
  expect((await public2.getTransactionReceipt({ hash })).blockNumber).toBe(30n)
})

test('batches in time keep the blocks', async () => {
  const rollup = await createRollup({ sequencingWindow: 5 })
  const { l2 } = rollup
  const { wallet2, public2 } = clientsOf(rollup)
  await rollup.batcher.withhold()
  const hash = await wallet2.sendTransaction({ to: TO, value: 1n })
  await rollup.advance(50_000)
  const head = await blockOf(l2, 25)
  await rollup.batcher.submit()
  await rollup.advance(10_000)
  expect(await numberOf(l2, 'safe')).toBe(25)
  expect(await blockOf(l2, 25)).toEqual(head)
  expect((await public2.getTransactionReceipt({ hash })).blockNumber).toBe(1n)
})

test('without a sequencer, deposits are included when the window has passed', async () => {
  const rollup = await createRollup({ sequencingWindow: 5 })
  const { l2 } = rollup
  const { public2, wallet1 } = clientsOf(rollup)
  const request = await public2.buildDepositTransaction({ mint: parseEther('1'), to: TO, account: ACCOUNT })
  await rollup.sequencer.stop()
  await wallet1.depositTransaction(request)
  await rollup.advance(60_000)
  // L1 block 5 ends the window of epoch 0.
  expect(await numberOf(l2, 'latest')).toBe(5)
  expect(await public2.getBalance({ address: TO })).toBe(0n)
  await rollup.advance(12_000)
  // L1 block 6 ends that of epoch 1, which has the deposit: blocks from 12 s to 22 s.
  expect(await numberOf(l2, 'latest')).toBe(11)
  expect(await public2.getBalance({ address: TO })).toBe(parseEther('1'))
  const six = await blockOf(l2, 6)
  expect(Number(six.timestamp)).toBe(1_704_067_212)
  expect(six.transactions).toHaveLength(2)
  await rollup.sequencer.start()
  // It makes the blocks up to now, 72 s.
  expect(await numberOf(l2, 'latest')).toBe(36)
  await rollup.advance(2000)
  expect(await numberOf(l2, 'latest')).toBe(37)
})

test('what was pre-confirmed before the sequencer stopped is in the first block after it starts', async () => {
  const rollup = await createRollup({ sequencingWindow: 5 })
  const { wallet2, public2 } = clientsOf(rollup)
  const hash = await wallet2.sendTransaction({ to: TO, value: 1n })
  await rollup.advance(200)
  await rollup.sequencer.stop()
  await rollup.advance(60_000)
  // The blocks of epoch 0, up to 10 s, are derived from the layer 1; the transaction waits.
  expect(await numberOf(rollup.l2, 'latest')).toBe(5)
  expect((await blockOf(rollup.l2, 'pending')).transactions.map((each) => each.hash)).not.toContain(hash)
  await rollup.sequencer.start()
  expect((await public2.getTransactionReceipt({ hash })).blockNumber).toBe(6n)
  const six = await blockOf(rollup.l2, 6)
  expect(Number(six.timestamp)).toBe(1_704_067_212)
})

test('a start makes no more blocks than a call may, and tells of them on the way', {
  tags: 'gate',
}, async () => {
  const rollup = await createRollup({ l1: { blockTimeMs: 60_000 }, l2: { limits: { stepsPerCall: 300 } } })
  await rollup.sequencer.stop()
  await rollup.advance(600_000)
  const copy = rollup.clone()
  await copy.advance(2000)
  await expect(copy.sequencer.start()).rejects.toMatchObject({
    kind: 'tooManySteps',
    message: expect.stringContaining('sequencer.start would perform 301 steps, more than the limit of 300'),
  })
  expect(await numberOf(copy.l2, 'latest')).toBe(0)
  const heads = new Set<number>()
  const heard: number[] = []
  rollup.l2.on('sealedBlock', ({ number }) => {
    heard.push(Number(number))
    heads.add(internalsOf('test', rollup.l2).session.node.state.chain.head.header.number)
  })
  await rollup.sequencer.start()
  expect(heard).toEqual(Array.from({ length: 300 }, (_, i) => i + 1))
  expect(heads.size).toBeGreaterThan(1)
})

test('a transaction waits while the L1 origin is too old for one', async () => {
  const rollup = await createRollup({
    l2: { rollup: { maxSequencerDriftS: 10 } },
    l1: { blockTimeMs: 60_000 },
  })
  const { wallet2, public2 } = clientsOf(rollup)
  await rollup.advance(10_000)
  const hash = await wallet2.sendTransaction({ to: TO, value: 1n })
  await rollup.advance(48_000)
  expect((await blockOf(rollup.l2, 'latest')).transactions).toHaveLength(1)
  await expect(public2.getTransactionReceipt({ hash })).rejects.toThrow('could not be found')
  // The block at 60 s takes the L1 block of that time, and with it the transaction.
  await rollup.advance(2000)
  expect((await public2.getTransactionReceipt({ hash })).blockNumber).toBe(30n)
  const head = await blockOf(rollup.l2, 30)
  // A verifier agrees: an origin may only be passed over within the drift.
  await rollup.advance(120_000)
  expect(await numberOf(rollup.l2, 'safe')).toBeGreaterThanOrEqual(30)
  expect((await blockOf(rollup.l2, 30)).hash).toBe(head.hash)
})

test('more confirmations than the drift leaves time for are refused', async () => {
  const drifting = (l1ConfirmationDepth: number) =>
    createRollup({ l2: { rollup: { maxSequencerDriftS: 38 } }, l1ConfirmationDepth })
  // Two confirmations of 12 s after the L1 block itself, and a block of 2 s: 38 s.
  const rollup = await drifting(2)
  await rollup.advance(240_000)
  expect(await numberOf(rollup.l2, 'safe')).toBeGreaterThan(30)
  await expect(drifting(3)).rejects.toThrow(
    'invalid option l1ConfirmationDepth: expected at most 2, which the sequencer drift of 38 s leaves time for, got 3',
  )
})
