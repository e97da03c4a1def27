import type { ConfigHooks, HardhatRuntimeEnvironmentHooks, NetworkHooks } from './hooks.js'

type Factory<Hooks> = () => Promise<{ default: () => Promise<Partial<Hooks>> }>

export interface HardhatPlugin {
  id: string
  npmPackage?: string | null
  hookHandlers?: {
    config?: Factory<ConfigHooks>
    hre?: Factory<HardhatRuntimeEnvironmentHooks>
    network?: Factory<NetworkHooks>
  }
}
