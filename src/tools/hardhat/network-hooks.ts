// The part of the plugin for connections: each one to a simulated network has a chain.

import type { HardhatRuntimeEnvironmentHooks, NetworkHooks } from 'hardhat/types/hooks'
import type { HardhatRuntimeEnvironment } from 'hardhat/types/hre'
import type { NetworkConnectionParams } from 'hardhat/types/network'
import type { EthereumProvider } from 'hardhat/types/providers'
import type { Emulator } from '../../core/emulator/api.ts'
import type { NetworkOptions } from './config-hooks.ts'
import type { AnyConnection, ConnectionTools, connectChain } from './connection.ts'

/** Functions of the platform that the plugin needs. */
interface Tools extends ConnectionTools {
  readonly loadConnectChain: () => Promise<typeof connectChain>
  /** Moves the clock of a chain with real time until the chain is disposed of. */
  readonly startRealtime: (chain: Emulator) => Promise<void>
}

/** The network that `hardhat node` serves, unless another is named. */
const NODE_NETWORK = 'node'

export function networkHooks(tools: Tools): Partial<NetworkHooks> {
  const chains = new WeakMap<AnyConnection, Emulator>()
  return {
    async newConnection(context, next) {
      const connection = await next(context)
      const { networkConfig, networkName } = connection
      const { tickchain: options = {} } = networkConfig as { tickchain?: NetworkOptions | false }
      if (networkConfig.type !== 'edr-simulated' || options === false) return connection
      const connectChain = await tools.loadConnectChain()
      const clock = options.clock ?? (networkName === NODE_NETWORK ? 'real' : 'wall')
      const chain = await connectChain(context, connection, { ...options, clock }, tools)
      chains.set(connection, chain)
      if (clock === 'real') await tools.startRealtime(chain)
      return Object.assign(connection, { tickchain: chain })
    },
    async closeConnection(context, connection, next) {
      chains.get(connection)?.dispose()
      chains.delete(connection)
      await next(context, connection)
    },
  }
}

type Params = string | NetworkConnectionParams<string> | undefined

/** Ids that Hardhat's own connections, counted from 0, do not come to. */
const FIRST_ID = 1_000_000

/** The network and the chain type of a connection, as Hardhat chooses them. */
type Described = Pick<AnyConnection, 'networkName' | 'networkConfig' | 'chainType'>

/** A provider whose `request` is still to be set. */
type MakeProvider = () => EthereumProvider

const DEFAULT_NETWORK = 'default'

/**
 * Describes a connection; `undefined` if Hardhat makes it: on other networks, and with settings that it has to resolve
 * again. `hardhat node` always gives an override, and asks for a provider of Hardhat's class.
 */
function describe({ config, globalOptions }: HardhatRuntimeEnvironment, params: Params) {
  const given = typeof params === 'string' ? { network: params } : params === undefined ? {} : params
  if (typeof given !== 'object' || given === null) return undefined
  const networkName = given.network ?? globalOptions.network ?? DEFAULT_NETWORK
  const network = config.networks[networkName]
  if ('override' in given || network?.type !== 'edr-simulated') return undefined
  if ((network as { tickchain?: unknown }).tickchain === false) return undefined
  const configured = network.chainType ?? config.defaultChainType
  const chainType = given.chainType ?? configured
  if (chainType !== configured) return undefined
  return { networkName, networkConfig: { ...network, chainType: configured }, chainType }
}

/** Lets `create` and `getOrCreate` of the network manager make connections, which the hooks of plugins then extend. */
export function makeOwnConnections(makeProvider: MakeProvider): HardhatRuntimeEnvironmentHooks['created'] {
  return async ({ hooks }, environment) => {
    const { network } = environment
    const [create, getOrCreate] = [network.create.bind(network), network.getOrCreate.bind(network)]
    /** Connections of `getOrCreate`. */
    const shared = new Map<string, Promise<AnyConnection>>()
    let nextId = FIRST_ID

    function connect(described: Described): Promise<AnyConnection> {
      const connection = {
        ...described,
        id: nextId++,
        provider: makeProvider(),
        close: () =>
          hooks.runHandlerChain('network', 'closeConnection', [connection], (_context, { provider }) =>
            provider.close(),
          ),
      } as AnyConnection
      return hooks.runHandlerChain('network', 'newConnection', [], async () => connection)
    }

    function share(described: Described): Promise<AnyConnection> {
      const key = JSON.stringify([described.networkName, described.chainType])
      const found = shared.get(key)
      if (found !== undefined) return found
      const connecting = connect(described)
      shared.set(key, connecting)
      connecting.catch(() => shared.delete(key))
      return connecting
    }

    network.create = async (params?: Params) => {
      const described = describe(environment, params)
      return (described === undefined ? create(params) : connect(described)) as Promise<never>
    }
    network.getOrCreate = async (params?: Params) => {
      const described = describe(environment, params)
      return (described === undefined ? getOrCreate(params) : share(described)) as Promise<never>
    }
  }
}
