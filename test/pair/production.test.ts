// Layers without a block time: auto production.

import { createRollup } from 'tickchain/rollup'
import { parseEther } from 'viem'
import { getL2TransactionHashes } from 'viem/op-stack'
import { expect, test } from 'vitest'
import { clientsOf, numberOf } from './clients.ts'

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

test('with auto production on layer 2 it makes a block for each block of layer 1', async () => {
  const rollup = await createRollup({ l2: AUTO })
  await rollup.advance(36_000)
  expect(await numberOf(rollup.l2, 'latest')).toBe(3)
  // More than the sequencer drift of 1800 seconds.
  await rollup.advance(3_600_000)
  const { public2, wallet2 } = clientsOf(rollup)
  const hash = await wallet2.sendTransaction({ to: TO, value: 1n })
  expect((await public2.getTransactionReceipt({ hash })).blockNumber).toBe(304n)
})

test('with auto production on layer 1 a game is resolved in the block after a jump', async () => {
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
