// Hardhat 3's network helpers, as published, on a chain of the flavor hardhat: each is tested by its effect. Expected
// numbers are from Hardhat's documentation, or a comment names their source. `npm run recipe:hardhat` covers Hardhat 2.

import plugin from '@nomicfoundation/hardhat-network-helpers'
import type { NetworkHelpers } from '@nomicfoundation/hardhat-network-helpers/types'
import { createEmulator, type Emulator, type EmulatorOptions } from 'tickchain'
import { createPublicClient, custom, encodeFunctionData, type Hex, parseEther, parseGwei } from 'viem'
import { describe, expect, test } from 'vitest'
import { Counter } from '../contracts/generated.ts'
import { ALICE, BOB } from '../core/rpc/scene.ts'

const START = 1_704_067_200
const ETHER = parseEther('1')
const FUNDS = parseEther('10000')
const SOMEBODY: Hex = `0x${'aa'.repeat(20)}`
const COUNTER: Hex = `0x${'c0'.repeat(20)}`
const ADD_ONE = encodeFunctionData({ abi: Counter.abi, functionName: 'increment' })

interface Connection {
  readonly id: number
  readonly networkName: string
  readonly provider: Emulator
  networkHelpers?: NetworkHelpers
}

/** Its hook, as far as it looks at what it gets. */
type NewConnection = (context: object, next: () => Promise<Connection>) => Promise<Connection>

/** The plugin's replacement of a connection. */
async function helpersOf(provider: Emulator): Promise<NetworkHelpers & { readonly connection: Connection }> {
  const { default: createHooks } = (await plugin.hookHandlers?.network?.()) ?? {}
  const newConnection = (await createHooks?.())?.newConnection as unknown as NewConnection
  const connection: Connection = await newConnection({}, async () => ({
    id: 0,
    networkName: 'default',
    provider,
  }))
  return Object.assign(connection.networkHelpers as NetworkHelpers, { connection })
}

async function start(options: EmulatorOptions = {}) {
  const genesis = { alloc: { [COUNTER]: { nonce: 1, code: Counter.deployedBytecode } } }
  const chain = await createEmulator({ flavor: 'hardhat', production: 'auto', genesis, ...options })
  const reader = createPublicClient({ transport: custom(chain, { retryCount: 0 }), cacheTime: 0 })
  return {
    chain,
    reader,
    helpers: await helpersOf(chain),
    send: (request: { from?: Hex; to?: Hex; value?: Hex; data?: Hex; gas?: Hex } = {}): Promise<Hex> =>
      chain.request('eth_sendTransaction', [{ from: ALICE, to: BOB, value: '0x1', ...request }]),
    count: () => reader.readContract({ address: COUNTER, abi: Counter.abi, functionName: 'count' }),
    headTime: async () => Number((await reader.getBlock()).timestamp) - START,
  }
}

describe('time', () => {
  test('latest and latestBlock', async () => {
    const { helpers, chain } = await start()
    expect([await helpers.time.latest(), await helpers.time.latestBlock()]).toEqual([START, 0])
    await chain.advance(60_000)
    await helpers.mine()
    expect([await helpers.time.latest(), await helpers.time.latestBlock()]).toEqual([START + 60, 1])
  })

  test('increase mines a block that much later, and returns its timestamp', async () => {
    const { helpers } = await start()
    expect(await helpers.time.increase(3600)).toBe(START + 3600)
    expect([await helpers.time.latest(), await helpers.time.latestBlock()]).toEqual([START + 3600, 1])
    expect(await helpers.time.increase(1n)).toBe(START + 3601)
  })

  test('increaseTo takes a timestamp or a date', async () => {
    const { helpers } = await start()
    await helpers.time.increaseTo(START + 1000)
    expect(await helpers.time.latest()).toBe(START + 1000)
    await helpers.time.increaseTo(new Date('2024-01-02T00:00:00Z'))
    expect(await helpers.time.latest()).toBe(START + 86_400)
    // The helpers report a past time with Hardhat's message.
    await expect(helpers.time.increaseTo(START)).rejects.toThrow(
      `Timestamp ${START} is lower than the previous block's timestamp ${START + 86_400}`,
    )
  })

  test('setNextBlockTimestamp is for the next block, with a transaction or without', async () => {
    const { helpers, send, headTime } = await start()
    await helpers.time.setNextBlockTimestamp(START + 500)
    expect(await headTime()).toBe(0)
    await send()
    expect(await headTime()).toBe(500)
    await helpers.time.setNextBlockTimestamp(new Date((START + 700) * 1000))
    await helpers.mine()
    expect(await headTime()).toBe(700)
  })

  test('duration', async () => {
    const { helpers } = await start()
    const { duration } = helpers.time
    expect(await helpers.time.increase(duration.days(30) + duration.hours(2))).toBe(START + 2_599_200)
  })
})

describe('mine', () => {
  test('one block, or a given number, a second apart', async () => {
    const { helpers, headTime } = await start()
    await helpers.mine()
    expect([await helpers.time.latestBlock(), await headTime()]).toEqual([1, 1])
    await helpers.mine(9)
    expect([await helpers.time.latestBlock(), await headTime()]).toEqual([10, 10])
  })

  test('with an interval between them, from the second on', async () => {
    const { helpers, headTime } = await start()
    await helpers.mine(3, { interval: 60 })
    expect([await helpers.time.latestBlock(), await headTime()]).toEqual([3, 121])
  })

  test('ten thousand, with their timestamps', { tags: 'gate' }, async () => {
    const { helpers } = await start()
    await helpers.mine(10_000n, { interval: 12 })
    expect(await helpers.time.latestBlock()).toBe(10_000)
    expect(await helpers.time.latest()).toBe(START + 1 + 9999 * 12)
  })

  test('the first of them has the pooled transactions', async () => {
    const { helpers, send, chain, reader } = await start({ production: 'manual' })
    const hash = await send()
    await helpers.mine(2)
    expect(await reader.getTransactionReceipt({ hash })).toMatchObject({ blockNumber: 1n })
    expect(await chain.request('eth_blockNumber')).toBe('0x2')
  })

  test('mineUpTo mines up to a number, and refuses a lower one', async () => {
    const { helpers } = await start()
    await helpers.mineUpTo(42)
    expect(await helpers.time.latestBlock()).toBe(42)
    await expect(helpers.mineUpTo(42)).rejects.toThrow('42')
    expect(await helpers.time.latestBlock()).toBe(42)
  })
})

describe('accounts', () => {
  test('setBalance', async () => {
    const { helpers, reader } = await start()
    await helpers.setBalance(SOMEBODY, 5n * ETHER)
    expect(await reader.getBalance({ address: SOMEBODY })).toBe(5n * ETHER)
    await helpers.setBalance(SOMEBODY, '0x0')
    expect(await reader.getBalance({ address: SOMEBODY })).toBe(0n)
  })

  test('setCode', async () => {
    const { helpers, reader, send } = await start()
    await helpers.setCode(SOMEBODY, Counter.deployedBytecode)
    expect(await reader.getCode({ address: SOMEBODY })).toBe(Counter.deployedBytecode)
    await send({ to: SOMEBODY, value: '0x0', data: ADD_ONE })
    expect(BigInt(await helpers.getStorageAt(SOMEBODY, 0))).toBe(1n)
  })

  test('setNonce, which only goes up', async () => {
    const { helpers, reader, send } = await start()
    await helpers.setNonce(ALICE, 100)
    expect(await reader.getTransaction({ hash: await send() })).toMatchObject({ nonce: 100 })
    await expect(helpers.setNonce(ALICE, 5)).rejects.toThrow('must not be smaller than the existing nonce')
  })

  test('setStorageAt and getStorageAt', async () => {
    const { helpers, count, send } = await start()
    await helpers.mine()
    await helpers.setStorageAt(COUNTER, 0, 41)
    expect(await count()).toBe(41n)
    await send({ to: COUNTER, value: '0x0', data: ADD_ONE })
    expect(await helpers.getStorageAt(COUNTER, 0)).toBe(`0x${'2a'.padStart(64, '0')}`)
    expect(await helpers.getStorageAt(COUNTER, 0, 'earliest')).toBe(`0x${'00'.repeat(32)}`)
    expect(await helpers.getStorageAt(COUNTER, 0, 2)).toBe(`0x${'2a'.padStart(64, '0')}`)
    expect(await helpers.getStorageAt(COUNTER, `0x${'ff'.repeat(32)}`)).toBe(`0x${'00'.repeat(32)}`)
    // The helpers write a slot of zeros as 0x.
    await helpers.setStorageAt(COUNTER, `0x${'00'.repeat(32)}`, 7)
    expect(await count()).toBe(7n)
  })

  test('impersonateAccount and stopImpersonatingAccount', async () => {
    const { helpers, send, reader } = await start()
    await helpers.setBalance(SOMEBODY, ETHER)
    await expect(send({ from: SOMEBODY })).rejects.toThrow(/unknown account/i)
    await helpers.impersonateAccount(SOMEBODY)
    const hash = await send({ from: SOMEBODY })
    expect(await reader.getTransactionReceipt({ hash })).toMatchObject({ from: SOMEBODY, status: 'success' })
    await helpers.stopImpersonatingAccount(SOMEBODY)
    await expect(send({ from: SOMEBODY })).rejects.toThrow(/unknown account/i)
  })
})

describe('blocks', () => {
  test('setCoinbase', async () => {
    const { helpers, send, reader } = await start()
    await helpers.setCoinbase(SOMEBODY)
    await send()
    expect(await reader.getBlock()).toMatchObject({ miner: SOMEBODY })
    expect(await reader.getBalance({ address: SOMEBODY })).toBeGreaterThan(0n)
  })

  test('setPrevRandao is for the next block', async () => {
    const { helpers, reader } = await start()
    // PREVRANDAO, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN.
    await helpers.setCode(SOMEBODY, '0x445f5260205ff3')
    await helpers.setPrevRandao(123_456n)
    await helpers.mine()
    const word = `0x${(123_456).toString(16).padStart(64, '0')}`
    expect(await reader.getBlock()).toMatchObject({ mixHash: word })
    expect(await reader.call({ to: SOMEBODY, blockTag: 'latest' })).toEqual({ data: word })
    await helpers.mine()
    expect((await reader.getBlock()).mixHash).not.toBe(word)
  })

  test('setNextBlockBaseFeePerGas', async () => {
    const { helpers, send, reader } = await start()
    await helpers.setNextBlockBaseFeePerGas(parseGwei('7'))
    await send()
    expect(await reader.getBlock()).toMatchObject({ baseFeePerGas: parseGwei('7') })
    // As good as empty, it lowers the next one by an eighth (EIP-1559), but for 21,000 gas of a target of 30 million.
    await helpers.mine()
    const target = 30_000_000n
    const lowered = parseGwei('7') - (parseGwei('7') * (target - 21_000n)) / target / 8n
    expect(await reader.getBlock()).toMatchObject({ baseFeePerGas: lowered })
  })

  test('setBlockGasLimit', async () => {
    const { helpers, send, reader } = await start()
    await helpers.setBlockGasLimit(1_000_000)
    await helpers.mine()
    expect(await reader.getBlock()).toMatchObject({ gasLimit: 1_000_000n })
    await expect(send({ gas: '0xf4241' })).rejects.toThrow('exceeds')
  })

  test('dropTransaction returns whether there was one, and refuses a mined one', async () => {
    const { helpers, send, chain, reader } = await start()
    await chain.request('evm_setAutomine', [false])
    const hash = await send()
    expect(await helpers.dropTransaction(hash)).toBe(true)
    expect(await helpers.dropTransaction(hash)).toBe(false)
    await helpers.mine()
    expect(await reader.getBalance({ address: BOB })).toBe(FUNDS)
    const mined = await send()
    await helpers.mine()
    await expect(helpers.dropTransaction(mined)).rejects.toThrow(
      "cannot be dropped because it's already mined",
    )
  })
})

describe('takeSnapshot', () => {
  test('restores, more than once', async () => {
    const { helpers, send, count } = await start()
    await send({ to: COUNTER, value: '0x0', data: ADD_ONE })
    const { restore } = await helpers.takeSnapshot()
    for (let i = 0; i < 2; i++) {
      await send({ to: COUNTER, value: '0x0', data: ADD_ONE })
      await helpers.time.increase(1000)
      expect(await count()).toBe(2n)
      await restore()
      expect([await count(), await helpers.time.latestBlock()]).toEqual([1n, 1])
    }
  })

  test('restoring the first uses up the second', async () => {
    const { helpers } = await start()
    const first = await helpers.takeSnapshot()
    await helpers.mine()
    const second = await helpers.takeSnapshot()
    await first.restore()
    await expect(second.restore()).rejects.toThrow('invalid snapshot')
    expect(await helpers.time.latestBlock()).toBe(0)
  })
})

describe('loadFixture', () => {
  /** Fixtures that count how often they run. */
  async function startWithFixtures() {
    const scene = await start()
    const runs: string[] = []
    async function one() {
      runs.push('one')
      await scene.send({ to: COUNTER, value: '0x0', data: ADD_ONE })
      return 'data of one'
    }
    /** Built on the other. */
    async function two() {
      const before = await scene.helpers.loadFixture(one)
      runs.push('two')
      await scene.send({ to: COUNTER, value: '0x0', data: ADD_ONE })
      return `${before}, and of two`
    }
    /** Nothing to do with them. */
    async function other() {
      runs.push('other')
      await scene.helpers.setBalance(SOMEBODY, ETHER)
    }
    return { ...scene, runs, one, two, other, load: scene.helpers.loadFixture }
  }

  test('runs a fixture once, and restores its result every time', async () => {
    const { load, one, runs, send, count, helpers } = await startWithFixtures()
    for (let i = 0; i < 3; i++) {
      expect(await load(one)).toBe('data of one')
      expect([await count(), await helpers.time.latestBlock()]).toEqual([1n, 1])
      await send({ to: COUNTER, value: '0x0', data: ADD_ONE })
      await helpers.time.increase(1_000_000)
    }
    expect(runs).toEqual(['one'])
  })

  test('nested: the inner one first, and each alone', async () => {
    const { load, one, two, runs, count } = await startWithFixtures()
    expect(await load(two)).toBe('data of one, and of two')
    expect(await count()).toBe(2n)
    expect(await load(two)).toBe('data of one, and of two')
    expect([await count(), runs]).toEqual([2n, ['one', 'two']])
    // Going back before the outer one forgets it.
    await load(one)
    expect(await count()).toBe(1n)
    await load(two)
    expect([await count(), runs]).toEqual([2n, ['one', 'two', 'two']])
  })

  test('several alternate', async () => {
    const { load, one, other, count, reader, runs } = await startWithFixtures()
    for (let i = 0; i < 2; i++) {
      await load(one)
      expect([await count(), await reader.getBalance({ address: SOMEBODY })]).toEqual([1n, 0n])
      await load(other)
      expect([await count(), await reader.getBalance({ address: SOMEBODY })]).toEqual([1n, ETHER])
    }
    // The second comes after the first, so that it is run again whenever the first was loaded.
    expect(runs).toEqual(['one', 'other', 'other'])
  })

  test('after a revert by a test, and after a failed transaction', async () => {
    const { load, one, count, chain, send } = await startWithFixtures()
    await load(one)
    const id = await chain.request('evm_snapshot')
    await send()
    await chain.request('evm_revert', [id])
    await load(one)
    await expect(send({ to: COUNTER, data: '0xdeadbeef', gas: '0x10000' })).rejects.toMatchObject({ code: 3 })
    await load(one)
    expect(await count()).toBe(1n)
  })

  test('restores settings as well as state', async () => {
    const { load, one, helpers, chain, send, reader } = await startWithFixtures()
    await load(one)
    await helpers.setCoinbase(SOMEBODY)
    await helpers.setNextBlockBaseFeePerGas(parseGwei('500'))
    await helpers.time.setNextBlockTimestamp(START + 100_000)
    await chain.request('evm_setAutomine', [false])
    await send()
    await load(one)
    const hash = await send()
    const { blockNumber } = await reader.getTransactionReceipt({ hash })
    expect(blockNumber).toBe(2n)
    const { miner, timestamp, baseFeePerGas, transactions } = await reader.getBlock()
    expect(miner).not.toBe(SOMEBODY)
    expect(timestamp).toBeLessThan(START + 100_000)
    expect(baseFeePerGas).toBeLessThan(parseGwei('1'))
    expect(transactions).toEqual([hash])
  })

  test('gives the fixture its connection', async () => {
    const { load, helpers } = await startWithFixtures()
    async function itself(connection: unknown) {
      return connection
    }
    expect(await load(itself)).toBe(helpers.connection)
  })

  test('refuses a function without a name, and an invalid snapshot', async () => {
    const { load, one, chain } = await startWithFixtures()
    await expect(load(async () => 1)).rejects.toThrow('Anonymous functions cannot be used as fixtures')
    await load(one)
    await chain.request('hardhat_reset')
    await expect(load(one)).rejects.toThrow('error reverting the snapshot of the fixture')
  })

  test('clearSnapshots lets them run again', async () => {
    const { load, one, helpers, runs, count } = await startWithFixtures()
    await load(one)
    helpers.clearSnapshots()
    await load(one)
    expect([runs, await count()]).toEqual([['one', 'one'], 2n])
  })
})

describe('supported flavors', () => {
  test('hardhat and anvil, as the helpers require', async () => {
    const { helpers } = await start({ flavor: 'anvil' })
    await helpers.mine(5)
    expect(await helpers.time.latestBlock()).toBe(5)
    const ganache = await start({ flavor: 'ganache' })
    await expect(ganache.helpers.mine(5)).rejects.toThrow('can only be used with')
  })
})
