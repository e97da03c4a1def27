// Snapshots, clones and replays of a pair, and a second node that derives the layer 2 from the layer 1 alone.
import { parseEther } from 'viem'
import { expect, test } from 'vitest'
import { createRollup } from '../../../src/rollup.ts'
import type { Rollup } from '../../../src/tools/pair/rollup.ts'
import { ACCOUNT, blockOf, clientsOf, numberOf } from './clients.ts'

const TO = '0x00000000000000000000000000000000000000aa'

/** Deposits, transactions, a reorganisation of the layer 1, and time. */
async function play(rollup: Rollup): Promise<void> {
  const { public2, wallet1, wallet2 } = clientsOf(rollup)
  const request = await public2.buildDepositTransaction({ mint: parseEther('1'), to: TO, account: ACCOUNT })
  await wallet1.depositTransaction({ ...request, gas: 300_000n })
  await rollup.advance(30_200)
  for (let round = 0; round < 5; round++) {
    await wallet2.sendTransaction({ to: TO, value: 1n, gas: 21_000n })
    await rollup.advance(1400)
  }
  await rollup.l1.reorg({ depth: 2 })
  await rollup.advance(100_000)
}

/** Everything that both chains hold, as bytes. */
async function bytesOf({ l1, l2 }: Rollup): Promise<string[]> {
  return [await l1.exportBlocks(), await l2.exportBlocks()].map((bytes) => Buffer.from(bytes).toString('hex'))
}

test('the same calls give the same bytes', { tags: 'gate' }, async () => {
  const [one, two] = [await createRollup(), await createRollup()]
  await play(one)
  await play(two)
  expect(await bytesOf(one)).toEqual(await bytesOf(two))
  expect(one.now).toBe(two.now)
})

test('a snapshot of any layer is one of all', { tags: 'gate' }, async () => {
  const rollup = await createRollup()
  const { l1, l2 } = rollup
  await rollup.advance(15_000)
  const before = await bytesOf(rollup)
  const handles = [rollup.snapshot(), l1.snapshot(), l2.snapshot()]
  const numbered = await l1.request('evm_snapshot', [])
  for (const handle of handles) {
    await play(rollup)
    expect(await bytesOf(rollup)).not.toEqual(before)
    await rollup.revert(handle)
    expect(await bytesOf(rollup)).toEqual(before)
    expect([l1.now, l2.now]).toEqual([rollup.now, rollup.now])
  }
  await play(rollup)
  const after = await bytesOf(rollup)
  await l1.request('evm_revert', [numbered])
  expect(await bytesOf(rollup)).toEqual(before)
  await play(rollup)
  expect(await bytesOf(rollup)).toEqual(after)
})

test('a snapshot that was taken before only one layer has changed goes back to that', async () => {
  const rollup = await createRollup()
  const start = rollup.l1.snapshot()
  await rollup.l2.setBalance(TO, 5n)
  const middle = rollup.l1.snapshot()
  await rollup.l2.setBalance(TO, 6n)
  const balance = () => rollup.l2.request('eth_getBalance', [TO, 'latest'])
  await rollup.revert(middle)
  expect(await balance()).toBe('0x5')
  await rollup.revert(start)
  expect(await balance()).toBe('0x0')
})

test('a reset of a layer is one of all', async () => {
  const rollup = await createRollup()
  const before = await bytesOf(rollup)
  await play(rollup)
  await rollup.l2.reset()
  expect(await bytesOf(rollup)).toEqual(before)
  expect([rollup.l1.now, rollup.l2.now]).toEqual([1_704_067_200_000, 1_704_067_200_000])
  await play(rollup)
  await rollup.l1.request('anvil_reset', [])
  expect(await bytesOf(rollup)).toEqual(before)
})

test('a clone goes its own way, as the pair would have gone', { tags: 'gate' }, async () => {
  const rollup = await createRollup()
  await rollup.advance(15_000)
  const copy = rollup.clone()
  await play(copy)
  expect(await numberOf(rollup.l2, 'latest')).toBe(7)
  expect(rollup.now).toBe(1_704_067_215_000)
  await play(rollup)
  expect(await bytesOf(rollup)).toEqual(await bytesOf(copy))
  const third = rollup.l2.clone()
  await third.advance(2000)
  expect(third.now - rollup.now).toBe(2000)
})

test('a node without a sequencer derives the same blocks from the layer 1', async () => {
  const rollup = await createRollup()
  await play(rollup)
  await rollup.batcher.submit()
  await rollup.advance(12_000)
  const verifier = await createRollup()
  await verifier.sequencer.stop()
  await verifier.batcher.withhold()
  await verifier.proposer.withhold()
  await verifier.l1.importBlocks(await rollup.l1.exportBlocks())
  const safe = await numberOf(rollup.l2, 'safe')
  expect(safe).toBeGreaterThan(60)
  expect(await numberOf(verifier.l2, 'latest')).toBe(safe)
  expect((await blockOf(verifier.l2, safe)).hash).toBe((await blockOf(rollup.l2, safe)).hash)
})
