// The plugin of docs/recipes/hardhat.md, unchanged, under the hooks of Hardhat 3.18: an onRequest gets (context,
// connection, request, next), and returns a JSON-RPC response or throws. `npm run recipe:hardhat` runs it in Hardhat
// itself, which is too large to install here.

import { EventEmitter } from 'node:events'
import helpersPlugin from '@nomicfoundation/hardhat-network-helpers'
import type { NetworkHelpers } from '@nomicfoundation/hardhat-network-helpers/types'
import type { Emulator, EmulatorOptions } from 'tickchain'
import { createPublicClient, custom, encodeErrorResult, encodeFunctionData, type Hex, toHex } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import { Counter, Reverter } from '../contracts/generated.ts'
import { findExamples, moduleOf } from '../examples/markdown.ts'
import { ALICE, BOB } from '../rpc/scene.ts'

interface Request {
  readonly jsonrpc: '2.0'
  readonly id: number
  readonly method: string
  readonly params?: unknown
}

interface Response {
  readonly jsonrpc: '2.0'
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

interface Connection {
  readonly networkName: string
  readonly networkConfig: Readonly<Record<string, unknown>>
  readonly provider: EventEmitter & { request(asked: { method: string; params?: unknown }): Promise<unknown> }
  readonly close: () => Promise<void>
  tickchain?: Emulator
  networkHelpers?: NetworkHelpers
}

type Next = (...args: never[]) => Promise<never>

interface NetworkHooks {
  newConnection?(context: object, next: () => Promise<Connection>): Promise<Connection>
  onRequest?(context: object, connection: Connection, request: Request, next: Next): Promise<Response>
  closeConnection?(context: object, connection: Connection, next: Next): Promise<void>
}

interface Plugin {
  readonly hookHandlers: { network(): Promise<{ default(): Promise<NetworkHooks> }> }
}

/** A network without settings, as Hardhat resolves it. */
const SIMULATED = {
  type: 'edr-simulated',
  chainId: 31_337,
  chainType: undefined,
  gas: 'auto',
  hardfork: 'osaka',
  mining: { auto: true, interval: 0, mempool: { order: 'priority' } },
  allowBlocksWithSameTimestamp: false,
  allowUnlimitedContractSize: undefined,
  throwOnCallFailures: true,
  throwOnTransactionFailures: true,
}

const artifacts = {
  getAllFullyQualifiedNames: async () => new Set(['contracts/Reverter.sol:Reverter']),
  readArtifact: async () => ({ contractName: 'Reverter', abi: Reverter.abi }),
}

async function loadPlugin(): Promise<(options?: EmulatorOptions) => Plugin> {
  const page = findExamples().filter(({ path }) => path === 'docs/recipes/hardhat.md')
  const example = page.find(({ source }) => source.startsWith('// tickchain.ts\n'))
  if (example === undefined) throw new Error('the recipe has no tickchain.ts')
  return (await import(/* @vite-ignore */ moduleOf(example))).default
}

/** A connection as Hardhat makes it with these plugins: the last of them is called first. */
async function connect(plugins: readonly Plugin[], config: object = {}) {
  const context = { artifacts }
  const hooks: NetworkHooks[] = []
  for (const plugin of plugins) hooks.unshift(await (await plugin.hookHandlers.network()).default())
  const passedOn: Request[] = []
  const closed: Connection[] = []
  let lastId = 0

  const chained = async (at: number, connection: Connection, request: Request): Promise<Response> => {
    const hook = hooks[at]
    if (hook === undefined) {
      passedOn.push(request)
      return { jsonrpc: '2.0', id: request.id, result: 'from elsewhere' }
    }
    const next = ((_: object, ...rest: [Connection, Request]) => chained(at + 1, ...rest)) as unknown as Next
    if (hook.onRequest === undefined) return chained(at + 1, connection, request)
    return hook.onRequest(context, connection, request, next)
  }

  const connection: Connection = {
    networkName: 'default',
    networkConfig: { ...SIMULATED, ...config },
    provider: Object.assign(new EventEmitter(), {
      async request({ method, params }: { method: string; params?: unknown }) {
        const asked: Request = { jsonrpc: '2.0', id: ++lastId, method, params: params ?? [] }
        const { id, result, error } = await chained(0, connection, asked)
        expect(id).toBe(lastId)
        if (error === undefined) return result
        throw Object.assign(new Error(error.message), { name: 'ProviderError', ...error })
      },
    }),
    async close() {
      for (const { closeConnection } of hooks) {
        await closeConnection?.(context, connection, (async () => void closed.push(connection)) as never)
      }
    },
  }
  for (const { newConnection } of hooks.toReversed()) await newConnection?.(context, async () => connection)
  const ask = (method: string, ...params: unknown[]) => connection.provider.request({ method, params })
  return { connection, ask, passedOn, closed }
}

const plugin = await loadPlugin()

/** A connection with a Reverter on its chain, and without the text that a failure has. */
async function start(options: EmulatorOptions = {}, config: object = {}) {
  const contract: Hex = `0x${'c0'.repeat(20)}`
  const genesis = { alloc: { [contract]: { code: Reverter.deployedBytecode } } }
  const scene = await connect([helpersPlugin, plugin({ genesis, ...options })], config)
  const call = (functionName: 'revertWithString' | 'revertWithCustomError', ...args: unknown[]) => ({
    from: ALICE,
    to: contract,
    data: encodeFunctionData({ abi: Reverter.abi, functionName, args } as never),
  })
  return { ...scene, call }
}

describe('the plugin', () => {
  test('answers instead of Hardhat', async () => {
    const { ask, passedOn, connection } = await start()
    expect(await ask('eth_chainId')).toBe('0x7a69')
    expect(await ask('eth_accounts')).toHaveLength(20)
    expect(await ask('web3_clientVersion')).toMatch(/^HardhatNetwork\//)
    const hash = (await ask('eth_sendTransaction', { from: ALICE, to: BOB, value: '0x1' })) as Hex
    expect(await ask('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1', blockNumber: '0x1' })
    expect(passedOn).toEqual([])
    const seen = await connection.tickchain?.request('eth_getTransactionReceipt', [hash])
    expect(seen).toMatchObject({ blockNumber: '0x1' })
  })

  test('uses the settings of the network, and the options before those', async () => {
    const mining = { auto: false, interval: 0, mempool: { order: 'priority' } }
    const { ask } = await start({}, { chainId: 5, hardfork: 'merge', mining, gas: 50_000n })
    expect(await ask('eth_chainId')).toBe('0x5')
    expect(await ask('hardhat_getAutomine')).toBe(false)
    const hash = await ask('eth_sendTransaction', { from: ALICE, to: BOB })
    expect(await ask('eth_getTransactionByHash', hash)).toMatchObject({ gas: toHex(50_000) })
    expect(await ask('anvil_nodeInfo')).toMatchObject({ hardFork: 'paris' })
    const optional = await start({ chainId: 6, hardfork: 'prague' }, { chainId: 5 })
    expect(await optional.ask('eth_chainId')).toBe('0x6')
    expect(await optional.ask('anvil_nodeInfo')).toMatchObject({ hardFork: 'prague' })
  })

  test('throws reverts with their data, their hash, and the names of the project’s errors', async () => {
    const { ask, call } = await start()
    const named = call('revertWithCustomError', 7n, 'seven')
    await expect(ask('eth_call', named, 'latest')).rejects.toMatchObject({
      code: 3,
      data: encodeErrorResult({ abi: Reverter.abi, errorName: 'CustomError', args: [7n, 'seven'] }),
      message: `VM Exception while processing transaction: reverted with custom error 'CustomError(7, "seven")'`,
    })
    const sent = ask('eth_sendTransaction', { ...call('revertWithString', 'no'), gas: toHex(100_000) })
    const error = (await sent.catch((thrown: unknown) => thrown)) as { transactionHash: Hex; message: string }
    expect(error.message).toContain("reverted with reason string 'no'")
    expect(await ask('eth_getTransactionReceipt', error.transactionHash)).toMatchObject({ status: '0x0' })
  })

  test('answers other failures with a response, from which Hardhat makes its own error', async () => {
    const { ask } = await start()
    const poor = `0x${'ee'.repeat(20)}`
    await ask('hardhat_impersonateAccount', poor)
    await expect(ask('eth_sendTransaction', { from: poor, to: BOB, value: '0x1' })).rejects.toMatchObject({
      name: 'ProviderError',
      code: -32000,
      message: expect.stringContaining("Sender doesn't have enough funds to send tx"),
    })
    await expect(ask('eth_nonsense')).rejects.toMatchObject({ name: 'ProviderError', code: -32004 })
  })

  test('works with the network helpers and their fixtures', async () => {
    const { connection, ask } = await start()
    const { loadFixture, time, setBalance } = connection.networkHelpers as NetworkHelpers
    let runs = 0
    async function rich() {
      runs++
      await setBalance(BOB, 5n)
    }
    for (let i = 0; i < 3; i++) {
      await loadFixture(rich)
      expect([await ask('eth_getBalance', BOB, 'latest'), await time.latestBlock()]).toEqual(['0x5', 0])
      await setBalance(BOB, 6n)
      await time.increase(1000)
    }
    expect(runs).toBe(1)
  })

  test('pushes subscriptions to the provider', async () => {
    const { connection, ask } = await start()
    const messages: unknown[] = []
    const notifications: unknown[] = []
    connection.provider.on('message', (message) => messages.push(message))
    connection.provider.on('notification', (message) => notifications.push(message))
    const subscription = await ask('eth_subscribe', 'newHeads')
    await ask('hardhat_mine')
    const result = expect.objectContaining({ number: '0x1' })
    expect(messages).toEqual([{ type: 'eth_subscription', data: { subscription, result } }])
    expect(notifications).toEqual([{ subscription, result }])
  })

  test('prints console.log calls, once', async () => {
    const print = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const { ask } = await start()
    // PUSH8 "log()" selector 51973ec9, MSTORE, CALL console.log's address with 4 bytes, STOP.
    const code = '0x6351973ec95f525f5f6004601c5f6a636f6e736f6c652e6c6f675af100'
    const to = `0x${'dd'.repeat(20)}`
    await ask('hardhat_setCode', to, code)
    await ask('eth_sendTransaction', { from: ALICE, to })
    expect(print.mock.calls).toEqual([['']])
    print.mockRestore()
  })

  test('has a chain for each connection, until it is closed', async () => {
    const factory = plugin()
    const [one, two] = [await connect([factory]), await connect([factory])]
    await one.ask('hardhat_mine', '0x5')
    expect([await one.ask('eth_blockNumber'), await two.ask('eth_blockNumber')]).toEqual(['0x5', '0x0'])
    const chain = one.connection.tickchain as Emulator
    await one.connection.close()
    expect(one.closed).toEqual([one.connection])
    await expect(chain.request('eth_blockNumber')).rejects.toMatchObject({ kind: 'disposed' })
    expect(await two.ask('eth_blockNumber')).toBe('0x0')
  })

  test('ignores other networks', async () => {
    const { ask, passedOn, connection, closed } = await start({}, { type: 'http' })
    expect(await ask('eth_blockNumber')).toBe('from elsewhere')
    expect(passedOn).toMatchObject([{ method: 'eth_blockNumber' }])
    expect(connection.tickchain).toBeUndefined()
    await connection.close()
    expect(closed).toEqual([connection])
  })

  test('lets a test move the clock', async () => {
    const { connection, ask } = await start()
    const chain = connection.tickchain as Emulator
    await chain.setProduction('interval')
    const transport = custom(connection.provider as never, { retryCount: 0 })
    const reader = createPublicClient({ transport, cacheTime: 0 })
    const data = Counter.bytecode
    const hash = (await ask('eth_sendTransaction', { from: ALICE, data })) as Hex
    await chain.advance(200)
    expect(await reader.getTransactionReceipt({ hash })).toMatchObject({ blockNumber: 1n })
    expect(await reader.getBlockNumber()).toBe(0n)
  })
})
