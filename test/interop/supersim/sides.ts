// A side of the comparison: both layers of a rollup, as clients of viem, and what its operators do.

import {
  type Account,
  type Address,
  type Chain,
  type Client,
  createClient,
  custom,
  defineChain,
  type PublicActions,
  publicActions,
  type Transport,
  type WalletActions,
  walletActions,
} from 'viem'
import { chainConfig } from 'viem/op-stack'

export type Request = (method: string, params?: readonly unknown[]) => Promise<unknown>

export type LayerClient = Client<
  Transport,
  Chain,
  undefined,
  undefined,
  PublicActions<Transport, Chain> & WalletActions<Chain, Account | undefined>
>

/** Contracts of the layer 1 that the scenario calls. */
export interface L1Contracts {
  readonly portal: Address
  readonly disputeGameFactory: Address
  readonly l1StandardBridge: Address
  readonly l1CrossDomainMessenger: Address
}

export interface Side {
  readonly l1: LayerClient
  readonly l2: LayerClient
  readonly contracts: L1Contracts
  /** The accounts that hold the ether that is locked on layer 1. */
  readonly locked: readonly Address[]
  /** Lets a little time pass: waiting transactions get into blocks, deposits reach layer 2. */
  step(): Promise<unknown>
  /** Sees to it that an output root that covers what is on layer 2 now is proposed on layer 1. */
  propose(): Promise<unknown>
  /** Lets the time pass after which a proof has matured, and the proposal is resolved and final. */
  mature(): Promise<unknown>
  close(): Promise<unknown>
}

const ETHER = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const MULTICALL3 = { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } as const

/** A client for one layer; for layer 2 with the formatters, serializers and contracts of the OP stack. */
export function connect(layer: 'l1' | 'l2', id: number, request: Request): LayerClient {
  const common = { id, name: layer, nativeCurrency: ETHER, rpcUrls: { default: { http: [] } } }
  const chain =
    layer === 'l1'
      ? defineChain({ ...common, contracts: { multicall3: MULTICALL3 } })
      : defineChain({
          ...chainConfig,
          ...common,
          contracts: { ...chainConfig.contracts, multicall3: MULTICALL3 },
        })
  const transport = custom(
    { request: ({ method, params }) => request(method, params as readonly unknown[]) },
    { retryCount: 0 },
  )
  return createClient({ chain: chain as Chain, transport, cacheTime: 0, pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions)
}
