// The plugin for Hardhat 3. It uses `node:` modules, since it reads the project's build-infos; Hardhat runs in Node. The
// only clock that it looks at tells how much real time has passed since the last request.

import { EventEmitter } from 'node:events'
import { readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { callbackify } from 'node:util'
import type { HardhatPlugin } from 'hardhat/types/plugins'
import type * as providers from 'hardhat/types/providers'
import type { Emulator } from './core/emulator/api.ts'
import { configHooks, type NetworkOptions, type UserNetworkOptions } from './tools/hardhat/config-hooks.ts'
import { makeOwnConnections, networkHooks } from './tools/hardhat/network-hooks.ts'

export type { Emulator } from './core/emulator/api.ts'
export type { NetworkOptions, UserNetworkOptions } from './tools/hardhat/config-hooks.ts'

declare module 'hardhat/types/config' {
  interface EdrNetworkUserConfig {
    /**
     * The chain behind the network: `true`, the default, and options of `createEmulator` for tickchain; `false` for
     * Hardhat's own chain.
     */
    tickchain?: UserNetworkOptions
  }
  interface EdrNetworkConfig {
    tickchain?: NetworkOptions | false
  }
}

declare module 'hardhat/types/network' {
  interface NetworkConnection<ChainTypeT extends ChainType | string = DefaultChainType> {
    /** The chain of a simulated network; not there on other networks, and those with `tickchain: false`. */
    readonly tickchain: Emulator
  }
}

/** The error of an answer as Hardhat's providers write it. */
function failureOf(error: unknown): { code: number; message: string; data: unknown } {
  const { code, message, stack, name } = error as Error & { code?: unknown }
  const number = Number.parseInt(`${code}`, 10)
  return { code: Number.isNaN(number) ? -1 : number, message, data: { stack, name } }
}

/** A provider with all that Hardhat's have besides `request`, which follows with its chain. */
class ChainProvider extends EventEmitter implements providers.EthereumProvider {
  request(_request: providers.RequestArguments): Promise<unknown> {
    throw new Error('the connection has no chain yet')
  }

  send(method: string, params?: unknown[]): Promise<unknown> {
    return this.request({ method, ...(params === undefined ? {} : { params }) })
  }

  sendAsync(
    { id, method, params = [] }: providers.JsonRpcRequest,
    callback: (error: unknown, response: providers.JsonRpcResponse) => void,
  ): void {
    const answer = async (): Promise<providers.JsonRpcResponse> => {
      try {
        return { jsonrpc: '2.0', id, result: await this.request({ method, params }) }
      } catch (error) {
        return { jsonrpc: '2.0', id, error: failureOf(error) }
      }
    }
    callbackify(answer)(callback)
  }

  async close(): Promise<void> {
    this.removeAllListeners()
  }
}

/** The hooks of connections. The chain is loaded with the first one that needs it. */
async function makeNetworkHooks() {
  return networkHooks({
    readFile: (path) => readFile(path),
    realTime: () => performance.now(),
    loadConnectChain: async () => (await import('./tools/hardhat/connection.ts')).connectChain,
    upstreamAt: async (url, headers) => (await import('./upstream.ts')).httpUpstream(url, { headers }),
    startRealtime: async (chain) => {
      const { startRealtime } = await import('./realtime.ts')
      startRealtime(chain)
    },
  })
}

/**
 * The plugin of Hardhat 3 that runs its simulated networks on tickchain: `plugins: [tickchain]` in `hardhat.config.ts`.
 * Each connection has a chain of its own, as `tickchain` beside its provider, with the network's configuration.
 *
 * @see Hardhat 3, plugins
 * @example
 * hardhatPlugin.id // => 'tickchain'
 */
const hardhatPlugin: HardhatPlugin = {
  id: 'tickchain',
  npmPackage: 'tickchain',
  hookHandlers: {
    config: async () => ({ default: async () => configHooks }),
    hre: async () => ({ default: async () => ({ created: makeOwnConnections(() => new ChainProvider()) }) }),
    network: async () => ({ default: makeNetworkHooks }),
  },
}

export default hardhatPlugin
