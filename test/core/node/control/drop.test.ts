// Dropping of unsealed transactions.

import { beforeEach, describe, expect, test } from 'vitest'
import { ALICE, alice, BOB, bob, type Scene, startScene, transfer, transferFees } from '../../rpc/scene.ts'

let scene: Scene

beforeEach(async () => {
  scene = await startScene()
})

const UNKNOWN = `0x${'11'.repeat(32)}`
const poolStatus = () => scene.ask('txpool_status')
const find = (hash: string) => scene.ask('eth_getTransactionByHash', hash)

describe('dropTransaction', () => {
  test('removes a transaction from the pool; later ones wait behind the gap', async () => {
    const first = await scene.send(alice, transfer(BOB, 0))
    const second = await scene.send(alice, transfer(BOB, 1))
    expect(await scene.chain.dropTransaction(first)).toBe(true)
    expect(await find(first)).toBeNull()
    expect(await poolStatus()).toEqual({ pending: '0x0', queued: '0x1' })
    await scene.chain.seal()
    expect(await scene.ask('eth_getTransactionReceipt', second)).toBeNull()
    // The nonce is free again.
    await scene.send(alice, { ...transferFees, to: BOB, nonce: 0, value: 5n })
    await scene.chain.seal()
    expect(await scene.ask('eth_getTransactionReceipt', second)).toMatchObject({ status: '0x1' })
  })

  test('removes a pre-confirmed transaction from the block being built, and emits it', async () => {
    const hash = await scene.send(alice, transfer(BOB, 0))
    const other = await scene.send(bob, transfer(ALICE, 0))
    await scene.chain.advance(200)
    const told: unknown[] = []
    scene.chain.on('unincludedTransaction', (event) => told.push(event))
    expect(await scene.chain.dropTransaction(hash)).toBe(true)
    expect(told).toEqual([{ transactionHash: hash, reason: 'preconfirmationDropped', isPooled: false }])
    await scene.chain.seal()
    expect(await scene.ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({ transactions: [other] })
  })

  test("returns false if there is none, and refuses a sealed one with Hardhat's message", async () => {
    const hash = await scene.send(alice, transfer(BOB, 0))
    await scene.chain.seal()
    expect(await scene.chain.dropTransaction(UNKNOWN as `0x${string}`)).toBe(false)
    await expect(scene.chain.dropTransaction(hash)).rejects.toMatchObject({
      kind: 'alreadySealed',
      code: -32602,
      message: `Transaction ${hash} cannot be dropped because it's already mined`,
    })
    await expect(scene.chain.dropTransaction('0x12')).rejects.toMatchObject({ kind: 'invalidCall' })
  })

  test('removes a pooled one that is sealed as well, because its nonce was lowered', async () => {
    const hash = await scene.send(alice, transfer(BOB, 0))
    await scene.chain.seal()
    await scene.chain.setNonce(ALICE, 0)
    await scene.send(alice, transfer(BOB, 0))
    expect(await scene.chain.dropTransaction(hash)).toBe(true)
    expect(await poolStatus()).toEqual({ pending: '0x0', queued: '0x0' })
    await expect(scene.chain.dropTransaction(hash)).rejects.toMatchObject({ kind: 'alreadySealed' })
  })

  test.each([
    ['anvil', null, null, null],
    ['ganache', null, null, null],
    ['hardhat', true, false, 'alreadySealed'],
  ] as const)('over RPC returns the same as %s', async (flavor, dropped, unknown, sealed) => {
    scene = await startScene({ flavor })
    const one = await scene.send(alice, transfer(BOB, 0))
    expect(await scene.ask(`${flavor}_dropTransaction`, one)).toBe(dropped)
    expect(await scene.ask(`${flavor}_dropTransaction`, UNKNOWN)).toBe(unknown)
    const two = await scene.send(alice, transfer(BOB, 0))
    await scene.chain.seal()
    const again = await scene.ask(`${flavor}_dropTransaction`, two).catch(({ kind }) => kind)
    expect(again).toBe(sealed)
  })
})

describe('clearPool', () => {
  const ways = {
    clearPool: async () => {
      await scene.chain.clearPool()
    },
    anvil_dropAllTransactions: async () => expect(await scene.ask('anvil_dropAllTransactions')).toBeNull(),
    debug_clearTxpool: async () => expect(await scene.ask('debug_clearTxpool')).toBeNull(),
  }

  test.each(Object.entries(ways))('%s drops pooled and pre-confirmed transactions', async (_, drop) => {
    await scene.send(alice, transfer(BOB, 0))
    await scene.chain.advance(200)
    await scene.send(alice, transfer(BOB, 1))
    await scene.send(bob, transfer(ALICE, 7))
    await drop()
    expect(await poolStatus()).toEqual({ pending: '0x0', queued: '0x0' })
    expect(await scene.ask('eth_getTransactionCount', ALICE, 'pending')).toBe('0x0')
    await scene.chain.seal()
    expect(await scene.ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({ transactions: [] })
  })

  test('returns true in the flavor hardhat', async () => {
    scene = await startScene({ flavor: 'hardhat' })
    expect(await scene.ask('hardhat_dropAllTransactions')).toBe(true)
  })
})

test('anvil_removePoolTransactions drops those of one sender', async () => {
  await scene.send(alice, transfer(BOB, 0))
  await scene.chain.advance(200)
  await scene.send(alice, transfer(BOB, 1))
  const kept = await scene.send(bob, transfer(ALICE, 0))
  expect(await scene.ask('anvil_removePoolTransactions', ALICE)).toBeNull()
  await scene.chain.seal()
  expect(await scene.ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({ transactions: [kept] })
})

describe('eth_resend', () => {
  test('replaces a waiting transaction with the same one at another price', async () => {
    const request = {
      from: ALICE,
      to: BOB,
      value: '0x1',
      nonce: '0x0',
      gasPrice: '0x77359400',
      gas: '0x5208',
    }
    const hash = await scene.ask('eth_sendTransaction', request)
    const again = await scene.ask('eth_resend', request, '0xb2d05e00', '0x7530')
    expect(again).not.toBe(hash)
    expect(await find(hash as string)).toBeNull()
    expect(await find(again as string)).toMatchObject({
      ...{ nonce: '0x0', gasPrice: '0xb2d05e00', gas: '0x7530', value: '0x1', to: BOB, from: ALICE },
    })
  })

  const dynamic = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3b9aca00' }
  const accessList = [{ address: BOB, storageKeys: [] }]
  test.each<[what: string, fees: object, changes: readonly string[], expected: object]>([
    [
      'both fees of type 2 with one price',
      dynamic,
      ['0xb2d05e00'],
      { type: '0x2', maxFeePerGas: '0xb2d05e00', maxPriorityFeePerGas: '0xb2d05e00', gas: '0x7530' },
    ],
    [
      'the price of type 1, and keeps its access list',
      { gasPrice: '0x77359400', accessList },
      ['0xb2d05e00', '0x0'],
      { type: '0x1', gasPrice: '0xb2d05e00', accessList, gas: '0x7530' },
    ],
    [
      'the gas limit',
      { gasPrice: '0xb2d05e00' },
      ['0xd09dc300', '0x9c40'],
      { gasPrice: '0xd09dc300', gas: '0x9c40' },
    ],
  ])('changes %s', async (_, fees, changes, expected) => {
    const request = { from: ALICE, to: BOB, value: '0x1', nonce: '0x0', gas: '0x7530', ...fees }
    await scene.ask('eth_sendTransaction', request)
    const again = await scene.ask<string>('eth_resend', request, ...changes)
    expect(await find(again)).toMatchObject({ nonce: '0x0', value: '0x1', to: BOB, ...expected })
    expect(await poolStatus()).toEqual({ pending: '0x1', queued: '0x0' })
  })

  test.each([
    ['legacy', { gasPrice: '0xb2d05e00' }],
    ['of type 2', dynamic],
  ])('with a price of zero is the same transaction again: %s', async (_, fees) => {
    const request = { from: ALICE, to: BOB, value: '0x1', nonce: '0x0', gas: '0x7530', ...fees }
    await scene.ask('eth_sendTransaction', request)
    for (const changes of [[], ['0x0'], ['0x0', '0x0']]) {
      await expect(scene.ask('eth_resend', request, ...changes)).rejects.toMatchObject({
        kind: 'alreadyKnown',
      })
    }
  })

  test.each([
    ['has no nonce', { from: ALICE, to: BOB }, 'invalidParameter'],
    ['does not wait', { from: ALICE, to: BOB, nonce: '0x3' }, 'notWaiting'],
    ['is not the same', { from: ALICE, to: BOB, value: '0x2', nonce: '0x0' }, 'notWaiting'],
  ])('refuses one that %s', async (_, request, kind) => {
    await scene.ask('eth_sendTransaction', { from: ALICE, to: BOB, value: '0x1', nonce: '0x0' })
    await expect(scene.ask('eth_resend', request, '0xb2d05e00')).rejects.toMatchObject({ kind })
  })
})
