// The types of packages that pages name and that are not installed here, as far as the examples use them, with the
// names and shapes of Hardhat 3.18, Hardhat 2.29, jest 30, Ganache 7.9 and tevm 2.0. Bun and Deno have servers of their
// own.

declare module 'expect' {
  export interface Matchers<R extends void | Promise<void>, T = unknown> {
    toBe(expected: unknown): R
    toEqual(expected: T): R
  }
}

declare module '@jest/globals' {
  export { afterEach, beforeAll, beforeEach, test } from 'vitest'
  export const expect: {
    (actual: unknown): import('expect').Matchers<void> & import('tickchain/matchers').ChainMatchers
    extend(matchers: object): void
  }
}

declare module 'hardhat' {
  export const network: import('hardhat/types/network').NetworkManager
}

declare module 'hardhat/config' {
  export function defineConfig(config: {
    plugins?: import('hardhat/types/plugins').HardhatPlugin[]
    solidity?: string
  }): object
  /** Of Hardhat 2. */
  export function extendProvider(extender: (provider: object) => object): void
}

declare module 'hardhat/plugins' {
  /** Of Hardhat 2. */
  export class ProviderWrapper {
    constructor(provider: object)
  }
}

declare module '@nomicfoundation/hardhat-toolbox-viem' {
  const plugin: import('hardhat/types/plugins').HardhatPlugin
  export default plugin
}

declare module 'hardhat/types/artifacts' {
  export interface ArtifactManager {
    getAllFullyQualifiedNames(): Promise<ReadonlySet<string>>
    readArtifact(name: string): Promise<{ readonly abi: readonly unknown[] }>
  }
}

declare module 'hardhat/types/network' {
  export interface SimulatedNetworkConfig {
    type: 'edr-simulated'
    chainId: number
    gas: 'auto' | bigint
    hardfork: string
    mining: { auto: boolean; interval: number | [number, number] }
    allowBlocksWithSameTimestamp: boolean
    allowUnlimitedContractSize?: boolean
    throwOnCallFailures: boolean
    throwOnTransactionFailures: boolean
  }

  export interface NetworkConnection<ChainTypeT extends string = 'generic'> {
    readonly id: number
    readonly networkName: string
    readonly networkConfig: Readonly<SimulatedNetworkConfig | { type: 'http'; url: string }>
    readonly chainType: ChainTypeT
    readonly provider: import('node:events').EventEmitter
    close(): Promise<void>
    /** Of the toolboxes. */
    readonly networkHelpers: import('@nomicfoundation/hardhat-network-helpers/types').NetworkHelpers
    /** Of the toolbox for viem. */
    readonly viem: {
      deployContract(name: string): Promise<{ readonly write: Record<'inc', () => Promise<`0x${string}`>> }>
    }
  }

  export interface NetworkManager {
    create(network?: string): Promise<NetworkConnection>
    connect(network?: string): Promise<NetworkConnection>
  }
}

declare module 'hardhat/types/hooks' {
  type Connection<ChainTypeT extends string> = import('hardhat/types/network').NetworkConnection<ChainTypeT>
  type Request = import('hardhat/types/providers').JsonRpcRequest
  type Response = import('hardhat/types/providers').JsonRpcResponse

  export interface HookContext {
    readonly artifacts: import('hardhat/types/artifacts').ArtifactManager
  }

  export interface NetworkHooks {
    newConnection<ChainTypeT extends string>(
      context: HookContext,
      next: (nextContext: HookContext) => Promise<Connection<ChainTypeT>>,
    ): Promise<Connection<ChainTypeT>>
    closeConnection<ChainTypeT extends string>(
      context: HookContext,
      connection: Connection<ChainTypeT>,
      next: (nextContext: HookContext, nextConnection: Connection<ChainTypeT>) => Promise<void>,
    ): Promise<void>
    onRequest<ChainTypeT extends string>(
      context: HookContext,
      connection: Connection<ChainTypeT>,
      request: Request,
      next: (context: HookContext, connection: Connection<ChainTypeT>, request: Request) => Promise<Response>,
    ): Promise<Response>
  }
}

declare module 'hardhat/types/plugins' {
  export interface HardhatPlugin {
    id: string
    hookHandlers?: {
      network?: () => Promise<{ default: () => Promise<Partial<import('hardhat/types/hooks').NetworkHooks>> }>
    }
  }
}

declare module 'hardhat/types/providers' {
  export interface JsonRpcRequest {
    jsonrpc: '2.0'
    id: number | string
    method: string
    params?: unknown[] | object
  }

  export type JsonRpcResponse =
    | { jsonrpc: '2.0'; id: number | string; result: unknown }
    | { jsonrpc: '2.0'; id: number | string | null; error: { code: number; message: string; data?: unknown } }
}

declare module 'ganache' {
  const ganache: {
    provider(options?: {
      wallet?: { mnemonic?: string; defaultBalance?: number }
      miner?: { blockTime?: number }
    }): { request(asked: { method: string; params?: readonly unknown[] }): Promise<unknown> }
  }
  export default ganache
}

declare module 'tevm' {
  export function createMemoryClient(options?: {
    miningConfig?: { type: 'auto' | 'manual' }
  }): import('viem').PublicClient & import('viem').TestClient
}

interface LocalServer {
  serve(options: { port: number; hostname: string; fetch(request: Request): Promise<Response> }): unknown
}
declare const Bun: LocalServer
declare const Deno: {
  serve(
    options: { port: number; hostname: string },
    handler: (request: Request) => Promise<Response>,
  ): unknown
}
