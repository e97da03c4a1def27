import { beforeAll, describe, expect, test } from 'vitest'
import { ALICE, alice, BOB, bob, type Scene, startScene, transfer } from '../scene.ts'

/** In block 1, in this order; the first comes with a higher tip. */
let scene: Scene
let raw: string
let sealed: string
let preconfirmed: string
let waiting: string
let blockHash: string

beforeAll(async () => {
  scene = await startScene()
  const { chain, ask, send } = scene
  await send(bob, { ...transfer(ALICE, 0), maxPriorityFeePerGas: 2_000_000_000n })
  raw = await alice.signTransaction(transfer(BOB, 0))
  sealed = await ask<string>('eth_sendRawTransaction', raw)
  await chain.seal()
  blockHash = (await ask<{ hash: string }>('eth_getBlockByNumber', 'latest', false)).hash
  preconfirmed = await send(alice, transfer(BOB, 1))
  await chain.advance(200)
  waiting = await send(alice, transfer(BOB, 2))
})

const unknown = `0x${'11'.repeat(32)}`

/** 2024-01-01T00:00:02Z: the first block after genesis. */
const blockTimestamp = '0x65920082'

describe('by place', () => {
  test('in a block by number or hash', async () => {
    const place = { blockHash, blockNumber: '0x1', blockTimestamp, transactionIndex: '0x1' }
    const shown = await scene.ask('eth_getTransactionByBlockNumberAndIndex', '0x1', '0x1')
    expect(shown).toMatchObject({ hash: sealed, from: ALICE, ...place })
    expect(await scene.ask('eth_getTransactionByBlockHashAndIndex', blockHash, '0x1')).toEqual(shown)
    expect(await scene.ask('eth_getTransactionByHash', sealed)).toEqual(shown)
  })

  test('in the block being built', async () => {
    const shown = await scene.ask('eth_getTransactionByBlockNumberAndIndex', 'pending', '0x0')
    expect(shown).toMatchObject({ hash: preconfirmed, blockNumber: '0x2', blockTimestamp: '0x65920084' })
  })

  test.each([
    ['latest', '0x2'],
    ['0x7', '0x0'],
  ])('nowhere: %s, %s', async (block, index) => {
    expect(await scene.ask('eth_getTransactionByBlockNumberAndIndex', block, index)).toBeNull()
    expect(await scene.ask('eth_getRawTransactionByBlockNumberAndIndex', block, index)).toBeNull()
    expect(await scene.ask('eth_getTransactionByBlockHashAndIndex', unknown, index)).toBeNull()
    expect(await scene.ask('eth_getRawTransactionByBlockHashAndIndex', unknown, index)).toBeNull()
  })
})

describe('by sender and nonce', () => {
  test.each([
    ['0x0', () => sealed, '0x1'],
    ['0x1', () => preconfirmed, '0x2'],
    ['0x2', () => waiting, null],
  ] as const)('%s', async (nonce, hash, blockNumber) => {
    expect(await scene.ask('eth_getTransactionBySenderAndNonce', ALICE, nonce)).toMatchObject({
      hash: hash(),
      blockNumber,
    })
  })

  test('none', async () => {
    expect(await scene.ask('eth_getTransactionBySenderAndNonce', ALICE, '0x3')).toBeNull()
    expect(await scene.ask('eth_getTransactionBySenderAndNonce', BOB, '0x1')).toBeNull()
  })
})

test('a transaction that waits has no place', async () => {
  expect(await scene.ask('eth_getTransactionByHash', waiting)).toMatchObject({
    blockHash: null,
    blockNumber: null,
    blockTimestamp: null,
    transactionIndex: null,
  })
})

describe('raw', () => {
  test('the bytes that were sent', async () => {
    expect(await scene.ask('eth_getRawTransactionByHash', sealed)).toBe(raw)
    expect(await scene.ask('eth_getRawTransactionByBlockNumberAndIndex', '0x1', '0x1')).toBe(raw)
    expect(await scene.ask('eth_getRawTransactionByBlockHashAndIndex', blockHash, '0x1')).toBe(raw)
  })

  test('of one that waits', async () => {
    const bytes = await alice.signTransaction(transfer(BOB, 2))
    expect(await scene.ask('eth_getRawTransactionByHash', waiting)).toBe(bytes)
  })

  test('of an unknown one', async () => {
    expect(await scene.ask('eth_getRawTransactionByHash', unknown)).toBeNull()
  })
})
