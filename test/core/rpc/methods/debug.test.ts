import { fromRlp, type Hex, keccak256, toRlp } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { alice, BOB, type Scene, startScene, transfer } from '../scene.ts'

let scene: Scene
let raw: Hex
let block: { hash: Hex; size: Hex }

beforeAll(async () => {
  scene = await startScene()
  raw = await alice.signTransaction(transfer(BOB, 0))
  await scene.ask('eth_sendRawTransaction', raw)
  await scene.chain.seal()
  block = await scene.ask('eth_getBlockByNumber', 'latest', false)
})

test('debug_getRawHeader: its hash is that of the block', async () => {
  expect(keccak256(await scene.ask<Hex>('debug_getRawHeader', 'latest'))).toBe(block.hash)
})

test('debug_getRawBlock: header, transactions, uncles and withdrawals', async () => {
  const bytes = await scene.ask<Hex>('debug_getRawBlock', block.hash)
  expect((bytes.length - 2) / 2).toBe(Number(block.size))
  const [header, ...body] = fromRlp(bytes, 'hex') as Hex[]
  expect(keccak256(toRlp(header as Hex))).toBe(block.hash)
  expect(body).toEqual([[raw], [], []])
})

test('debug_getRawReceipts', async () => {
  // EIP-658 and EIP-2718: a type 2 receipt with status 1, 21,000 gas, no logs.
  const receipt = toRlp(['0x01', '0x5208', `0x${'00'.repeat(256)}`, []])
  expect(await scene.ask('debug_getRawReceipts', '0x1')).toEqual([`0x02${receipt.slice(2)}`])
  expect(await scene.ask('debug_getRawReceipts', '0x0')).toEqual([])
})

test('debug_getRawTransaction', async () => {
  expect(await scene.ask('debug_getRawTransaction', keccak256(raw))).toBe(raw)
})

describe('a block that is not there', () => {
  test.each(['debug_getRawHeader', 'debug_getRawBlock', 'debug_getRawReceipts'])('%s', async (method) => {
    await expect(scene.ask(method, '0x7')).rejects.toMatchObject({ kind: 'blockNotFound' })
    await expect(scene.ask(method, '7')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('hex string without 0x prefix'),
    })
  })
})
