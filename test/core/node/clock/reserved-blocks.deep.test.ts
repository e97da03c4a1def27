// More than 20 million empty blocks in one call: hashes are assigned, and everything else agrees.

import { type Hex, hexToNumber, keccak256, numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { ALICE, alice, BOB, type Scene, startScene, transfer } from '../../rpc/scene.ts'

const START = 1_704_067_200
const BILLION = 1_000_000_000
const HISTORY: Hex = '0x0000f90827f1c53a10cb7a02335b175320002935'
/** Blocks at the end of a call whose hashes are computed. */
const TAIL = 257

interface Block {
  readonly number: Hex
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timestamp: Hex
  readonly mixHash: Hex
  readonly transactions: readonly Hex[]
}

const blockAt = ({ ask }: Scene, number: number): Promise<Block | null> =>
  ask('eth_getBlockByNumber', numberToHex(number), false)

const start = (): Promise<Scene> => startScene({ flavor: 'hardhat', production: 'auto' })

describe('a billion blocks', () => {
  test('have numbers, timestamps at the interval, parents and hashes that find them', async () => {
    const scene = await start()
    await scene.ask('hardhat_mine', numberToHex(BILLION), '0x3c')
    expect(await scene.ask('eth_blockNumber')).toBe(numberToHex(BILLION))
    const middle = BILLION / 2
    for (const number of [2, 3, middle, middle + 1, BILLION - TAIL, BILLION - TAIL + 1, BILLION]) {
      const block = (await blockAt(scene, number))!
      const parent = (await blockAt(scene, number - 1))!
      expect(block.parentHash).toBe(parent.hash)
      // The first block comes a second after genesis.
      expect(hexToNumber(block.timestamp)).toBe(START + 1 + 60 * (number - 1))
      expect(await scene.ask('eth_getBlockByHash', block.hash, false)).toEqual(block)
      expect(hexToNumber(block.number)).toBe(number)
      expect(block.transactions).toEqual([])
    }
    expect(await blockAt(scene, BILLION + 1)).toBeNull()
    expect(await scene.ask('eth_getBlockByHash', `0x${'12'.repeat(32)}`, false)).toBeNull()
  })

  test('assigned prevRandao follows from the hash of the parent', async () => {
    const scene = await start()
    await scene.ask('hardhat_mine', numberToHex(BILLION))
    const block = (await blockAt(scene, 123_456_789))!
    expect(block.mixHash).toBe(keccak256(block.parentHash))
  })

  test('are followed by blocks whose contracts know the last of them', async () => {
    const scene = await start()
    await scene.ask('hardhat_mine', numberToHex(BILLION))
    const hash = await scene.send(alice, transfer(BOB, 0))
    expect(await blockAt(scene, BILLION + 1)).toMatchObject({ transactions: [hash] })
    // EIP-2935 reaches 8191 blocks back, beyond the blocks with computed hashes.
    for (const back of [1, 256, TAIL, TAIL + 1, 8000]) {
      const number = BILLION + 1 - back
      const data = numberToHex(number, { size: 32 })
      expect(await scene.ask('eth_call', { to: HISTORY, data }, 'latest')).toBe(
        (await blockAt(scene, number))!.hash,
      )
    }
  })

  test('depend on the order alone: reads and clones come to the same hashes', async () => {
    const [read, unread] = [await start(), await start()]
    for (const scene of [read, unread]) {
      await scene.ask('hardhat_mine', numberToHex(BILLION))
      if (scene === read) for (const number of [7, 70_000_000, BILLION]) await blockAt(scene, number)
      await scene.ask('hardhat_mine', numberToHex(3 * BILLION), '0x2')
      await scene.ask('eth_sendTransaction', { from: ALICE, to: BOB })
    }
    const last = 4 * BILLION + 1
    for (const number of [BILLION / 4, 2 * BILLION, last])
      expect(await blockAt(read, number)).toEqual(await blockAt(unread, number))
    const clone = read.chain.clone()
    expect(await clone.request('eth_getBlockByNumber', [numberToHex(last), false])).toEqual(
      await blockAt(unread, last),
    )
  })

  test('with another interval have other hashes', async () => {
    const [one, two] = [await start(), await start()]
    await one.ask('hardhat_mine', numberToHex(BILLION))
    await two.ask('hardhat_mine', numberToHex(BILLION), '0x2')
    expect((await blockAt(one, 1000))?.hash).not.toBe((await blockAt(two, 1000))?.hash)
  })

  test('are taken back by a revert, into the middle of them by a rollback', async () => {
    const scene = await start()
    const id = await scene.ask('evm_snapshot')
    await scene.ask('hardhat_mine', numberToHex(BILLION))
    const middle = (await blockAt(scene, 600_000_000))!
    await scene.ask('debug_setHead', numberToHex(600_000_000))
    expect(await scene.ask('eth_getBlockByNumber', 'latest', false)).toEqual(middle)
    await scene.ask('evm_mine')
    expect(await blockAt(scene, 600_000_001)).toMatchObject({ parentHash: middle.hash })
    await scene.ask('evm_revert', id)
    expect(await scene.ask('eth_blockNumber')).toBe('0x0')
    expect(await blockAt(scene, 1)).toBeNull()
  })

  test('are not told one by one: listeners and filters hear of those with computed hashes', async () => {
    const scene = await start()
    const filter = await scene.ask('eth_newBlockFilter')
    await scene.ask('eth_getFilterChanges', filter)
    const numbers: number[] = []
    scene.chain.on('sealedBlock', ({ number }) => numbers.push(number))
    await scene.ask('hardhat_mine', numberToHex(BILLION))
    // The first block is mined by itself.
    expect(numbers).toHaveLength(1 + TAIL)
    expect(numbers.at(0)).toBe(1)
    expect(numbers.at(1)).toBe(BILLION - TAIL + 1)
    expect(numbers.at(-1)).toBe(BILLION)
    expect(await scene.ask('eth_getFilterChanges', filter)).toHaveLength(1 + TAIL)
  })

  test('cannot be exported, and cannot pass the end of the clock or of numbers', async () => {
    const scene = await startScene({
      flavor: 'hardhat',
      production: 'auto',
      allowBlocksWithSameTimestamp: true,
    })
    await scene.ask('hardhat_mine', numberToHex(BILLION))
    await expect(scene.chain.exportBlocks()).rejects.toMatchObject({ kind: 'notExportable' })
    await expect(scene.ask('hardhat_mine', numberToHex(BILLION), '0xffffff')).rejects.toMatchObject({
      kind: 'timeOutOfRange',
    })
    await expect(
      scene.ask('hardhat_mine', numberToHex(Number.MAX_SAFE_INTEGER), '0x0'),
    ).rejects.toMatchObject({ kind: 'tooManySteps' })
    expect(await scene.ask('eth_blockNumber')).toBe(numberToHex(BILLION))
  })

  test('before cancun, too, where blocks write nothing', async () => {
    const scene = await startScene({ flavor: 'hardhat', production: 'auto', hardfork: 'london' })
    await scene.ask('hardhat_mine', numberToHex(BILLION))
    const head = (await blockAt(scene, BILLION))!
    const parent = await scene.ask<Block>('eth_getBlockByHash', head.parentHash, false)
    expect(hexToNumber(parent.number)).toBe(BILLION - 1)
    expect((await blockAt(scene, BILLION / 2))?.mixHash).toBe(`0x${'00'.repeat(32)}`)
  })
})

test('up to 20 million blocks keep computed hashes', async () => {
  const [many, single] = [await start(), await start()]
  await many.ask('hardhat_mine', numberToHex(20_000_001))
  await single.ask('hardhat_mine', '0x2')
  const { hash } = (await blockAt(single, 1))!
  expect((await blockAt(many, 1))?.hash).toBe(hash)
  expect((await blockAt(many, 2))?.parentHash).toBe(hash)
  expect((await blockAt(many, 3))?.hash).not.toMatch(/0{15}3$/)
})
