// What the pooled transactions of a sender may cost together, after some have left the pool.

import type { Hex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { ALICE, alice, BOB, type Scene, startScene, transfer, transferFees } from '../rpc/scene.ts'

const ETHER = 10n ** 18n
const FEE = transferFees.gas * transferFees.maxFeePerGas
const THIRD = (3n * ETHER) / 10n

let scene: Scene

beforeEach(async () => {
  scene = await startScene({ accounts: { balance: ETHER } })
})

function send(nonce: number, value: bigint): Promise<Hex> {
  return scene.send(alice, { ...transfer(BOB, nonce), value })
}

/** Whether Alice can spend `value` more, and not a wei beyond it. */
async function expectLeft(nonce: number, value: bigint): Promise<void> {
  await expect(send(nonce, value + 1n)).rejects.toMatchObject({ kind: 'insufficientFunds' })
  await expect(send(nonce, value)).resolves.toHaveLength(66)
}

describe('a sender can spend what its pooled transactions leave', () => {
  test('after one of them was dropped', async () => {
    await send(0, THIRD)
    const dropped = await send(1, THIRD)
    await send(2, THIRD)
    await scene.chain.dropTransaction(dropped)
    await expectLeft(1, ETHER - 2n * (THIRD + FEE) - FEE)
  })

  test('after one of them was replaced', async () => {
    await send(0, THIRD)
    await send(1, THIRD)
    const fees = { maxFeePerGas: 2n * transferFees.maxFeePerGas, maxPriorityFeePerGas: 2_000_000_000n }
    await scene.send(alice, { ...transfer(BOB, 1), ...fees, value: THIRD })
    await expectLeft(2, ETHER - (THIRD + FEE) - (THIRD + 2n * FEE) - FEE)
  })

  test('after one of them is in a block', async () => {
    await send(0, THIRD)
    await send(2, THIRD)
    await scene.chain.seal()
    const balance = BigInt(await scene.ask<Hex>('eth_getBalance', ALICE, 'latest'))
    await expectLeft(1, balance - (THIRD + FEE) - FEE)
  })
})
