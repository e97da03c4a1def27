import type { ChainType } from './network.js'
import type { HardhatPlugin } from './plugins.js'

export interface HardhatUserConfig {
  plugins?: HardhatPlugin[]
  networks?: Record<string, NetworkUserConfig>
}

export interface HardhatConfig {
  defaultChainType: ChainType
  networks: Record<string, NetworkConfig>
}

export type NetworkUserConfig = HttpNetworkUserConfig | EdrNetworkUserConfig

export interface HttpNetworkUserConfig {
  type: 'http'
}

export interface EdrNetworkUserConfig {
  type: 'edr-simulated'
  initialDate?: string | Date
}

export type NetworkConfig = HttpNetworkConfig | EdrNetworkConfig

export interface HttpNetworkConfig {
  type: 'http'
}

export interface ResolvedConfigurationVariable {
  get(): Promise<string>
  getUrl(): Promise<string>
  getHexString(): Promise<string>
}

export type ConfigurationVariableResolver = (variable: never) => ResolvedConfigurationVariable

export interface EdrNetworkConfig {
  type: 'edr-simulated'
  accounts: EdrNetworkAccountsConfig
  chainId: number
  chainType?: ChainType
  from?: string
  gas: 'auto' | bigint
  gasMultiplier: number
  gasPrice: 'auto' | bigint
  allowBlocksWithSameTimestamp: boolean
  allowUnlimitedContractSize?: boolean
  blockGasLimit?: bigint | false
  coinbase: Uint8Array
  forking?: EdrNetworkForkingConfig
  gasEstimationMode: 'topLevelSuccess' | 'noInternalOutOfGas'
  hardfork: string
  initialBaseFeePerGas?: bigint
  initialDate: string | Date
  loggingEnabled: boolean
  minGasPrice: bigint
  mining: EdrNetworkMiningConfig
  networkId: number
  throwOnCallFailures: boolean
  throwOnTransactionFailures: boolean
  transactionGasCap?: bigint | false
}

export type EdrNetworkAccountsConfig = EdrNetworkAccountConfig[] | EdrNetworkHDAccountsConfig

export interface EdrNetworkAccountConfig {
  balance: bigint
  privateKey: ResolvedConfigurationVariable
}

export interface EdrNetworkHDAccountsConfig {
  mnemonic: ResolvedConfigurationVariable
  accountsBalance: bigint
  count: number
  initialIndex: number
  passphrase: ResolvedConfigurationVariable
  path: string
}

export interface EdrNetworkForkingConfig {
  enabled: boolean
  url: ResolvedConfigurationVariable
  cacheDir: string
  blockNumber?: bigint
  httpHeaders?: Record<string, string>
}

export interface EdrNetworkMiningConfig {
  auto: boolean
  interval: number | [number, number]
  mempool: { order: 'fifo' | 'priority' }
}
