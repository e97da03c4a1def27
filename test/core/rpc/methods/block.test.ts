import { beforeAll, describe, expect, test } from 'vitest'
import { ALICE, alice, BOB, bob, type Scene, startScene, transfer } from '../scene.ts'

/** Block 1 has two transactions, the block being built has one. */
let scene: Scene
let hash: string

beforeAll(async () => {
  scene = await startScene()
  const { chain, send, ask } = scene
  await send(alice, transfer(BOB, 0))
  await send(bob, transfer(ALICE, 0))
  await chain.seal()
  await send(alice, transfer(BOB, 1))
  await chain.advance(200)
  hash = (await ask<{ hash: string }>('eth_getBlockByNumber', 'latest', false)).hash
})

const unknown = `0x${'11'.repeat(32)}`

describe('counts of transactions', () => {
  test.each([
    ['0x0', '0x0'],
    ['0x1', '0x2'],
    ['latest', '0x2'],
    ['pending', '0x1'],
    ['0x7', null],
  ])('of %s: %s', async (block, count) => {
    expect(await scene.ask('eth_getBlockTransactionCountByNumber', block)).toBe(count)
  })

  test('by hash', async () => {
    expect(await scene.ask('eth_getBlockTransactionCountByHash', hash)).toBe('0x2')
    expect(await scene.ask('eth_getBlockTransactionCountByHash', unknown)).toBeNull()
  })
})

describe('headers', () => {
  test('are blocks without what is in them', async () => {
    const { size, transactions, uncles, withdrawals, ...header } = await scene.ask<Record<string, unknown>>(
      'eth_getBlockByNumber',
      'latest',
      false,
    )
    expect([size, transactions, uncles, withdrawals]).not.toContain(undefined)
    expect(await scene.ask('eth_getHeaderByNumber', 'latest')).toEqual(header)
    expect(await scene.ask('erigon_getHeaderByNumber', 'latest')).toEqual(header)
    expect(await scene.ask('eth_getHeaderByHash', hash)).toEqual(header)
  })

  test('of the block being built', async () => {
    expect(await scene.ask('eth_getHeaderByNumber', 'pending')).toMatchObject({
      number: '0x2',
      parentHash: hash,
      gasUsed: '0x5208',
    })
  })

  test('of no block', async () => {
    expect(await scene.ask('eth_getHeaderByNumber', '0x7')).toBeNull()
    expect(await scene.ask('eth_getHeaderByHash', unknown)).toBeNull()
  })
})

describe('uncles', () => {
  test.each(['0x1', 'pending'])('block %s has none', async (block) => {
    expect(await scene.ask('eth_getUncleCountByBlockNumber', block)).toBe('0x0')
    expect(await scene.ask('eth_getUncleByBlockNumberAndIndex', block, '0x0')).toBeNull()
  })

  test('by hash', async () => {
    expect(await scene.ask('eth_getUncleCountByBlockHash', hash)).toBe('0x0')
    expect(await scene.ask('eth_getUncleByBlockHashAndIndex', hash, '0x0')).toBeNull()
  })

  test('of no block', async () => {
    expect(await scene.ask('eth_getUncleCountByBlockNumber', '0x7')).toBeNull()
    expect(await scene.ask('eth_getUncleCountByBlockHash', unknown)).toBeNull()
    expect(await scene.ask('eth_getUncleByBlockHashAndIndex', unknown, '0x0')).toBeNull()
  })
})

test('a block of 32 bytes is a hash', async () => {
  expect(await scene.ask('eth_getBlockReceipts', hash)).toHaveLength(2)
  expect(await scene.ask('eth_getBlockReceipts', unknown)).toBeNull()
  const balance = 10n ** 22n - 21_000n * 1_875_000_000n
  expect(await scene.ask('eth_getBalance', ALICE, hash)).toBe(`0x${balance.toString(16)}`)
})
