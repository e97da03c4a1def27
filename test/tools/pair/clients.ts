// viem's clients of a pair, with its actions for the OP stack.

import { createPublicClient, createWalletClient, custom, defineChain } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  chainConfig,
  publicActionsL1,
  publicActionsL2,
  walletActionsL1,
  walletActionsL2,
} from 'viem/op-stack'
import type { Emulator } from '../../../src/core/emulator/api.ts'
import type { Rollup, RollupChain } from '../../../src/tools/pair/rollup.ts'

/** The first account of the "test … junk" mnemonic. */
export const ACCOUNT = privateKeyToAccount(
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
)

const ETHER = { name: 'Ether', symbol: 'ETH', decimals: 18 } as const
const rpcUrls = { default: { http: [] } } as const

export function clientsOf({ l1, chains }: Rollup, index = 0) {
  const { l2, contracts } = chains[index] as RollupChain
  const multicall3 = contracts.multicall3
  const ids = { l1: l1.settings.chainId, l2: l2.settings.chainId }
  const chain1 = defineChain({
    id: ids.l1,
    name: 'layer 1',
    nativeCurrency: ETHER,
    rpcUrls,
    contracts: { multicall3 },
  })
  const chain2 = defineChain({
    ...chainConfig,
    id: ids.l2,
    name: 'layer 2',
    nativeCurrency: ETHER,
    rpcUrls,
    sourceId: ids.l1,
    contracts,
  })
  const transport = (chain: Emulator) => custom(chain, { retryCount: 0 })
  const polling = { pollingInterval: 1, cacheTime: 0 }
  return {
    chain1,
    chain2,
    public1: createPublicClient({ chain: chain1, transport: transport(l1), ...polling }).extend(
      publicActionsL1(),
    ),
    public2: createPublicClient({ chain: chain2, transport: transport(l2), ...polling }).extend(
      publicActionsL2(),
    ),
    wallet1: createWalletClient({ chain: chain1, transport: transport(l1), account: ACCOUNT }).extend(
      walletActionsL1(),
    ),
    wallet2: createWalletClient({ chain: chain2, transport: transport(l2), account: ACCOUNT }).extend(
      walletActionsL2(),
    ),
  }
}

interface ShownBlock {
  readonly timestampMs?: `0x${string}`
  readonly number: `0x${string}`
  readonly hash: `0x${string}`
  readonly parentHash: `0x${string}`
  readonly timestamp: `0x${string}`
  readonly transactions: readonly { readonly type: string; readonly hash: `0x${string}` }[]
}

/** A block with its transactions. */
export async function blockOf(chain: Emulator, tag: string | number): Promise<ShownBlock> {
  const selector = typeof tag === 'number' ? `0x${tag.toString(16)}` : tag
  return (await chain.request('eth_getBlockByNumber', [selector, true])) as unknown as ShownBlock
}

export async function numberOf(chain: Emulator, tag: string): Promise<number> {
  return Number((await blockOf(chain, tag)).number)
}
