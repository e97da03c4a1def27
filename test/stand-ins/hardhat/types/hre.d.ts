import type { HardhatConfig } from './config.js'
import type { NetworkManager } from './network.js'

export interface HardhatRuntimeEnvironment {
  readonly config: HardhatConfig
  readonly globalOptions: { readonly network?: string | undefined }
  network: NetworkManager
}
