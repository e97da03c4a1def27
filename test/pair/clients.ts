// viem's clients for both layers of a rollup, with all actions of the OP stack.

import type { Rollup } from 'tickchain/rollup'
import { emulatorTransport } from 'tickchain/viem'
import { type Account, createWalletClient, defineChain, publicActions } from 'viem'
import {
  chainConfig,
  publicActionsL1,
  publicActionsL2,
  walletActionsL1,
  walletActionsL2,
} from 'viem/op-stack'

const common = {
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
} as const

/** The layer 2 as `viem/chains` would define it, and clients for both layers. */
export function connect({ l1, l2, contracts }: Rollup, account: Account | `0x${string}`) {
  const { multicall3 } = contracts
  const targetChain = defineChain({
    ...chainConfig,
    ...common,
    id: l2.settings.chainId,
    name: 'layer 2',
    contracts,
    sourceId: l1.settings.chainId,
  })
  const l1Chain = defineChain({
    ...common,
    id: l1.settings.chainId,
    name: 'layer 1',
    contracts: { multicall3 },
  })
  const fast = { account, cacheTime: 0, pollingInterval: 1000 }
  return {
    targetChain,
    below: createWalletClient({ ...fast, chain: l1Chain, transport: emulatorTransport(l1) })
      .extend(publicActions)
      .extend(publicActionsL1())
      .extend(walletActionsL1()),
    above: createWalletClient({ ...fast, chain: targetChain, transport: emulatorTransport(l2) })
      .extend(publicActions)
      .extend(publicActionsL2())
      .extend(walletActionsL2()),
  }
}
