// Layers without a block time: auto production.

import { createRollup, type Rollup } from 'tickchain/rollup'
import { keccak256, parseEther, toHex } from 'viem'
import { getL2TransactionHashes } from 'viem/op-stack'
import { expect, test } from 'vitest'
import { ACCOUNT, clientsOf, numberOf } from './clients.ts'

const TO = '0x00000000000000000000000000000000000000aa'
const AUTO = { production: 'auto' } as const

test('with auto production on both layers a deposit is on layer 2 when its hash is answered', async () => {
  const rollup = await createRollup({ l1: AUTO, l2: AUTO })
  const { public1, public2, wallet1, chain2: targetChain } = clientsOf(rollup)
  const request = { mint: parseEther('1'), to: TO, gas: 21_000n } as const
  for (let count = 1n; count <= 3n; count++) {
    const hash = await wallet1.depositTransaction({ request, targetChain, gas: 300_000n })
    const [deposited] = getL2TransactionHashes(await public1.getTransactionReceipt({ hash }))
    const receipt = await public2.getTransactionReceipt({ hash: deposited! })
    expect(receipt).toMatchObject({ status: 'success', blockNumber: count, transactionIndex: 1 })
    expect(await public2.getBalance({ address: TO })).toBe(count * parseEther('1'))
  }
})

test('with auto production on layer 2 it makes a block for each block of layer 1', {
  tags: 'gate',
}, async () => {
  const rollup = await createRollup({ l2: AUTO })
  await rollup.advance(36_000)
  expect(await numberOf(rollup.l2, 'latest')).toBe(3)
  // More than the sequencer drift of 1800 seconds.
  await rollup.advance(3_600_000)
  const { public2, wallet2 } = clientsOf(rollup)
  const hash = await wallet2.sendTransaction({ to: TO, value: 1n })
  expect((await public2.getTransactionReceipt({ hash })).blockNumber).toBe(304n)
})

test('with auto production on layer 1 a game is resolved in the block after a jump', {
  tags: 'gate',
}, async () => {
  const rollup = await createRollup({ l1: AUTO })
  const { public1, chain2: targetChain } = clientsOf(rollup)
  await rollup.advance(600_000)
  const [game] = await public1.getGames({ targetChain })
  const address = `0x${game!.metadata.slice(26)}` as const
  const status = () =>
    public1.readContract({
      address,
      abi: [
        {
          name: 'status',
          type: 'function',
          stateMutability: 'view',
          inputs: [],
          outputs: [{ type: 'uint8' }],
        },
      ],
      functionName: 'status',
    })
  expect(await status()).toBe(0)
  await rollup.jump(3.5 * 86_400_000)
  // DEFENDER_WINS
  expect(await status()).toBe(2)
})

/** Ends a rollup that makes blocks without end, so that the call fails instead. */
function endAfter(rollup: Rollup, most: number): void {
  let count = 0
  rollup.l1.on('sealedBlock', () => {
    if (++count > most) rollup.dispose()
  })
}

test('blocks for the batcher’s own transactions do not make it post without end', {
  tags: 'gate',
}, async () => {
  // A block of layer 2 takes transactions of the batcher, each a block on layer 1, which takes one on layer 2.
  const rollup = await createRollup({
    ...{ l1: AUTO, l2: AUTO },
    batcher: { intervalS: 12, maxTransactionBytes: 120 },
  })
  await rollup.batcher.withhold()
  for (let seed = 0; seed < 30; seed++) {
    // Bytes that compress badly.
    const words = Array.from({ length: 10 }, (_, i) => keccak256(toHex(10 * seed + i)).slice(2))
    await rollup.l2.request('eth_sendTransaction', [
      { from: ACCOUNT.address, to: TO, input: `0x${words.join('')}` },
    ])
  }
  await rollup.batcher.resume()
  endAfter(rollup, 900)
  const start = rollup.now
  await rollup.advance(60_000)
  // What is posted last within the minute still moves the clock, but nothing is posted on that.
  expect(rollup.now).toBeLessThan(start + 300_000)
})

test('a layer 1 and a layer 2 with a block a second do not drive each other on', async () => {
  const rollup = await createRollup({ l1: { blockTimeMs: 1000 }, l2: AUTO })
  endAfter(rollup, 50)
  await rollup.l2.request('eth_sendTransaction', [{ from: ACCOUNT.address, to: TO }])
  const start = rollup.now
  await rollup.advance(10_000)
  expect(rollup.now).toBe(start + 10_000)
  expect(await numberOf(rollup.l2, 'latest')).toBe(await numberOf(rollup.l1, 'latest'))
})
