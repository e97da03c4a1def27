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
  /** With what the toolbox for viem adds. */
  type Connection = import('hardhat/types/network').NetworkConnection & {
    readonly networkHelpers: import('@nomicfoundation/hardhat-network-helpers/types').NetworkHelpers
    readonly viem: {
      deployContract(name: string): Promise<{ readonly write: Record<'inc', () => Promise<`0x${string}`>> }>
    }
  }

  export const network: {
    create(network?: string): Promise<Connection>
    connect(network?: string): Promise<Connection>
  }
}

declare module 'hardhat/config' {
  export type { HardhatUserConfig } from 'hardhat/types/config'
  export function defineConfig(
    config: import('hardhat/types/config').HardhatUserConfig & { solidity?: string },
  ): object
}

declare module '@nomicfoundation/hardhat-toolbox-viem' {
  const plugin: import('hardhat/types/plugins').HardhatPlugin
  export default plugin
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
