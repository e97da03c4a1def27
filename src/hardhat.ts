// The plugin for Hardhat 3. It uses `node:` modules, since it reads the project's build-infos; Hardhat runs in Node.

import { readFile } from 'node:fs/promises'
import type { HardhatPlugin } from 'hardhat/types/plugins'
import type { Emulator } from './emulator/api.ts'
import type { NetworkOptions, UserNetworkOptions } from './hardhat/config-hooks.ts'

export type { Emulator } from './emulator/api.ts'
export type { NetworkOptions, UserNetworkOptions } from './hardhat/config-hooks.ts'

declare module 'hardhat/types/config' {
  interface EdrNetworkUserConfig {
    /**
     * What runs the network: `true`, the default, and options of `createEmulator` for tickchain; `false` for Hardhat's
     * own chain.
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

async function loadConfigHooks() {
  const { configHooks } = await import('./hardhat/config-hooks.ts')
  return { default: async () => configHooks }
}

/** The hooks of connections, which load the chain. */
async function loadNetworkHooks() {
  const [{ networkHooks }, { startRealtime }, { httpUpstream }] = await Promise.all([
    import('./hardhat/network-hooks.ts'),
    import('./realtime.ts'),
    import('./upstream.ts'),
  ])
  const hooks = networkHooks({
    readFile: (path) => readFile(path),
    upstreamAt: (url, headers) => httpUpstream(url, { headers }),
    startRealtime: (chain) => {
      startRealtime(chain)
    },
  })
  return { default: async () => hooks }
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
  hookHandlers: { config: loadConfigHooks, network: loadNetworkHooks },
}

export default hardhatPlugin
