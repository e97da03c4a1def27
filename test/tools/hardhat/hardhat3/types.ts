// Types of the plugin, under Hardhat's own: what it is compiled with says the same as they do.
import { defineConfig } from 'hardhat/config'
import type { EdrNetworkConfig } from 'hardhat/types/config'
import type { HookContext, NetworkHooks } from 'hardhat/types/hooks'
import type { NetworkConnection } from 'hardhat/types/network'
import tickchain, { type Emulator } from 'tickchain/hardhat'
import type { EdrNetworkConfig as Known } from './stand-in/config.js'
import type { HookContext as KnownContext } from './stand-in/hooks.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Own = Omit<EdrNetworkConfig, 'tickchain' | 'ignition'>

/** A new field of Hardhat's configuration fails here, and needs a row of src/tools/hardhat/network-settings.ts. */
export const knowsAllFields: Equal<keyof Own, keyof Known> = true
export const knowsAllAccounts: Equal<
  keyof Exclude<Own['accounts'], unknown[]>,
  keyof Exclude<Known['accounts'], unknown[]>
> = true
export const knowsAllMining: Equal<keyof Own['mining'], keyof Known['mining']> = true
export const knowsAllForking: Equal<keyof NonNullable<Own['forking']>, keyof NonNullable<Known['forking']>> =
  true

export const asKnown = (network: Own): Known => network
export const contextAsKnown = (context: HookContext): Pick<KnownContext, 'artifacts'> => context
export const hooks = tickchain.hookHandlers satisfies
  | { network?: () => Promise<{ default: () => Promise<Partial<NetworkHooks>> }> }
  | undefined

export const chainOf = (connection: NetworkConnection): Emulator => connection.tickchain

export default defineConfig({
  plugins: [tickchain],
  networks: {
    mine: { type: 'edr-simulated', tickchain: { seed: 1, clock: 'real', partialBlockTimeMs: 100 } },
    theirs: { type: 'edr-simulated', tickchain: false },
    // @ts-expect-error no such option
    wrong: { type: 'edr-simulated', tickchain: { speed: 1 } },
  },
})
