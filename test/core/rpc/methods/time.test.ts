// Clock and timestamp methods under all their names. Expected timestamps are calculated by hand: the chain starts at
// 2024-01-01, and its first block is due two seconds later.

import type { EmulatorOptions } from 'tickchain'
import { hexToNumber, numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Flavor } from '../../../../src/core/rpc/flavor/flavor.ts'
import { ALICE, BOB, type Scene, startScene } from '../scene.ts'

const START = 1_704_067_200
const flavors: readonly Flavor[] = ['anvil', 'hardhat', 'ganache']

/** Timestamps of the blocks above genesis, in seconds after the start. */
async function timestamps({ ask }: Scene): Promise<number[]> {
  const head = hexToNumber(await ask('eth_blockNumber'))
  const numbers = Array.from({ length: head }, (_, i) => numberToHex(i + 1))
  const blocks = await Promise.all(
    numbers.map((it) => ask<{ timestamp: `0x${string}` }>('eth_getBlockByNumber', it, false)),
  )
  return blocks.map(({ timestamp }) => hexToNumber(timestamp) - START)
}

const nowOf = ({ chain }: Scene): number => chain.now / 1000 - START

function start(options: EmulatorOptions = {}): Promise<Scene> {
  return startScene(options)
}

describe('evm_increaseTime', () => {
  test.each([
    ['anvil', 100, 160],
    ['hardhat', '100', '160'],
    ['ganache', 100, 160],
  ] as const)('in %s answers the total shift as %j, then %j', async (flavor, first, second) => {
    const scene = await start({ flavor })
    expect(await scene.ask('evm_increaseTime', 100)).toBe(first)
    expect(await scene.ask('anvil_increaseTime', '60')).toBe(second)
    expect(nowOf(scene)).toBe(160)
  })
})

describe('evm_setTime', () => {
  test('takes seconds, and milliseconds above 10^12; what was due moves along', async () => {
    const scene = await start()
    await scene.ask('evm_setTime', START + 100)
    expect(nowOf(scene)).toBe(100)
    await scene.ask('anvil_setTime', (START + 200) * 1000 + 500)
    expect(nowOf(scene)).toBe(200.5)
    await scene.chain.advance(2000)
    expect(await timestamps(scene)).toEqual([202])
  })

  test.each([
    // Forward by 100 and back by 40: 60 in all.
    ['anvil', 100, 0],
    ['ganache', 100, 60],
    ['hardhat', '100', '60'],
  ] as const)('in %s answers %j, and %j when set back', async (flavor, forward, back) => {
    const scene = await start({ flavor })
    expect(await scene.ask('evm_setTime', START + 100)).toBe(forward)
    expect(await scene.ask('evm_setTime', numberToHex(START + 60))).toBe(back)
    expect(nowOf(scene)).toBe(60)
  })

  test('back to the latest block, and no further', async () => {
    const scene = await start()
    await scene.chain.advance(3900)
    await scene.ask('evm_setTime', START + 2)
    expect(nowOf(scene)).toBe(2)
    await scene.chain.seal()
    expect(await timestamps(scene)).toEqual([2, 3])
    await expect(scene.ask('evm_setTime', START + 2)).rejects.toMatchObject({
      kind: 'clockBeforeHead',
      code: -32602,
    })
    await expect(scene.ask('evm_setTime', 253_402_300_800_000)).rejects.toMatchObject({
      kind: 'timeOutOfRange',
    })
    expect(nowOf(scene)).toBe(3)
  })

  test('does not change the time that pre-confirmed transactions have seen', async () => {
    const scene = await start()
    await scene.ask('eth_sendTransaction', { from: ALICE, to: BOB })
    await scene.chain.advance(200)
    await scene.ask('evm_setTime', START + 500)
    await scene.chain.seal()
    await scene.chain.seal()
    expect(await timestamps(scene)).toEqual([2, 502])
  })
})

describe('evm_setNextBlockTimestamp', () => {
  test.each([
    ['anvil', null],
    ['hardhat', String(START + 50)],
    ['ganache', null],
  ] as const)('in %s answers %j', async (flavor, answer) => {
    const scene = await start({ flavor })
    expect(await scene.ask('evm_setNextBlockTimestamp', START + 50)).toBe(answer)
    expect(await scene.ask('anvil_setNextBlockTimestamp', numberToHex(START + 50))).toBe(answer)
    await scene.chain.seal()
    expect(await timestamps(scene)).toEqual([50])
  })

  test("in anvil may be the parent's, as anvil has it, and not in others unless blocks may share one", async () => {
    const anvil = await start()
    await anvil.ask('evm_setNextBlockTimestamp', START)
    await anvil.chain.seal()
    expect(await timestamps(anvil)).toEqual([0])
    await expect(anvil.ask('evm_setNextBlockTimestamp', START - 1)).rejects.toMatchObject({
      kind: 'timestampTooLow',
    })
    const hardhat = await start({ flavor: 'hardhat' })
    await expect(hardhat.ask('evm_setNextBlockTimestamp', START)).rejects.toMatchObject({
      kind: 'timestampTooLow',
    })
    const sharing = await start({ flavor: 'hardhat', allowBlocksWithSameTimestamp: true })
    await sharing.ask('evm_setNextBlockTimestamp', START)
    await sharing.chain.seal()
    expect(await timestamps(sharing)).toEqual([0])
  })
})

describe.each(['evm_setNextBlockTimestamp', 'evm_mine', 'evm_mine_detailed'])(
  'a timestamp that is too low, in %s',
  (method) => {
    const lower = "is lower than the previous block's timestamp"
    const equal =
      "is equal to the previous block's timestamp. Enable the 'allowBlocksWithSameTimestamp' option to allow this"

    // Codes and words of anvil 1.7 and of EDR, which the tests of hardhat-network-helpers look for.
    test.each([
      ['anvil', START - 1, -32602, `Timestamp error: ${START - 1} is lower than previous block's timestamp`],
      ['hardhat', START - 1, -32000, `Timestamp ${START - 1} ${lower} ${START}`],
      ['hardhat', START, -32000, `Timestamp ${START} ${equal}`],
    ] as const)('is refused in the words of %s: %i', async (flavor, timestamp, code, message) => {
      const scene = await start({ flavor })
      const refused = { kind: 'timestampTooLow', code, message }
      await expect(scene.ask(method, timestamp)).rejects.toMatchObject(refused)
      expect(await scene.ask('eth_blockNumber')).toBe('0x0')
    })
  },
)

describe('setBlockTimestampInterval', () => {
  test.each(['anvil', 'evm', 'ganache'])('%s_… takes seconds from each block to the next', async (prefix) => {
    const scene = await start()
    expect(await scene.ask(`${prefix}_setBlockTimestampInterval`, 12)).toBeNull()
    for (let i = 0; i < 3; i++) await scene.chain.seal()
    expect(await timestamps(scene)).toEqual([12, 24, 36])
    // A block is not from the future: the clock follows.
    expect(nowOf(scene)).toBe(36)
    expect(await scene.ask(`${prefix}_removeBlockTimestampInterval`)).toBe(true)
    expect(await scene.ask(`${prefix}_removeBlockTimestampInterval`)).toBe(false)
    await scene.chain.seal()
    expect(await timestamps(scene)).toEqual([12, 24, 36, 38])
  })

  test('hardhat_… takes milliseconds, as viem sends them, that make whole seconds', async () => {
    const scene = await start({ flavor: 'hardhat' })
    expect(await scene.ask('hardhat_setBlockTimestampInterval', 3000)).toBe(true)
    await scene.chain.seal()
    expect(await timestamps(scene)).toEqual([3])
    await expect(scene.ask('hardhat_setBlockTimestampInterval', 1500)).rejects.toMatchObject({ code: -32602 })
  })

  test("of zero gives every block its parent's timestamp, though time passes", async () => {
    const scene = await start()
    await scene.ask('anvil_setBlockTimestampInterval', 0)
    await scene.chain.advance(6000)
    expect([await timestamps(scene), nowOf(scene)]).toEqual([[0, 0, 0], 6])
  })

  test('gives way to a timestamp that was asked for', async () => {
    const scene = await start()
    await scene.ask('anvil_setBlockTimestampInterval', 10)
    await scene.ask('evm_setNextBlockTimestamp', START + 3)
    await scene.chain.seal()
    await scene.chain.seal()
    expect(await timestamps(scene)).toEqual([3, 13])
  })

  test('leaves a block alone that has begun', async () => {
    const scene = await start()
    await scene.ask('eth_sendTransaction', { from: ALICE, to: BOB })
    await scene.chain.advance(200)
    await scene.ask('anvil_setBlockTimestampInterval', 30)
    await scene.chain.seal()
    await scene.chain.seal()
    expect(await timestamps(scene)).toEqual([2, 32])
  })

  test('beyond the end of time is refused', async () => {
    const scene = await start()
    await expect(scene.ask('anvil_setBlockTimestampInterval', 253_402_300_800)).rejects.toMatchObject({
      kind: 'timestampTooHigh',
    })
  })
})

test.each(flavors)('anvil_getGenesisTime in %s', async (flavor) => {
  const { ask, chain } = await startScene({ flavor, genesis: { timestamp: 1_000_000 } })
  await chain.advance(10_000)
  expect(await ask('anvil_getGenesisTime')).toBe(1_000_000)
})

test('snapshots and clones keep what was set, and a revert undoes it', async () => {
  const scene = await start()
  const before = scene.chain.snapshot()
  await scene.ask('evm_setTime', START + 1000)
  await scene.ask('anvil_setBlockTimestampInterval', 7)
  const after = scene.chain.snapshot()
  const clone = scene.chain.clone()
  await clone.seal()
  expect(clone.now).toBe((START + 1000) * 1000)
  expect(await clone.request('eth_getBlockByNumber', ['latest', false])).toMatchObject({
    timestamp: numberToHex(START + 7),
  })
  await scene.chain.revert(before)
  expect(nowOf(scene)).toBe(0)
  expect(await scene.ask('anvil_removeBlockTimestampInterval')).toBe(false)
  await scene.chain.revert(after)
  expect(nowOf(scene)).toBe(1000)
  expect(await scene.ask('evm_increaseTime', 1)).toBe(1001)
  expect(await scene.ask('anvil_removeBlockTimestampInterval')).toBe(true)
})
