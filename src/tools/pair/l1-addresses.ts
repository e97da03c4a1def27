// Addresses of the protocol's contracts on the layer 1.

import { keccakOfText } from '../../core/primitives/crypto.ts'
import type { Address } from '../../core/primitives/hex.ts'

const SUPERCHAIN_CONTRACTS = [
  'proxyAdmin',
  'superchainConfig',
  'superchainConfigImplementation',
  'protocolVersions',
  'protocolVersionsImplementation',
] as const

/** Contracts of a rollup behind proxies. */
const PROXIED = [
  'systemConfig',
  'optimismPortal',
  'l1CrossDomainMessenger',
  'l1StandardBridge',
  'l1ERC721Bridge',
  'optimismMintableERC20Factory',
  'disputeGameFactory',
  'anchorStateRegistry',
  'delayedWETH',
] as const

const ROLLUP_CONTRACTS = [
  ...(['proxyAdmin', 'addressManager'] as const),
  ...PROXIED.flatMap((name) => [name, `${name}Implementation`] as const),
  ...(['faultDisputeGame', 'permissionedDisputeGame', 'mips', 'preimageOracle'] as const),
]

/** Contracts that the rollups of a layer 1 share. */
export type SuperchainAddresses = Readonly<Record<(typeof SUPERCHAIN_CONTRACTS)[number], Address>>

/** Contracts of one rollup: the proxies, which users call, and what is behind them. */
export type RollupAddresses = Readonly<Record<(typeof ROLLUP_CONTRACTS)[number], Address>>

/** The addresses of a rollup's contracts on the layer 1, as far as they are known: the others are of no use to it. */
export type L1Addresses = Pick<RollupAddresses, 'systemConfig' | 'optimismPortal' | 'disputeGameFactory'> &
  Partial<RollupAddresses> &
  Partial<Pick<SuperchainAddresses, 'superchainConfig'>>

/** Addresses that differ from each other and look like those of any contract. */
function addressesOf<Name extends string>(owner: string, names: readonly Name[]) {
  const addressOf = (name: Name): Address => {
    const hash = keccakOfText(`tickchain: ${name} of ${owner}`)
    return `0x${hash.slice(-40)}`
  }
  return Object.fromEntries(names.map((name) => [name, addressOf(name)])) as Record<Name, Address>
}

export function superchainAddresses(): SuperchainAddresses {
  return addressesOf('the superchain', SUPERCHAIN_CONTRACTS)
}

/** Contracts of networks on their layer 1, by the chain id of the layer 2: clients' definitions fit, and forks find them. */
const KNOWN: Readonly<Record<number, Partial<RollupAddresses>>> = {
  // OP Mainnet, Unichain, OP Sepolia, Base Sepolia and Base (superchain-registry).
  10: { systemConfig: '0x229047fed2591dbec1ef1118d64f7af3db9eb290' },
  130: { systemConfig: '0xc407398d063f942febbcc6f80a156b47f3f1bda6' },
  11155420: { systemConfig: '0x034edd2a225f7f429a63e0f1d2084b9e0a93b538' },
  84532: { systemConfig: '0xf272670eb55e895584501d564afeb048bed26194' },
  8453: {
    systemConfig: '0x73a79fab69143498ed3712e519a88a918e1f4072',
    optimismPortal: '0x49048044d57e1c92a77f79988d21fa8faf74e97e',
    disputeGameFactory: '0x43edb88c4b80fdd2adff2412a7bebf9df42cb40e',
    l1StandardBridge: '0x3154cf16ccdb4c6d922629664174b904d80f2c35',
    l1CrossDomainMessenger: '0x866e82a600a1414e583f7f13623f1ac5d58b0afa',
    l1ERC721Bridge: '0x608d94945a64503e642e6370ec598e519a2c1e53',
  },
}

/** The address of a network's SystemConfig; `undefined` for a network that is not known. */
export function knownSystemConfig(chainId: number): Address | undefined {
  return KNOWN[chainId]?.systemConfig
}

/** @param chainId of the layer 2 */
export function rollupAddresses(chainId: number): RollupAddresses {
  return { ...addressesOf(`chain ${chainId}`, ROLLUP_CONTRACTS), ...KNOWN[chainId] }
}
