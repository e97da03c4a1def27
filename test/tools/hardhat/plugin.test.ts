// The plugin under the hooks of Hardhat 3.18, without Hardhat: hardhat.long.test.ts runs it in Hardhat itself.

import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import helpersPlugin from '@nomicfoundation/hardhat-network-helpers'
import type { NetworkHelpers } from '@nomicfoundation/hardhat-network-helpers/types'
import type { EdrNetworkConfig, ResolvedConfigurationVariable } from 'hardhat/types/config'
import type { GasMeasurement, HookContext, NetworkHooks } from 'hardhat/types/hooks'
import type { NetworkConnection } from 'hardhat/types/network'
import type { HardhatPlugin } from 'hardhat/types/plugins'
import type { JsonRpcRequest, JsonRpcResponse } from 'hardhat/types/providers'
import { base, createEmulator, type Emulator } from 'tickchain'
import plugin, { type UserNetworkOptions } from 'tickchain/hardhat'
import {
  createPublicClient,
  custom,
  encodeErrorResult,
  encodeFunctionData,
  type Hex,
  parseEther,
  toHex,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { refusalsOf } from '../../../src/tools/hardhat/config-hooks.ts'
import { NETWORK_FIELDS } from '../../../src/tools/hardhat/network-settings.ts'
import { Counter, Reverter } from '../../contracts/generated.ts'
import { ALICE, BOB } from '../../core/rpc/scene.ts'
import { SIMULATED_NETWORK } from './simulated-network.ts'

type Connection = NetworkConnection<string> & {
  readonly provider: EventEmitter
  networkHelpers?: NetworkHelpers
}

function variable(value: string): ResolvedConfigurationVariable {
  const get = async () => value
  return { get, getUrl: get, getHexString: get }
}

/** A network without settings, as Hardhat resolves it. */
const SIMULATED: EdrNetworkConfig = {
  ...SIMULATED_NETWORK,
  accounts: {
    mnemonic: variable('test test test test test test test test test test test junk'),
    accountsBalance: parseEther('10000'),
    count: 20,
    initialIndex: 0,
    passphrase: variable(''),
    path: "m/44'/60'/0'/0",
  },
}

const folder = mkdtempSync(join(tmpdir(), 'tickchain-plugin-'))
afterAll(() => rmSync(folder, { recursive: true }))

function writeBuildInfo(): void {
  const bytecode = (object: string) => ({ object: object.slice(2), sourceMap: '', linkReferences: {} })
  const contract = {
    abi: Reverter.abi,
    evm: { bytecode: bytecode(Reverter.bytecode), deployedBytecode: bytecode(Reverter.deployedBytecode) },
  }
  const input = { language: 'Solidity', sources: {}, settings: {} }
  writeFileSync(join(folder, 'a.json'), JSON.stringify({ solcVersion: '0.8.34', input }))
  const output = { contracts: { 'project/contracts/Reverter.sol': { Reverter: contract } }, sources: {} }
  writeFileSync(join(folder, 'a.output.json'), JSON.stringify({ output }))
}

writeBuildInfo()

interface Told {
  readonly measured: GasMeasurement[]
  readonly covered: string[][]
}

/** A context in which requests pass the hooks of plugins, the last one first, and reports are asked for. */
function contextOf(hooks: readonly Partial<NetworkHooks>[], reports: boolean): HookContext & Told {
  const measured: GasMeasurement[] = []
  const covered: string[][] = []
  const context = {
    measured,
    covered,
    artifacts: {
      getAllBuildInfoIds: async () => new Set(['a']),
      getBuildInfoPath: async (id: string) => join(folder, `${id}.json`),
      getBuildInfoOutputPath: async (id: string) => join(folder, `${id}.output.json`),
    },
    hooks: {
      hasHandlers: async () => reports,
      async runHandlerChain(
        _category: string,
        _hook: string,
        [connection, request]: [NetworkConnection<string>, JsonRpcRequest],
        last: (...args: [HookContext, NetworkConnection<string>, JsonRpcRequest]) => Promise<JsonRpcResponse>,
      ) {
        const run = async (at: number, asked: JsonRpcRequest): Promise<JsonRpcResponse> => {
          const hook = hooks[at]
          if (hook === undefined) return last(context, connection, asked)
          if (hook.onRequest === undefined) return run(at + 1, asked)
          return hook.onRequest(context, connection, asked, (_context, _connection, next) =>
            run(at + 1, next),
          )
        }
        return run(0, request)
      },
      async runParallelHandlers(_category: string, hook: string, [value]: [never]) {
        if (hook === 'onGasMeasurement') measured.push(value)
        else covered.push(value)
        return []
      },
    },
  } as unknown as HookContext & Told
  return context
}

type Ask = (method: string, ...params: unknown[]) => Promise<unknown>

interface Scene {
  /** Settings of the network. */
  readonly network?: Partial<EdrNetworkConfig>
  readonly tickchain?: UserNetworkOptions
  readonly name?: string
  readonly type?: 'http'
  readonly reports?: boolean
  readonly before?: Partial<NetworkHooks>
}

/** A connection as Hardhat makes it, whose own chain answers 'from elsewhere'. */
async function start({
  network = {},
  tickchain = true,
  name = 'default',
  type,
  reports = false,
  before,
}: Scene = {}) {
  const plugins: readonly HardhatPlugin[] = [helpersPlugin, plugin]
  const hooks: Partial<NetworkHooks>[] = before === undefined ? [] : [before]
  for (const { hookHandlers } of plugins) {
    const made = await hookHandlers?.network?.()
    if (made !== undefined) hooks.unshift(await made.default())
  }
  const context = contextOf(hooks, reports)
  const closed: unknown[] = []
  const own = tickchain === true ? {} : tickchain
  const provider = Object.assign(new EventEmitter(), {
    defaultTransactionGasLimit: 16_777_216n,
    isBlockGasLimitEnforced: true,
    request: async (): Promise<unknown> => 'from elsewhere',
    close: async () => undefined,
  })
  let connection = {
    id: 0,
    networkName: name,
    chainType: network.chainType ?? 'generic',
    networkConfig: type === 'http' ? { type } : { ...SIMULATED, ...network, tickchain: own },
    provider,
    async close() {
      for (const { closeConnection } of hooks)
        await closeConnection?.(context, connection, async () => void closed.push(connection))
    },
  } as unknown as Connection
  for (const { newConnection } of hooks.toReversed())
    if (newConnection !== undefined)
      connection = (await newConnection(context, async () => connection)) as Connection
  const ask = (method: string, ...params: unknown[]) => connection.provider.request({ method, params })
  const contract: Hex = `0x${'c0'.repeat(20)}`
  if (type === undefined && tickchain !== false)
    await connection.tickchain.setCode(contract, Reverter.deployedBytecode)
  const call = (functionName: 'revertWithString' | 'revertWithCustomError', ...args: unknown[]) => ({
    from: ALICE,
    to: contract,
    data: encodeFunctionData({ abi: Reverter.abi, functionName, args } as never),
  })
  return { connection, ask, closed, call, context }
}

describe('the plugin', () => {
  test('answers instead of Hardhat', { tags: 'gate' }, async () => {
    const { ask, connection } = await start()
    expect(await ask('eth_chainId')).toBe('0x7a69')
    expect(await ask('eth_accounts')).toHaveLength(20)
    expect(await ask('web3_clientVersion')).toMatch(/^HardhatNetwork\//)
    const hash = (await ask('eth_sendTransaction', { from: ALICE, to: BOB, value: '0x1' })) as Hex
    expect(await ask('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1', blockNumber: '0x1' })
    const seen = await connection.tickchain.request('eth_getTransactionReceipt', [hash])
    expect(seen).toMatchObject({ blockNumber: '0x1' })
  })

  test('lets options of the field tickchain come last', async () => {
    const { ask } = await start({
      network: { chainId: 5 },
      tickchain: { chainId: 6, genesis: { gasLimit: 7_000_000 } },
    })
    expect(await ask('eth_chainId')).toBe('0x6')
    // The time is still that of the network.
    expect(await ask('eth_getBlockByNumber', 'earliest', false)).toMatchObject({
      gasLimit: toHex(7_000_000),
      timestamp: toHex(1_704_067_200),
    })
  })

  test('passes requests through the hooks of other plugins', async () => {
    const { ask } = await start({
      before: {
        onRequest: async (context, connection, request, next) =>
          request.method === 'eth_gasPrice'
            ? { jsonrpc: '2.0', id: request.id, error: { code: -32_000, message: 'not today' } }
            : next(context, connection, { ...request, params: request.params ?? [] }),
      },
    })
    await expect(ask('eth_gasPrice')).rejects.toMatchObject({
      name: 'ProviderError',
      code: -32_000,
      message: 'not today',
    })
    expect(await ask('eth_chainId')).toBe('0x7a69')
  })

  test('tells what it measures', async () => {
    const { ask, call, context } = await start({ reports: true })
    // Hardhat gives code for coverage as much as it needs: more than osaka allows.
    await ask('eth_sendTransaction', { from: ALICE, data: Reverter.bytecode, gas: toHex(20_000_000) })
    await ask('eth_sendTransaction', { ...call('revertWithString', 'no'), gas: toHex(100_000) }).catch(
      () => undefined,
    )
    const runtimeSize = (Reverter.deployedBytecode.length - 2) / 2
    const contractFqn = 'contracts/Reverter.sol:Reverter'
    expect(context.measured).toEqual([
      { type: 'deployment', contractFqn, gas: expect.any(Number), runtimeSize },
    ])
    // PUSH1 7, MSTORE, STATICCALL of the address of coverage with 32 bytes, STOP.
    const code = `0x60075f525f5f60205f73${'c0be'.repeat(10)}5afa00`
    await ask('hardhat_setCode', BOB, code)
    await ask('eth_call', { to: BOB })
    expect(context.covered).toEqual([['07'.padStart(64, '0')]])
  })

  test('gives a transaction that cannot be estimated the gas of Hardhat', async () => {
    const { ask } = await start({
      before: {
        // As Hardhat's handler of gas.
        async onRequest(context, connection, request, next) {
          const [transaction] = (request.params ?? []) as [{ gas?: string }]
          if (request.method === 'eth_sendTransaction' && transaction.gas === undefined)
            transaction.gas = `${await connection.provider.request({ method: 'eth_estimateGas', params: [transaction] })}`
          return next(context, connection, request)
        },
      },
    })
    // Calls BOB, whose code takes more than the 100 gas that it gets: CALL with 0x64; SSTORE of 1.
    await ask('hardhat_setCode', BOB, '0x60015f5500')
    const to = `0x${'ee'.repeat(20)}`
    await ask('hardhat_setCode', to, `0x5f5f5f5f5f73${BOB.slice(2)}6064f100`)
    await expect(ask('eth_estimateGas', { from: ALICE, to })).rejects.toThrow(
      'an internal call runs out of gas',
    )
    const hash = await ask('eth_sendTransaction', { from: ALICE, to })
    expect(await ask('eth_getTransactionByHash', hash)).toMatchObject({ gas: toHex(16_777_216) })
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

  test('throws other failures in the words and by the name of Hardhat', async () => {
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
    const [one, two] = [await start(), await start()]
    await one.ask('hardhat_mine', '0x5')
    expect([await one.ask('eth_blockNumber'), await two.ask('eth_blockNumber')]).toEqual(['0x5', '0x0'])
    const chain: Emulator = one.connection.tickchain
    await one.connection.close()
    expect(one.closed).toEqual([one.connection])
    await expect(chain.request('eth_blockNumber')).rejects.toMatchObject({ kind: 'disposed' })
    expect(await two.ask('eth_blockNumber')).toBe('0x0')
  })

  test.each([{ type: 'http' }, { tickchain: false }] as const)('leaves %o to Hardhat', async (scene) => {
    const { ask, connection, closed } = await start(scene)
    expect(await ask('eth_blockNumber')).toBe('from elsewhere')
    expect(connection.tickchain).toBeUndefined()
    await connection.close()
    expect(closed).toEqual([connection])
  })

  test('lets a test move the clock', async () => {
    const { connection, ask } = await start()
    const chain = connection.tickchain
    await chain.setProduction('interval')
    const transport = custom(connection.provider as never, { retryCount: 0 })
    const reader = createPublicClient({ transport, cacheTime: 0 })
    const data = Counter.bytecode
    const hash = (await ask('eth_sendTransaction', { from: ALICE, data })) as Hex
    await chain.advance(200)
    expect(await reader.getTransactionReceipt({ hash })).toMatchObject({ blockNumber: 1n })
    expect(await reader.getBlockNumber()).toBe(0n)
  })

  describe('in real time', () => {
    /** 2024-01-01, when the networks of these tests begin. */
    const BEGIN = 1_704_067_200
    let nowMs = 1000
    beforeEach(() => {
      vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    })
    afterEach(() => void vi.restoreAllMocks())

    async function timestampOf(ask: Ask, tag: string): Promise<number> {
      const block = (await ask('eth_getBlockByNumber', tag, false)) as { timestamp: Hex }
      return Number(block.timestamp) - BEGIN
    }

    test('goes on with the time of day, with each request, as on EDR', async () => {
      const { ask, connection } = await start()
      nowMs += 90_000
      await ask('evm_mine')
      expect(await timestampOf(ask, 'latest')).toBe(90)
      // Two blocks in one second are a second apart, and the clock goes on from the second.
      await ask('evm_mine')
      expect(await timestampOf(ask, 'latest')).toBe(91)
      expect(await ask('evm_increaseTime', '0xa')).toBe('10')
      nowMs += 9500
      expect(await ask('evm_increaseTime', '0x0')).toBe('10')
      await ask('eth_sendTransaction', { from: ALICE, to: BOB, gas: '0x5208' })
      expect(await timestampOf(ask, 'latest')).toBe(91 + 10 + 9)
      const id = await ask('evm_snapshot')
      await ask('evm_setNextBlockTimestamp', BEGIN + 1000)
      await ask('evm_mine')
      nowMs += 5000
      await ask('evm_mine')
      expect(await timestampOf(ask, 'latest')).toBe(1005)
      await ask('evm_revert', id)
      nowMs += 2000
      await ask('evm_mine')
      // It was 110.5 at the snapshot.
      expect(await timestampOf(ask, 'latest')).toBe(112)
      await connection.close()
    })

    test('waits for evm_mine while automining is off, however long that takes', async () => {
      const { ask, connection } = await start()
      await ask('evm_setAutomine', false)
      const hash = await ask('eth_sendTransaction', { from: ALICE, to: BOB, gas: '0x5208' })
      nowMs += 60_000
      expect(await ask('eth_blockNumber')).toBe('0x0')
      expect(await ask('eth_getTransactionReceipt', hash)).toBeNull()
      expect(await timestampOf(ask, 'pending')).toBe(60)
      await connection.close()
    })

    test('leaves the blocks of an interval to who moves the clock', async () => {
      const { ask, connection } = await start({
        network: { mining: { auto: false, interval: 1000, mempool: { order: 'fifo' } } },
      })
      nowMs += 3500
      expect(await ask('eth_blockNumber')).toBe('0x0')
      expect(await timestampOf(ask, 'pending')).toBeGreaterThanOrEqual(3)
      await connection.tickchain.advance(1000)
      expect(await ask('eth_blockNumber')).toBe('0x1')
      await connection.close()
    })

    test('stands still with a virtual clock', async () => {
      const { ask, connection } = await start({ tickchain: { clock: 'virtual' } })
      nowMs += 90_000
      await ask('evm_mine')
      expect(await timestampOf(ask, 'latest')).toBe(1)
      await connection.close()
    })
  })

  test('moves the clock of `hardhat node` in real time', { tags: 'gate' }, async () => {
    const { ask, connection } = await start({
      name: 'node',
      network: { mining: { auto: false, interval: 100, mempool: { order: 'fifo' } } },
    })
    await expect.poll(() => ask('eth_blockNumber'), { timeout: 600_000 }).toBe('0x2')
    await connection.close()
  })

  test('prints requests if the network says so', async () => {
    const lines: unknown[] = []
    const print = vi.spyOn(console, 'log').mockImplementation((line) => lines.push(line))
    const { ask, call } = await start({ network: { loggingEnabled: true } })
    await ask('eth_chainId')
    const hash = await ask('eth_sendTransaction', {
      from: ALICE,
      to: BOB,
      value: toHex(15n * 10n ** 17n),
      gas: '0x5208',
    })
    const { hash: block } = (await ask('hardhat_setLoggingEnabled', false).then(() =>
      ask('eth_getBlockByNumber', 'latest', false),
    )) as { hash: Hex }
    await ask('hardhat_setLoggingEnabled', true)
    await ask('eth_call', call('revertWithString', 'no')).catch(() => undefined)
    print.mockRestore()
    expect(lines).toEqual([
      'eth_chainId',
      'eth_sendTransaction',
      `  Transaction: ${hash}`,
      `  From:        ${ALICE}`,
      `  To:          ${BOB}`,
      '  Value:       1.5 ETH',
      '  Gas used:    21000 of 21000',
      `  Block #1:    ${block}`,
      '',
      'eth_call',
      "  VM Exception while processing transaction: reverted with reason string 'no'",
      '',
    ])
  })
})

describe('the settings of a network', () => {
  /** A value for each field, and what a test sees of it. A new field has no row, and fails. */
  const SEEN: {
    readonly [Key in keyof Required<EdrNetworkConfig>]:
      | readonly [object, (ask: Ask) => Promise<void>]
      | string
  } = {
    type: 'there is no other',
    tickchain: 'options of the chain itself',
    from: 'Hardhat fills it in',
    gas: 'Hardhat fills it in',
    gasMultiplier: 'Hardhat fills it in',
    gasPrice: 'Hardhat fills it in',
    chainType: 'decides what hardfork means',
    forking: 'the test of forks below',
    loggingEnabled: 'the test of printing above',
    accounts: [
      {
        mnemonic: variable('legal winner thank year wave sausage worth useful legal winner thank yellow'),
        ...{
          passphrase: variable(''),
          path: "m/44'/60'/0'/0",
          initialIndex: 2,
          count: 1,
          accountsBalance: 9n,
        },
      },
      async (ask) => {
        const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
        const { address } = mnemonicToAccount(phrase, { addressIndex: 2 })
        expect(await ask('eth_accounts')).toEqual([address.toLowerCase()])
        expect(await ask('eth_getBalance', address, 'latest')).toBe('0x9')
      },
    ],
    chainId: [7 as never, async (ask) => expect(await ask('eth_chainId')).toBe('0x7')],
    networkId: [8 as never, async (ask) => expect(await ask('net_version')).toBe('8')],
    allowBlocksWithSameTimestamp: [
      true as never,
      async (ask) => {
        await ask('evm_setNextBlockTimestamp', 1_704_067_200)
        await ask('hardhat_mine')
        expect(await ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({
          timestamp: toHex(1_704_067_200),
        })
      },
    ],
    // 30,000 bytes of zeros.
    allowUnlimitedContractSize: [
      true as never,
      async (ask) => {
        const hash = await ask('eth_sendTransaction', {
          from: ALICE,
          data: '0x6175305ff3',
          gas: toHex(8_000_000),
        })
        expect(await ask('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
      },
    ],
    blockGasLimit: [
      5_000_000n as never,
      async (ask) =>
        expect(await ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({ gasLimit: '0x4c4b40' }),
    ],
    coinbase: [
      new Uint8Array(20).fill(7),
      async (ask) => expect(await ask('eth_coinbase')).toBe(`0x${'07'.repeat(20)}`),
    ],
    gasEstimationMode: [
      'topLevelSuccess' as never,
      async (ask) => {
        await ask('hardhat_setCode', BOB, '0x60015f5500')
        const to = `0x${'ee'.repeat(20)}`
        await ask('hardhat_setCode', to, `0x5f5f5f5f5f73${BOB.slice(2)}6064f100`)
        await expect(ask('eth_estimateGas', { from: ALICE, to })).resolves.toMatch(/^0x/)
      },
    ],
    hardfork: [
      'merge' as never,
      async (ask) => expect(await ask('anvil_nodeInfo')).toMatchObject({ hardFork: 'paris' }),
    ],
    initialBaseFeePerGas: [
      9n as never,
      async (ask) =>
        expect(await ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({ baseFeePerGas: '0x9' }),
    ],
    initialDate: [
      '2020-02-02T02:02:02.900Z' as never,
      // By `date -u -d 2020-02-02T02:02:02 +%s`.
      async (ask) =>
        expect(await ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({
          timestamp: toHex(1_580_608_922),
        }),
    ],
    minGasPrice: [
      5_000_000_000n as never,
      async (ask) => {
        const send = (gasPrice: number) =>
          ask('eth_sendTransaction', { from: ALICE, to: BOB, gasPrice: toHex(gasPrice) })
        await expect(send(4_999_999_999)).rejects.toThrow('below the minimum of 5000000000')
        await send(5_000_000_000)
      },
    ],
    mining: [
      { auto: false, interval: 0, mempool: { order: 'fifo' } },
      async (ask) => {
        expect(await ask('hardhat_getAutomine')).toBe(false)
        await ask('eth_sendTransaction', { from: ALICE, to: BOB })
        expect(await ask('eth_blockNumber')).toBe('0x0')
      },
    ],
    throwOnCallFailures: [
      false as never,
      async (ask) => expect(await ask('eth_call', { data: '0x5f5ffd' })).toBe('0x'),
    ],
    throwOnTransactionFailures: [
      false as never,
      async (ask) => {
        const hash = await ask('eth_sendTransaction', { from: ALICE, data: '0x5f5ffd', gas: toHex(100_000) })
        expect(await ask('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x0' })
      },
    ],
    transactionGasCap: [
      60_000n as never,
      async (ask) =>
        expect(ask('eth_sendTransaction', { from: ALICE, to: BOB, gas: toHex(60_001) })).rejects.toThrow(
          /60000/,
        ),
    ],
  }

  test('are those of Hardhat, each by its effect', () => {
    // hardhat3/types.ts compares them with the installed Hardhat.
    expect([...NETWORK_FIELDS, 'tickchain'].sort()).toEqual(Object.keys(SEEN).sort())
  })

  const rows = Object.entries(SEEN).flatMap(([field, row]) =>
    typeof row === 'string' ? [] : [[field, ...row] as const],
  )
  test.each(rows)('%s', { tags: 'gate' }, async (field, value, check) => {
    const more = field === 'minGasPrice' ? { hardfork: 'berlin' } : {}
    const { ask } = await start({ network: { ...more, [field]: value } })
    await check(ask)
    expect.hasAssertions()
  })

  test('mining by itself and in an interval at once, and in a random one', async () => {
    for (const interval of [1000, [1000, 2000]] as const) {
      const mining = { auto: true, interval, mempool: { order: 'priority' } } as EdrNetworkConfig['mining']
      const { ask, connection } = await start({ network: { mining } })
      await ask('eth_sendTransaction', { from: ALICE, to: BOB })
      expect(await ask('eth_blockNumber')).toBe('0x1')
      await connection.tickchain.advance(2000)
      expect(Number(await ask('eth_blockNumber'))).toBeGreaterThan(1)
    }
  })

  /** The setting for a chain behind `fetch`. */
  function forkingOf(upstream: Emulator) {
    const answer = vi.fn(async (_url: string, { body }: { body: string }) => {
      const text = await upstream.handle(body)
      return { status: 200, headers: new Headers(), text: async () => text }
    })
    vi.stubGlobal('fetch', answer)
    const url = variable('http://node.example')
    return { forking: { enabled: true, url, cacheDir: '', blockNumber: 3n }, answer }
  }

  test.each(['op', 'generic'] as const)(
    'a fork of a rollup is one: %s',
    { tags: 'gate' },
    async (chainType) => {
      const upstream = await createEmulator(base({ fork: 'jovian' }))
      await upstream.mine(3)
      const hardfork = chainType === 'op' ? 'isthmus' : 'cancun'
      const { forking } = forkingOf(upstream)
      const { ask } = await start({ network: { chainType, hardfork, forking } as never })
      await ask('eth_sendTransaction', { from: ALICE, to: BOB })
      const block = await ask('eth_getBlockByNumber', '0x4', true)
      // The parameters of jovian, and the least base fee of Base.
      const extraData = '0x010000007d0000000600000000004c4b40'
      expect(block).toMatchObject({ extraData, transactions: [{ type: '0x7e' }, { type: '0x2' }] })
      vi.unstubAllGlobals()
    },
  )

  test('a fork, at its block, with the gas limit and the base fee of the network', async () => {
    const upstream = await start()
    await upstream.ask('hardhat_mine', '0x5')
    const { forking, answer } = forkingOf(upstream.connection.tickchain)
    const { ask } = await start({
      network: { forking, initialBaseFeePerGas: 77n, blockGasLimit: 9_000_000n },
    })
    expect(await ask('eth_blockNumber')).toBe('0x3')
    await ask('hardhat_mine')
    expect(await ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({
      baseFeePerGas: toHex(77),
      gasLimit: toHex(9_000_000),
    })
    expect(answer.mock.calls[0]?.[0]).toBe('http://node.example')
    vi.unstubAllGlobals()
  })

  test('rules of the OP stack', async () => {
    const network = { ...SIMULATED, hardfork: 'isthmus' }
    const { ask } = await start({ network: { ...network, chainType: 'op' } })
    await ask('eth_sendTransaction', { from: ALICE, to: BOB })
    // The block opens with the deposit of the L1 attributes.
    const { transactions } = (await ask('eth_getBlockByNumber', 'latest', true)) as {
      transactions: { type: Hex }[]
    }
    expect(transactions.map(({ type }) => type)).toEqual(['0x7e', '0x2'])
    expect(refusalsOf({ ...network, chainType: 'op', tickchain: {} }, 'generic')).toEqual([])
  })

  test.each([
    [{ hardfork: 'amsterdam' }, 'hardfork', 'tickchain has no hardfork amsterdam; its last is osaka'],
    [{ minGasPrice: 1n }, 'minGasPrice', 'tickchain has no least gas price from the hardfork london on'],
    [
      { mining: { auto: false, interval: [1, 86_400_001], mempool: { order: 'fifo' } } },
      'mining',
      'tickchain makes a block at least every 86400000 ms',
    ],
    [{ tickchain: 5 }, 'tickchain', 'tickchain takes true, false, or an object of options'],
    [
      { tickchain: { clock: 'fast' } },
      'tickchain',
      "tickchain: its clock is 'virtual', 'wall' or 'real', got fast",
    ],
  ] as const)('%o is refused', (network, field, reason) => {
    const given = { tickchain: {}, ...SIMULATED, ...(network as object) }
    expect(refusalsOf(given, 'generic')).toEqual([[field, reason]])
  })
})

describe('the configuration', () => {
  /** What Hardhat makes of the user's configuration of the network `default`. */
  async function resolve(given: object) {
    const { default: make } = (await plugin.hookHandlers?.config?.()) ?? {}
    const { resolveUserConfig, validateResolvedConfig } = (await make?.()) ?? {}
    const networks = { default: { type: 'edr-simulated', ...given }, live: { type: 'http' } }
    const resolved = {
      networks: { default: { ...SIMULATED, initialDate: 'now', ...given }, live: { type: 'http' } },
    }
    const config = await resolveUserConfig?.(
      { networks } as never,
      undefined as never,
      async () => resolved as never,
    )
    const problems = await validateResolvedConfig?.(config as never)
    return { network: config?.networks['default'], problems }
  }

  test('starts at the time of day as in Hardhat, and with a virtual clock at the same time on every run', async () => {
    expect((await resolve({})).network).toMatchObject({ initialDate: 'now', tickchain: {} })
    const tickchain = { clock: 'virtual' }
    expect((await resolve({ tickchain })).network).toMatchObject({ initialDate: '2024-01-01T00:00:00Z' })
    expect((await resolve({ tickchain, initialDate: 'then' })).network).toMatchObject({ initialDate: 'then' })
    expect((await resolve({ initialDate: 'then' })).network).toMatchObject({ initialDate: 'then' })
    expect((await resolve({ tickchain: false })).network).toMatchObject({
      initialDate: 'now',
      tickchain: false,
    })
    expect((await resolve({ tickchain: { seed: 1 } })).network).toMatchObject({ tickchain: { seed: 1 } })
  })

  test('names what cannot be honoured', async () => {
    expect((await resolve({ hardfork: 'amsterdam' })).problems).toEqual([
      {
        path: ['networks', 'default', 'hardfork'],
        message:
          "tickchain has no hardfork amsterdam; its last is osaka. tickchain: false leaves the network to Hardhat's own chain",
      },
    ])
    expect((await resolve({ hardfork: 'amsterdam', tickchain: false })).problems).toEqual([])
  })
})
