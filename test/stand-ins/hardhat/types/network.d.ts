import type { NetworkConfig } from './config.js'
import type { EthereumProvider } from './providers.js'

export type ChainType = 'generic' | 'l1' | 'op'

export type DefaultChainType = 'generic'

export interface NetworkConnection<ChainTypeT extends ChainType | string = DefaultChainType> {
  readonly id: number
  readonly networkName: string
  readonly networkConfig: Readonly<NetworkConfig>
  readonly chainType: ChainTypeT
  readonly provider: EthereumProvider
  close(): Promise<void>
}

export interface NetworkConnectionParams<ChainTypeT extends ChainType | string = DefaultChainType> {
  network?: string
  chainType?: ChainTypeT
  override?: object
}

export interface NetworkManager {
  create<ChainTypeT extends ChainType | string = DefaultChainType>(
    networkOrParams?: NetworkConnectionParams<ChainTypeT> | string,
  ): Promise<NetworkConnection<ChainTypeT>>
  getOrCreate<ChainTypeT extends ChainType | string = DefaultChainType>(
    networkOrParams?: NetworkConnectionParams<ChainTypeT> | string,
  ): Promise<NetworkConnection<ChainTypeT>>
}
