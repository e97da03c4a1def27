// The part of the plugin for connections: each one to a simulated network has a chain.

import type { EdrNetworkConfig } from 'hardhat/types/config'
import type { NetworkHooks } from 'hardhat/types/hooks'
import type { Emulator } from '../../core/emulator/api.ts'
import type { Clock, NetworkOptions } from './config-hooks.ts'
import type { AnyConnection, ConnectionTools, connectChain } from './connection.ts'

/** Functions of the platform that the plugin needs. */
export interface Tools extends ConnectionTools {
  readonly loadConnectChain: () => Promise<typeof connectChain>
  /** Moves the clock of a chain with real time until the chain is disposed of. */
  readonly startRealtime: (chain: Emulator) => Promise<void>
}

/** The network that `hardhat node` serves, unless another is named. */
const NODE_NETWORK = 'node'

/** The options of a connection's chain; `false` if Hardhat's own answers. */
function optionsOfNetwork({ networkConfig }: AnyConnection): NetworkOptions | false {
  if (networkConfig.type !== 'edr-simulated') return false
  const { tickchain = {} } = networkConfig as EdrNetworkConfig & { tickchain?: NetworkOptions | false }
  return tickchain
}

/** The clock of a connection's chain. */
function clockOf({ networkName }: AnyConnection, { clock }: NetworkOptions): Clock {
  return clock ?? (networkName === NODE_NETWORK ? 'real' : 'wall')
}

export function networkHooks(tools: Tools): Partial<NetworkHooks> {
  const chains = new WeakMap<AnyConnection, Emulator>()
  return {
    async newConnection(context, next) {
      const connection = await next(context)
      const options = optionsOfNetwork(connection)
      if (options === false) return connection
      const connectChain = await tools.loadConnectChain()
      const clock = clockOf(connection, options)
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
