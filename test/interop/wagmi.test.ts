// A wagmi application with the emulator as the wallet of the page.

import {
  type Config,
  type Connector,
  connect,
  createConfig,
  createStorage,
  disconnect,
  estimateGas,
  getAccount,
  getBalance,
  getBlockNumber,
  getCallsStatus,
  injected,
  readContract,
  reconnect,
  sendCalls,
  sendTransaction,
  signMessage,
  simulateContract,
  switchChain,
  verifyMessage,
  waitForTransactionReceipt,
  watchContractEvent,
  writeContract,
} from '@wagmi/core'
import { base } from '@wagmi/core/chains'
import { announceProvider, createEmulator, type Emulator, type EmulatorOptions } from 'tickchain'
import { emulatorActions, emulatorConfig, emulatorTransport } from 'tickchain/viem'
import { createClient, parseEther } from 'viem'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Counter, Reverter } from '../contracts/generated.ts'

// The first two accounts of the "test … junk" mnemonic.
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const COUNTER = { address: `0x${'c0'.repeat(20)}`, abi: Counter.abi } as const
const REVERTER = { address: `0x${'de'.repeat(20)}`, abi: Reverter.abi } as const

beforeEach(() => {
  // wagmi looks for wallets only if there is a window.
  vi.stubGlobal('window', new EventTarget())
})

afterEach(() => {
  vi.unstubAllGlobals()
})

function makeChain(options: EmulatorOptions = {}): Promise<Emulator> {
  const alloc = {
    [COUNTER.address]: { nonce: 1, code: Counter.deployedBytecode },
    [REVERTER.address]: { nonce: 1, code: Reverter.deployedBytecode },
  }
  return createEmulator({ genesis: { alloc }, ...options })
}

/** A configuration whose clients wait on the virtual clock, with a second chain that the wallet does not have. */
function makeConfig(chain: Emulator) {
  const settings = emulatorConfig(chain)
  const wallet = injected({ target: { id: 'tickchain', name: 'tickchain', provider: chain as never } })
  return createConfig({
    chains: [settings.chain, base],
    connectors: [wallet],
    storage: createStorage({ storage: memory() }),
    client: ({ chain: definition }) =>
      createClient({ ...settings, chain: definition }).extend(emulatorActions(chain)),
  })
}

function memory() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}

function connectorOf({ connectors }: Config): Connector {
  return connectors[0] ?? expect.unreachable('there is no connector')
}

async function start(options?: EmulatorOptions) {
  const chain = await makeChain(options)
  const config = makeConfig(chain)
  await connect(config, { connector: connectorOf(config) })
  return { chain, config }
}

describe('a connection', () => {
  test('connects, has the accounts of the emulator, and disconnects', async () => {
    const chain = await makeChain()
    const config = makeConfig(chain)
    expect(getAccount(config)).toMatchObject({ status: 'disconnected', address: undefined })
    const { accounts, chainId } = await connect(config, { connector: connectorOf(config) })
    expect(accounts.slice(0, 2)).toEqual([ALICE, BOB])
    expect(accounts).toHaveLength(10)
    expect(chainId).toBe(31_337)
    expect(getAccount(config)).toMatchObject({ status: 'connected', address: ALICE })
    await disconnect(config)
    expect(getAccount(config)).toMatchObject({ status: 'disconnected' })
    await connect(config, { connector: connectorOf(config) })
    expect(getAccount(config)).toMatchObject({ status: 'connected' })
  })

  test('is not started by the wallet: nothing is emitted before the page asks', async () => {
    const config = makeConfig(await makeChain())
    await connectorOf(config).setup?.()
    expect(getAccount(config).status).toBe('disconnected')
  })

  test('reconnects', async () => {
    const { config } = await start()
    config.setState((state) => ({ ...state, connections: new Map(), current: null, status: 'disconnected' }))
    expect(await reconnect(config, { connectors: [connectorOf(config)] })).toHaveLength(1)
    expect(getAccount(config)).toMatchObject({ status: 'connected', address: ALICE })
  })

  test('works with an announced wallet (EIP-6963)', async () => {
    const chain = await makeChain()
    const stop = announceProvider(chain, window)
    const config = createConfig({
      chains: [emulatorConfig(chain).chain],
      storage: null,
      transports: { 31337: emulatorTransport(chain) },
    })
    const connector = config.connectors.find(({ id }) => id === 'dev.tickchain')
    if (connector === undefined) return expect.unreachable('it was not found')
    await connect(config, { connector })
    expect(getAccount(config)).toMatchObject({ status: 'connected', address: ALICE })
    stop()
  })
})

describe('an announced wallet that is not connected', () => {
  async function open() {
    const chain = await makeChain()
    const wallet = announceProvider(chain, window, { connected: false })
    const config = createConfig({
      chains: [emulatorConfig(chain).chain],
      storage: createStorage({ storage: memory() }),
      transports: { 31337: emulatorTransport(chain) },
    })
    const connector = config.connectors.find(({ id }) => id === 'dev.tickchain')
    if (connector === undefined) return expect.unreachable('it was not found')
    return { chain, wallet, config, connector }
  }

  test('is connected when the user agrees, and not when they reject', async () => {
    const { wallet, config, connector } = await open()
    wallet.rejectNext()
    await expect(connect(config, { connector })).rejects.toMatchObject({ name: 'UserRejectedRequestError' })
    expect(getAccount(config).status).toBe('disconnected')
    await connect(config, { connector })
    expect(getAccount(config)).toMatchObject({ status: 'connected', addresses: [ALICE] })
    wallet.stop()
  })

  test('follows the account and the chain of the wallet', async () => {
    const { chain, wallet, config, connector } = await open()
    await connect(config, { connector })
    wallet.switchAccounts([BOB])
    expect(getAccount(config).address).toBe(BOB)
    await chain.setChainId(10)
    expect(getAccount(config).chainId).toBe(10)
    wallet.revoke()
    await vi.waitFor(() => expect(getAccount(config).status).toBe('disconnected'))
  })

  test('gives its accounts back', async () => {
    const { wallet, config, connector } = await open()
    await connect(config, { connector })
    await disconnect(config)
    expect(wallet.accounts).toEqual([])
    await connect(config, { connector })
    expect(getAccount(config).address).toBe(ALICE)
  })

  test('sends bundles of the account, and none that the user rejects', async () => {
    const { chain, wallet, config, connector } = await open()
    await connect(config, { connector })
    wallet.rejectNext()
    const calls = [{ to: BOB, value: 1n }] as const
    await expect(sendCalls(config, { calls })).rejects.toThrow('User rejected the request.')
    const { id } = await sendCalls(config, { calls })
    await chain.closePartial()
    expect(await getCallsStatus(config, { id })).toMatchObject({ status: 'success' })
  })
})

describe('with a connection', () => {
  test('the account sends, and the receipt comes as the clock moves', async () => {
    const { chain, config } = await start()
    const hash = await sendTransaction(config, { to: BOB, value: parseEther('1') })
    const waiting = waitForTransactionReceipt(config, { hash })
    await chain.advance(200)
    expect(await waiting).toMatchObject({ status: 'success', blockNumber: 1n, gasUsed: 21_000n })
    await chain.advance(1800)
    expect((await getBalance(config, { address: BOB })).value).toBe(parseEther('10001'))
    expect(await getBlockNumber(config)).toBe(1n)
  })

  test('a contract is simulated, written to, watched and read', async () => {
    const { chain, config } = await start()
    const values: unknown[] = []
    const unwatch = watchContractEvent(config, {
      ...COUNTER,
      eventName: 'Incremented',
      onLogs: (logs) => values.push(...logs.map(({ args }) => args.value)),
    })
    const { request } = await simulateContract(config, { ...COUNTER, functionName: 'add', args: [41n] })
    const hash = await writeContract(config, request)
    await chain.advance(2000)
    expect(await waitForTransactionReceipt(config, { hash })).toMatchObject({ status: 'success' })
    expect(await readContract(config, { ...COUNTER, functionName: 'count' })).toBe(41n)
    expect(values).toEqual([41n])
    unwatch()
  })

  test('a revert has its reason, of a call and of a transaction', async () => {
    const { chain, config } = await start()
    const call = { ...REVERTER, functionName: 'revertWithString', args: ['too late'] } as const
    await expect(simulateContract(config, call)).rejects.toThrow('too late')
    const hash = await writeContract(config, { ...call, gas: 100_000n })
    await chain.advance(200)
    await expect(waitForTransactionReceipt(config, { hash })).rejects.toThrow('too late')
  })

  test('a message is signed, and the signature holds', async () => {
    const { config } = await start()
    const message = 'Grüße aus Block 1'
    const signature = await signMessage(config, { message })
    expect(await verifyMessage(config, { address: ALICE, message, signature })).toBe(true)
    expect(await verifyMessage(config, { address: BOB, message, signature })).toBe(false)
    expect(await estimateGas(config, { to: BOB, value: 1n })).toBe(21_000n)
  })

  test('a bundle of calls is sent and followed', async () => {
    const { chain, config } = await start()
    const { id } = await sendCalls(config, { calls: [{ to: BOB, value: 1n }] })
    expect(await getCallsStatus(config, { id })).toMatchObject({ status: 'pending' })
    await chain.advance(200)
    expect(await getCallsStatus(config, { id })).toMatchObject({ status: 'success' })
  })

  test('switching to the current chain succeeds, to another is refused', async () => {
    const { config } = await start()
    expect(await switchChain(config, { chainId: 31_337 })).toMatchObject({ id: 31_337 })
    // wagmi asks the wallet to add the chain, which is refused, and takes that for the user's no.
    await expect(switchChain(config, { chainId: base.id })).rejects.toMatchObject({
      name: 'UserRejectedRequestError',
    })
    expect(getAccount(config).chainId).toBe(31_337)
  })
})
