// Addresses of a rollup's contracts in the form of viem's chain definitions.

import type { Address } from '../../core/primitives/hex.ts'
import type { L1Addresses } from './l1-addresses.ts'

/** Contracts on the layer 1, as viem names those that it knows. */
const ON_L1 = {
  portal: 'optimismPortal',
  systemConfig: 'systemConfig',
  disputeGameFactory: 'disputeGameFactory',
  anchorStateRegistry: 'anchorStateRegistry',
  delayedWeth: 'delayedWETH',
  l1CrossDomainMessenger: 'l1CrossDomainMessenger',
  l1StandardBridge: 'l1StandardBridge',
  l1Erc721Bridge: 'l1ERC721Bridge',
  optimismMintableErc20Factory: 'optimismMintableERC20Factory',
  addressManager: 'addressManager',
  proxyAdmin: 'proxyAdmin',
  superchainConfig: 'superchainConfig',
} as const satisfies Record<string, keyof L1Addresses>

/** The address of a contract. */
export interface ContractAddress {
  readonly address: Address
}

const at = (address: Address): ContractAddress => ({ address })

const predeploy = (number: string): ContractAddress => at(`0x42000000000000000000000000000000000000${number}`)

/**
 * Contracts on every layer 2, as viem's `op-stack` names them, and Multicall3. Not from `OP_PREDEPLOYS`: the entry for
 * viem needs them, and loads nothing of the chain.
 */
export const L2_CONTRACTS = {
  gasPriceOracle: predeploy('0f'),
  l1Block: predeploy('15'),
  l2CrossDomainMessenger: predeploy('07'),
  l2Erc721Bridge: predeploy('14'),
  l2StandardBridge: predeploy('10'),
  l2ToL1MessagePasser: predeploy('16'),
  multicall3: at('0xca11bde05977b3631167028862be2a173976ca11'),
} as const

/** Contracts of a layer 2, and by the layer 1's chain id those that it has there: the `contracts` of viem's chain. */
export type RollupContracts = typeof L2_CONTRACTS & {
  readonly [Name in keyof typeof ON_L1]: {
    readonly [l1ChainId: number]: ContractAddress
  }
}

export function layerContracts(l1ChainId: number, addresses: L1Addresses): RollupContracts {
  const onL1 = (address: Address | undefined) => (address === undefined ? {} : { [l1ChainId]: at(address) })
  return {
    ...Object.fromEntries(Object.entries(ON_L1).map(([name, key]) => [name, onL1(addresses[key])])),
    ...L2_CONTRACTS,
  } as RollupContracts
}
