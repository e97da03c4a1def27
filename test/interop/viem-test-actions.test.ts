// viem's test client: every action in its three modes, each on a chain of that flavor, tested by its effect. Some
// actions do not exist in the real emulator of a mode (ten in Hardhat, 21 in ganache). Here they work as in the others.

import { createEmulator, type Emulator, type EmulatorOptions } from 'tickchain'
import {
  createTestClient,
  custom,
  type Hex,
  parseEther,
  parseGwei,
  publicActions,
  type TestActions,
  testActions,
  walletActions,
} from 'viem'
import { foundry } from 'viem/chains'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Counter } from '../contracts/generated.ts'

const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const SOMEBODY = '0x00000000000000000000000000000000000000aa'
const COUNTER: Hex = `0x${'c0'.repeat(20)}`
const START = 1_704_067_200n
const ETHER = parseEther('1')
/** What the accounts start with. */
const FUNDS = parseEther('10000')

const modes = ['anvil', 'hardhat', 'ganache'] as const
type Mode = (typeof modes)[number]

function connect(chain: Emulator, mode: Mode) {
  const transport = custom(chain, { retryCount: 0 })
  return createTestClient({ chain: foundry, mode, transport, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
}

/** A chain in manual production, with a Counter in its genesis. */
async function start(mode: Mode, options: EmulatorOptions = {}) {
  const genesis = { alloc: { [COUNTER]: { nonce: 1, code: Counter.deployedBytecode } } }
  const chain = await createEmulator({ flavor: mode, production: 'manual', genesis, ...options })
  const client = connect(chain, mode)
  return {
    mode,
    chain,
    client,
    /** Alice pays Bob one ether. */
    pay: (nonce?: number): Promise<Hex> =>
      client.sendTransaction({
        ...{ account: ALICE, to: BOB, value: ETHER, gas: 21_000n },
        ...(nonce === undefined ? {} : { nonce }),
      }),
    balance: (address: Hex) => client.getBalance({ address }),
    /** Seconds between genesis and the latest block. */
    headTime: async (): Promise<bigint> => (await client.getBlock()).timestamp - START,
    count: () => client.readContract({ address: COUNTER, abi: Counter.abi, functionName: 'count' }),
  }
}

type Scene = Awaited<ReturnType<typeof start>>

const UNKNOWN = /unknown account|account not recognized/i
// viem knows geth's words only; on Hardhat its error is a general one, with Hardhat's words among its details.
const NO_FUNDS = /insufficient funds|exceeds the balance|Sender doesn't have enough funds to send tx/

const cases: Record<keyof TestActions, (scene: Scene) => Promise<void>> = {
  async dropTransaction({ client, pay, balance }) {
    const hash = await pay()
    expect(await client.getTransaction({ hash })).toMatchObject({ blockNumber: null })
    await client.dropTransaction({ hash })
    await expect(client.getTransaction({ hash })).rejects.toThrow('could not be found')
    await client.mine({ blocks: 1 })
    expect(await balance(BOB)).toBe(FUNDS)
  },

  async dumpState({ mode, client, pay }) {
    await pay()
    await client.mine({ blocks: 1 })
    const state = await client.dumpState()
    const copy = connect(await createEmulator({ flavor: mode, state }), mode)
    expect(await copy.getBalance({ address: BOB })).toBe(FUNDS + ETHER)
    expect((await copy.getBlock()).stateRoot).toBe((await client.getBlock()).stateRoot)
  },

  async getAutomine({ client }) {
    expect(await client.getAutomine()).toBe(false)
    await client.setAutomine(true)
    expect(await client.getAutomine()).toBe(true)
  },

  async getTxpoolContent({ client, pay }) {
    const [next, queued] = [await pay(), await pay(7)]
    const content = await client.getTxpoolContent()
    const of = (part: typeof content.pending) =>
      Object.entries(part).map(([from, byNonce]) => [from, byNonce])
    expect(of(content.pending)).toEqual([[ALICE, { 0: expect.objectContaining({ hash: next }) }]])
    expect(of(content.queued)).toEqual([[ALICE, { 7: expect.objectContaining({ hash: queued }) }]])
  },

  async getTxpoolStatus({ client, pay }) {
    expect(await client.getTxpoolStatus()).toEqual({ pending: 0, queued: 0 })
    await pay()
    await pay(7)
    expect(await client.getTxpoolStatus()).toEqual({ pending: 1, queued: 1 })
  },

  async impersonateAccount({ client, balance }) {
    const send = () => client.sendTransaction({ account: SOMEBODY, to: BOB, value: ETHER })
    await client.setBalance({ address: SOMEBODY, value: 2n * ETHER })
    await expect(send()).rejects.toThrow(UNKNOWN)
    await client.impersonateAccount({ address: SOMEBODY })
    const hash = await send()
    await client.mine({ blocks: 1 })
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({
      status: 'success',
      from: SOMEBODY,
    })
    expect(await balance(BOB)).toBe(FUNDS + ETHER)
  },

  async increaseTime({ mode, client, headTime }) {
    // The total shift: Hardhat's as a decimal string, the others' as a number.
    const answer = await client.increaseTime({ seconds: 420 })
    expect(answer).toBe({ anvil: 420, hardhat: '420', ganache: 420 }[mode])
    await client.mine({ blocks: 1 })
    expect(await headTime()).toBe(420n)
  },

  async inspectTxpool({ client, pay }) {
    await pay()
    const { pending, queued } = await client.inspectTxpool()
    expect(Object.keys(pending)).toEqual([ALICE])
    // geth's words: receiver, value, gas and price.
    expect(Object.values(pending)[0]?.['0']).toMatch(
      new RegExp(`^${BOB}: ${ETHER} wei \\+ 21000 gas × \\d+ wei$`),
    )
    expect(queued).toEqual({})
  },

  async loadState({ mode, client, pay, balance }) {
    const other = await start(mode)
    await other.pay()
    await other.client.mine({ blocks: 1 })
    const state = await other.client.dumpState()
    await client.loadState({ state })
    expect(await balance(BOB)).toBe(FUNDS + ETHER)
    // The next nonce follows.
    const hash = await pay()
    expect(await client.getTransaction({ hash })).toMatchObject({ nonce: 1 })
  },

  async mine({ mode, client, headTime }) {
    await client.mine({ blocks: 2 })
    expect([await client.getBlockNumber(), await headTime()]).toEqual([2n, 2n])
    await client.mine({ blocks: 3, interval: 60 })
    expect(await client.getBlockNumber()).toBe(5n)
    // From the second on: anvil puts the interval before each block, Hardhat between them, ganache knows none.
    expect(await headTime()).toBe({ anvil: 2n + 180n, hardhat: 3n + 120n, ganache: 5n }[mode])
  },

  async removeBlockTimestampInterval({ chain, client, headTime }) {
    await client.setBlockTimestampInterval({ interval: 5 })
    await chain.seal()
    expect(await headTime()).toBe(5n)
    await client.removeBlockTimestampInterval()
    await chain.seal()
    expect(await headTime()).toBe(6n)
  },

  async reset({ client, pay, balance }) {
    await pay()
    await client.mine({ blocks: 3 })
    await client.reset()
    expect([await client.getBlockNumber(), await balance(BOB)]).toEqual([0n, FUNDS])
    const fork = { jsonRpcUrl: 'http://127.0.0.1:8545', blockNumber: 1n }
    await expect(client.reset(fork)).rejects.toThrow('there is no network to fork from')
  },

  async revert({ client, pay, balance }) {
    const id = await client.snapshot()
    await pay()
    await client.mine({ blocks: 1 })
    expect(await balance(BOB)).toBe(FUNDS + ETHER)
    await client.revert({ id })
    expect([await client.getBlockNumber(), await balance(BOB)]).toEqual([0n, FUNDS])
  },

  async sendUnsignedTransaction({ client, balance }) {
    await client.setBalance({ address: SOMEBODY, value: 2n * ETHER })
    const hash = await client.sendUnsignedTransaction({ from: SOMEBODY, to: BOB, value: ETHER })
    await client.mine({ blocks: 1 })
    expect(await client.getTransaction({ hash })).toMatchObject({ from: SOMEBODY })
    expect(await balance(BOB)).toBe(FUNDS + ETHER)
  },

  async setAutomine({ client, pay }) {
    await client.setAutomine(true)
    const hash = await pay()
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({ blockNumber: 1n })
    await client.setAutomine(false)
    await pay()
    expect(await client.getBlockNumber()).toBe(1n)
  },

  async setBalance({ client, balance }) {
    await client.setBalance({ address: SOMEBODY, value: 5n * ETHER })
    expect(await balance(SOMEBODY)).toBe(5n * ETHER)
    await client.setBalance({ address: ALICE, value: 0n })
    const unpaid = client.sendTransaction({ account: ALICE, to: BOB, value: 1n })
    await expect(unpaid).rejects.toThrow(NO_FUNDS)
  },

  async setBlockGasLimit({ client }) {
    await client.setBlockGasLimit({ gasLimit: 420_000n })
    await client.mine({ blocks: 1 })
    expect(await client.getBlock()).toMatchObject({ gasLimit: 420_000n })
  },

  async setBlockTimestampInterval({ chain, client, headTime }) {
    await client.setBlockTimestampInterval({ interval: 5 })
    await chain.seal()
    await chain.seal()
    expect(await headTime()).toBe(10n)
  },

  async setCode({ client }) {
    await client.setCode({ address: SOMEBODY, bytecode: Counter.deployedBytecode })
    expect(await client.getCode({ address: SOMEBODY })).toBe(Counter.deployedBytecode)
    const counter = { address: SOMEBODY, abi: Counter.abi } as const
    await client.writeContract({ ...counter, account: ALICE, functionName: 'add', args: [3n] })
    await client.mine({ blocks: 1 })
    expect(await client.readContract({ ...counter, functionName: 'count' })).toBe(3n)
  },

  async setCoinbase({ client, pay, balance }) {
    await client.setCoinbase({ address: SOMEBODY })
    const hash = await pay()
    await client.mine({ blocks: 1 })
    const { miner, baseFeePerGas } = await client.getBlock()
    expect(miner).toBe(SOMEBODY)
    // It earns the tip.
    const { effectiveGasPrice } = await client.getTransactionReceipt({ hash })
    expect(await balance(SOMEBODY)).toBe(21_000n * (effectiveGasPrice - baseFeePerGas!))
    expect(await balance(SOMEBODY)).toBeGreaterThan(0n)
  },

  async setIntervalMining({ chain, client }) {
    await client.setIntervalMining({ interval: 3 })
    await chain.advance(9000)
    expect(await client.getBlockNumber()).toBe(3n)
    await client.setIntervalMining({ interval: 0 })
    await chain.advance(9000)
    expect(await client.getBlockNumber()).toBe(3n)
  },

  // A chain in a test's process has no log of its own to turn on: it stays silent, and nothing else changes.
  async setLoggingEnabled({ client, pay, balance }) {
    const print = vi.spyOn(console, 'log')
    await client.setLoggingEnabled(true)
    await pay()
    await client.mine({ blocks: 1 })
    await client.setLoggingEnabled(false)
    expect(print).not.toHaveBeenCalled()
    expect(await balance(BOB)).toBe(FUNDS + ETHER)
  },

  // Refused under EIP-1559, in anvil's and Hardhat's words; before it, what anvil and Hardhat do.
  async setMinGasPrice({ mode, client }) {
    const gasPrice = parseGwei('20')
    await expect(client.setMinGasPrice({ gasPrice })).rejects.toMatchObject({
      details: `${mode}_setMinGasPrice is not supported when EIP-1559 is active`,
    })
    // Without automine, a cheaper transaction waits in the flavor hardhat.
    const berlin = await start(mode, { hardfork: 'berlin', production: 'auto' })
    await berlin.client.setMinGasPrice({ gasPrice })
    expect(await berlin.client.getGasPrice()).toBe(gasPrice)
    const payment = { account: ALICE, to: BOB, type: 'legacy', gas: 21_000n } as const
    const cheap = berlin.client.sendTransaction({ ...payment, gasPrice: gasPrice - 1n })
    await expect(cheap).rejects.toThrow(
      mode === 'hardhat'
        ? 'Transaction gas price is 19999999999, which is below the minimum of 20000000000'
        : 'gas price below minimum',
    )
    const hash = await berlin.client.sendTransaction({ ...payment, gasPrice })
    await berlin.client.mine({ blocks: 1 })
    expect(await berlin.client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  },

  async setNextBlockBaseFeePerGas({ client }) {
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('20') })
    await client.mine({ blocks: 1 })
    expect(await client.getBlock()).toMatchObject({ baseFeePerGas: parseGwei('20') })
    // An empty block lowers it by an eighth (EIP-1559).
    await client.mine({ blocks: 1 })
    expect(await client.getBlock()).toMatchObject({ baseFeePerGas: parseGwei('17.5') })
  },

  async setNextBlockTimestamp({ client, headTime }) {
    await client.setNextBlockTimestamp({ timestamp: START + 1000n })
    await client.mine({ blocks: 1 })
    expect(await headTime()).toBe(1000n)
  },

  async setNonce({ client, pay }) {
    await client.setNonce({ address: ALICE, nonce: 420 })
    expect(await client.getTransactionCount({ address: ALICE })).toBe(420)
    const hash = await pay()
    await client.mine({ blocks: 1 })
    expect(await client.getTransaction({ hash })).toMatchObject({ nonce: 420, blockNumber: 1n })
  },

  // There is no network to take another URL of: it is taken, as by an anvil that does not fork, and nothing changes.
  async setRpcUrl({ client }) {
    const before = await client.getBlock()
    await client.setRpcUrl('http://127.0.0.1:8545')
    expect(await client.getBlock()).toEqual(before)
  },

  async setStorageAt({ client, count }) {
    expect(await count()).toBe(0n)
    await client.setStorageAt({ address: COUNTER, index: 0, value: `0x${'2a'.padStart(64, '0')}` })
    expect(await count()).toBe(42n)
    expect(await client.getStorageAt({ address: COUNTER, slot: '0x0' })).toBe(`0x${'2a'.padStart(64, '0')}`)
  },

  async snapshot({ mode, client, pay, balance }) {
    // anvil counts from 0, Hardhat and ganache from 1.
    const first = { anvil: 0, hardhat: 1, ganache: 1 }[mode]
    expect(Number(await client.snapshot())).toBe(first)
    await pay()
    await client.mine({ blocks: 1 })
    const later = await client.snapshot()
    expect(Number(later)).toBe(first + 1)
    // Going back to the later one keeps what was done before it.
    await pay()
    await client.mine({ blocks: 1 })
    await client.revert({ id: later })
    expect([await client.getBlockNumber(), await balance(BOB)]).toEqual([1n, FUNDS + ETHER])
  },

  async stopImpersonatingAccount({ client }) {
    const send = () => client.sendTransaction({ account: SOMEBODY, to: BOB, value: 1n })
    await client.setBalance({ address: SOMEBODY, value: ETHER })
    await client.impersonateAccount({ address: SOMEBODY })
    await send()
    await client.stopImpersonatingAccount({ address: SOMEBODY })
    await expect(send()).rejects.toThrow(UNKNOWN)
  },
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(modes)('in mode %s', (mode) => {
  test('the table has every action that viem has, and no other', async () => {
    const { client } = await start(mode)
    expect(Object.keys(cases).sort()).toEqual(Object.keys(testActions({ mode })(client)).sort())
  })

  test.each(Object.entries(cases))('%s', async (_name, holds) => holds(await start(mode)))
})
