// The adversary's events, against what the protocol allows at the moment.

import { createEmulator, type Emulator } from 'tickchain'
import { beforeEach, describe, expect, test } from 'vitest'
import { performEvent, possibleEvents } from '../../../../src/tools/explore/applications/adversary.ts'
import { stageOf } from '../../../../src/tools/explore/applications/stage.ts'

const shop = `0x${'5a'.repeat(20)}` as const
let chain: Emulator

const pay = async (who: number): Promise<unknown> => {
  const from = (await chain.listAccounts())[who]
  return chain.request('eth_sendTransaction', [{ ...(from && { from }), to: shop, value: '0x1' }])
}
const head = async () => (await chain.request('eth_getBlockByNumber', ['latest', false]))!
const baseFee = async (): Promise<bigint> => BigInt((await head()).baseFeePerGas ?? 0)

beforeEach(async () => {
  chain = await createEmulator()
})

describe('nothing is possible that is not there', () => {
  test('at the beginning', () => {
    const stage = stageOf('explore', chain)
    for (const kind of ['partials', 'drops', 'reorgs', 'l1Reorgs'] as const) {
      expect(possibleEvents(stage, kind, 3)).toEqual([])
    }
  })

  test('below the set-up, and below the finalized block', async () => {
    await pay(0)
    await chain.seal()
    expect(possibleEvents(stageOf('explore', chain), 'reorgs', 3)).toEqual([])
    const stage = stageOf('explore', chain)
    await pay(0)
    await chain.seal()
    expect(possibleEvents(stage, 'reorgs', 3).map((event) => 'depth' in event && event.depth)).toEqual([1, 1])
    const final = await createEmulator({ finalizedLag: 0 })
    const stageOfFinal = stageOf('explore', final)
    await final.seal()
    expect(possibleEvents(stageOfFinal, 'reorgs', 3)).toEqual([])
  })

  test('on a chain that seals on command', async () => {
    chain = await createEmulator({ production: 'manual' })
    await pay(0)
    for (const kind of ['partials', 'feeSpikes', 'sequencerStops'] as const) {
      expect(possibleEvents(stageOf('explore', chain), kind, 3)).toEqual([])
    }
  })
})

test('partial blocks begin with any sender, and are cut anywhere; the usual one is left out', async () => {
  await pay(0)
  await pay(1)
  expect(possibleEvents(stageOf('explore', chain), 'partials', 3)).toEqual([
    { first: 0, take: 1 },
    { first: 1, take: 2 },
    { first: 1, take: 1 },
    { first: 0, take: 0 },
  ])
  const stage = stageOf('explore', chain)
  await performEvent(stage, 'partials', { first: 1, take: 1 })
  const { transactions } = (await chain.request('eth_getBlockByNumber', ['pending', true]))!
  const [, second = '0x'] = await chain.listAccounts()
  expect(transactions).toMatchObject([{ from: second }])
  // The next one is as usual.
  await chain.advance(200)
  expect((await chain.request('eth_getBlockByNumber', ['pending', false]))?.transactions).toHaveLength(2)
})

test('the base fee rises by an eighth with each block of a spike, and nothing is included', async () => {
  await chain.advance(2000)
  await pay(0)
  const before = await baseFee()
  // EIP-1559: parent + parent / 8 for a full block; the first block after the head follows from an empty one.
  await performEvent(stageOf('explore', chain), 'feeSpikes', { blocks: 2 })
  const once = before + before / 8n
  expect(await baseFee()).toBe(once + once / 8n)
  expect((await head()).transactions).toEqual([])
  expect(await chain.request('txpool_status')).toMatchObject({ pending: '0x1' })
  await chain.advance(2000)
  expect((await head()).transactions).toHaveLength(1)
})

test('a stop moves the clock without blocks', async () => {
  const { now } = chain
  await performEvent(stageOf('explore', chain), 'sequencerStops', { blocks: 5 })
  expect(chain.now - now).toBe(10_000)
  expect(await chain.request('eth_blockNumber')).toBe('0x0')
})

test('blocks that are replaced have the same times, and their transactions in another order', async () => {
  const stage = stageOf('explore', chain)
  await pay(0)
  await pay(1)
  await chain.advance(4000)
  const { number, timestamp, hash } = await head()
  await performEvent(stage, 'reorgs', { depth: 2, orphans: 'reordered' })
  expect(await head()).toMatchObject({ number, timestamp })
  expect((await head()).hash).not.toBe(hash)
  const { transactions } = (await chain.request('eth_getBlockByNumber', ['latest', true]))!
  const [first = '0x', second = '0x'] = await chain.listAccounts()
  expect(transactions).toMatchObject([{ from: second }, { from: first }])
})
