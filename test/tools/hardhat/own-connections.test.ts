// Connections that the plugin makes in place of Hardhat's network manager, in an environment as Hardhat 3.18 has it.

import type { EdrNetworkConfig } from 'hardhat/types/config'
import type { HookContext, NetworkHooks } from 'hardhat/types/hooks'
import type { HardhatRuntimeEnvironment } from 'hardhat/types/hre'
import type { NetworkConnection, NetworkConnectionParams } from 'hardhat/types/network'
import plugin from 'tickchain/hardhat'
import { describe, expect, test } from 'vitest'
import { ALICE } from '../../core/rpc/scene.ts'
import { SIMULATED_NETWORK } from './simulated-network.ts'

type Params = string | NetworkConnectionParams<string> | undefined

const KEY = { get: async () => '', getUrl: async () => '', getHexString: async () => `0x${'11'.repeat(32)}` }

const SIMULATED: EdrNetworkConfig & { tickchain: object } = {
  ...SIMULATED_NETWORK,
  accounts: [{ balance: 10n ** 18n, privateKey: KEY }],
  tickchain: {},
}

/** An environment whose own network manager only says that it was asked, and what a plugin beside this one sees. */
async function environment(selected?: string) {
  const asked: unknown[] = []
  const seen: string[] = []
  const beside: Partial<NetworkHooks> = {
    async newConnection(context, next) {
      const connection = await next(context)
      seen.push(`made ${connection.networkName}`)
      return connection
    },
    async closeConnection(context, connection, next) {
      seen.push(`closed ${connection.networkName}`)
      await next(context, connection)
    },
  }
  const ours = await (await plugin.hookHandlers?.network?.())?.default()
  const handlers = [beside, ours] as Record<string, (...args: unknown[]) => Promise<unknown>>[]
  const context = {
    artifacts: { getAllBuildInfoIds: async () => new Set() },
    hooks: {
      hasHandlers: async () => false,
      async runHandlerChain(
        _category: string,
        hook: string,
        params: unknown[],
        last: (...args: unknown[]) => unknown,
      ) {
        const next =
          (at: number) =>
          (...args: unknown[]): unknown =>
            at === handlers.length
              ? last(...args)
              : (handlers[at]?.[hook]?.(...args, next(at + 1)) ?? next(at + 1)(...args))
        return next(0)(context, ...params)
      },
    },
  } as unknown as HookContext
  const theirs = (name: string) => async (params: Params) => {
    asked.push([name, params])
    return { networkName: 'of Hardhat' }
  }
  const hre = {
    config: {
      defaultChainType: 'generic',
      networks: {
        default: SIMULATED,
        other: { ...SIMULATED, chainId: 7, blockGasLimit: false },
        edr: { ...SIMULATED, tickchain: false },
        live: { type: 'http' },
      },
    },
    globalOptions: { network: selected },
    network: { create: theirs('create'), getOrCreate: theirs('getOrCreate') },
  } as unknown as HardhatRuntimeEnvironment
  const { created } = (await (await plugin.hookHandlers?.hre?.())?.default()) ?? {}
  await created?.(context, hre)
  return { network: hre.network, asked, seen }
}

const chainIdOf = ({ provider }: NetworkConnection<string>) => provider.request({ method: 'eth_chainId' })

describe('a connection to a simulated network', () => {
  test("is made without Hardhat's own chain, and seen by other plugins", async () => {
    const { network, asked, seen } = await environment()
    const connection = await network.create()
    expect(connection).toMatchObject({ networkName: 'default', chainType: 'generic' })
    expect(connection.networkConfig).toMatchObject({ type: 'edr-simulated', chainType: 'generic' })
    expect(await chainIdOf(connection)).toBe('0x7a69')
    expect(await chainIdOf(await network.create('other'))).toBe('0x7')
    expect(await chainIdOf(await network.create({ network: 'other', chainType: 'generic' }))).toBe('0x7')
    const { provider } = connection
    await connection.close()
    await expect(provider.request({ method: 'eth_chainId' })).rejects.toThrow(/disposed/)
    expect(seen).toEqual(['made default', 'made other', 'made other', 'closed default'])
    expect(asked).toEqual([])
  })

  test('is to the network of the command line', async () => {
    const { network } = await environment('other')
    expect(await chainIdOf(await network.create())).toBe('0x7')
    expect(await chainIdOf(await network.create('default'))).toBe('0x7a69')
  })

  test('has a chain of its own, or is shared', async () => {
    const { network } = await environment()
    const made = await Promise.all([
      network.create(),
      network.create(),
      network.getOrCreate(),
      network.getOrCreate(),
    ])
    const ids = new Set(made.map(({ id }) => id))
    expect(ids.size).toBe(3)
    // Hardhat counts its own from 0.
    expect(Math.min(...ids)).toBeGreaterThan(1000)
    const [first, second, shared, again] = made as [
      (typeof made)[0],
      (typeof made)[0],
      (typeof made)[0],
      (typeof made)[0],
    ]
    expect(shared).toBe(again)
    expect(await network.getOrCreate('default')).toBe(shared)
    expect(await network.getOrCreate('other')).not.toBe(shared)
    await first.provider.request({ method: 'evm_mine' })
    expect(await first.provider.request({ method: 'eth_blockNumber' })).toBe('0x1')
    for (const { provider } of [second, shared])
      expect(await provider.request({ method: 'eth_blockNumber' })).toBe('0x0')
  })

  test('is left to Hardhat where it has settings to resolve, or no chain of ours', async () => {
    const { network, asked } = await environment()
    const wrong = [5, null] as unknown as Params[]
    const left: Params[] = ['live', 'edr', 'nowhere', { override: {} }, { chainType: 'l1' }, ...wrong]
    for (const params of left) {
      expect(await network.create(params)).toEqual({ networkName: 'of Hardhat' })
      expect(await network.getOrCreate(params)).toEqual({ networkName: 'of Hardhat' })
    }
    expect(asked).toEqual(
      left.flatMap((params) => [
        ['create', params],
        ['getOrCreate', params],
      ]),
    )
  })
})

describe('its provider', () => {
  test('has the older ways to ask, and events', async () => {
    const { network } = await environment()
    const { provider } = await network.create()
    expect(await provider.send('eth_getBalance', [ALICE, 'latest'])).toBe('0x0')
    const answered = (method: string) =>
      new Promise((resolve) => {
        provider.sendAsync({ jsonrpc: '2.0', id: 9, method }, (error, response) => resolve([error, response]))
      })
    expect(await answered('eth_chainId')).toEqual([null, { jsonrpc: '2.0', id: 9, result: '0x7a69' }])
    expect(await answered('eth_unheardOf')).toMatchObject([
      null,
      { id: 9, error: { code: -32_004, data: { name: 'ProviderError' } } },
    ])
  })

  test('has errors whose stack begins where it was asked', async () => {
    const { network } = await environment()
    const { provider } = await network.create()
    async function askForNothing() {
      await provider.request({ method: 'eth_unheardOf' })
    }
    const error = await askForNothing().catch((thrown: Error) => thrown)
    const [head, ...frames] = `${error?.stack}`.split('\n')
    const [first] = frames.filter((frame) => !frame.includes('node:internal'))
    expect(head).toBe('ProviderError: Method eth_unheardOf is not supported')
    expect(first).toMatch(/at (async )?askForNothing/)
  })

  test('enforces the limit of blocks where the network has one, or a test has set one', async () => {
    const { network } = await environment()
    const { provider } = await network.create()
    expect(provider).toMatchObject({ defaultTransactionGasLimit: 16_777_216n, isBlockGasLimitEnforced: true })
    const { provider: unlimited } = await network.create('other')
    expect(unlimited).toMatchObject({ isBlockGasLimitEnforced: false })
    await unlimited.request({ method: 'evm_setBlockGasLimit', params: ['0x1000000'] })
    expect(unlimited).toMatchObject({ isBlockGasLimitEnforced: true })
  })
})
