// viem's test client in its three modes: the actions that move time, mine, and set what blocks have.

import { createEmulator, type Emulator } from 'tickchain'
import { createTestClient, custom, type Hex, parseGwei, publicActions, walletActions } from 'viem'
import { foundry } from 'viem/chains'
import { describe, expect, test } from 'vitest'

const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const START = 1_704_067_200n
const modes = ['anvil', 'hardhat', 'ganache'] as const

type Mode = (typeof modes)[number]

function connect(chain: Emulator, mode: Mode) {
  const transport = custom(chain, { retryCount: 0 })
  return createTestClient({ chain: foundry, mode, transport, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
}

/** A chain whose blocks are made when told. */
async function start(mode: Mode) {
  const chain = await createEmulator({ flavor: mode, production: 'manual' })
  const client = connect(chain, mode)
  const send = (): Promise<Hex> => client.sendTransaction({ account: ALICE, to: BOB, value: 1n })
  const headTime = async (): Promise<bigint> => (await client.getBlock()).timestamp - START
  return { chain, client, send, headTime }
}

describe.each(modes)('in mode %s', (mode) => {
  test('mine', async () => {
    const { client, headTime } = await start(mode)
    await client.mine({ blocks: 2 })
    expect([await client.getBlockNumber(), await headTime()]).toEqual([2n, 2n])
    await client.mine({ blocks: 3, interval: 60 })
    expect(await client.getBlockNumber()).toBe(5n)
    // From the second on: anvil puts the interval before each block, Hardhat between them, ganache knows none.
    expect(await headTime()).toBe({ anvil: 2n + 180n, hardhat: 3n + 120n, ganache: 5n }[mode])
  })

  test('increaseTime', async () => {
    const { client, headTime } = await start(mode)
    await client.increaseTime({ seconds: 420 })
    await client.mine({ blocks: 1 })
    expect(await headTime()).toBe(420n)
  })

  test('setNextBlockTimestamp', async () => {
    const { client, headTime } = await start(mode)
    await client.setNextBlockTimestamp({ timestamp: START + 1000n })
    await client.mine({ blocks: 1 })
    expect(await headTime()).toBe(1000n)
  })

  test('setBlockTimestampInterval and removeBlockTimestampInterval', async () => {
    const { chain, client, headTime } = await start(mode)
    await client.setBlockTimestampInterval({ interval: 5 })
    await chain.seal()
    await chain.seal()
    expect(await headTime()).toBe(10n)
    await client.removeBlockTimestampInterval()
    await chain.seal()
    expect(await headTime()).toBe(11n)
  })

  test('setAutomine and getAutomine', async () => {
    const { client, send } = await start(mode)
    expect(await client.getAutomine()).toBe(false)
    await client.setAutomine(true)
    expect(await client.getAutomine()).toBe(true)
    const hash = await send()
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({ blockNumber: 1n })
    await client.setAutomine(false)
    expect(await client.getAutomine()).toBe(false)
    await send()
    expect(await client.getBlockNumber()).toBe(1n)
  })

  test('setIntervalMining', async () => {
    const { chain, client } = await start(mode)
    await client.setIntervalMining({ interval: 3 })
    await chain.advance(9000)
    expect(await client.getBlockNumber()).toBe(3n)
    await client.setIntervalMining({ interval: 0 })
    await chain.advance(9000)
    expect(await client.getBlockNumber()).toBe(3n)
  })

  test('setBlockGasLimit', async () => {
    const { client } = await start(mode)
    await client.setBlockGasLimit({ gasLimit: 420_000n })
    await client.mine({ blocks: 1 })
    expect(await client.getBlock()).toMatchObject({ gasLimit: 420_000n })
  })

  test('setCoinbase', async () => {
    const { client } = await start(mode)
    await client.setCoinbase({ address: BOB })
    await client.mine({ blocks: 1 })
    expect(await client.getBlock()).toMatchObject({ miner: BOB.toLowerCase() })
  })

  test('setNextBlockBaseFeePerGas', async () => {
    const { client } = await start(mode)
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('20') })
    await client.mine({ blocks: 1 })
    expect(await client.getBlock()).toMatchObject({ baseFeePerGas: parseGwei('20') })
  })

  test('setMinGasPrice', async () => {
    const { client } = await start(mode)
    await expect(client.setMinGasPrice({ gasPrice: parseGwei('20') })).rejects.toMatchObject({
      details: `${mode}_setMinGasPrice is not supported when EIP-1559 is active`,
    })
    const berlin = await createEmulator({ flavor: mode, hardfork: 'berlin' })
    const older = connect(berlin, mode)
    await older.setMinGasPrice({ gasPrice: parseGwei('20') })
    expect(await older.getGasPrice()).toBe(parseGwei('20'))
  })
})
