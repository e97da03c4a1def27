// Addresses of a rollup's contracts in the form of viem's chain definitions.

import type { Address } from '../primitives/hex.ts'
import { OP_PREDEPLOYS } from '../rollup/op/predeploys.ts'
import type { RollupAddresses, SuperchainAddresses } from './l1-addresses.ts'

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
} as const satisfies Record<string, keyof RollupAddresses>

/** Contracts on the layer 2, as viem's `op-stack` names them. */
const ON_L2 = {
  gasPriceOracle: OP_PREDEPLOYS.GasPriceOracle,
  l1Block: OP_PREDEPLOYS.L1Block,
  l2CrossDomainMessenger: OP_PREDEPLOYS.L2CrossDomainMessenger,
  l2Erc721Bridge: OP_PREDEPLOYS.L2ERC721Bridge,
  l2StandardBridge: OP_PREDEPLOYS.L2StandardBridge,
  l2ToL1MessagePasser: OP_PREDEPLOYS.L2ToL1MessagePasser,
} as const

/** The address of a contract. */
export interface ContractAddress {
  readonly address: Address
}

/** Contracts of a layer 2, and by the layer 1's chain id those that it has there: the `contracts` of viem's chain. */
export type RollupContracts = {
  readonly [Name in keyof typeof ON_L2]: ContractAddress
} & {
  readonly [Name in keyof typeof ON_L1 | 'superchainConfig']: {
    readonly [l1ChainId: number]: ContractAddress
  }
} & { readonly multicall3: ContractAddress }

const MULTICALL3: Address = '0xca11bde05977b3631167028862be2a173976ca11'

export function contractsOf(
  l1ChainId: number,
  addresses: RollupAddresses,
  { superchainConfig }: SuperchainAddresses,
): RollupContracts {
  const onL1 = (address: Address) => ({ [l1ChainId]: { address } })
  return {
    ...Object.fromEntries(Object.entries(ON_L1).map(([name, key]) => [name, onL1(addresses[key])])),
    superchainConfig: onL1(superchainConfig),
    ...Object.fromEntries(Object.entries(ON_L2).map(([name, address]) => [name, { address }])),
    multicall3: { address: MULTICALL3 },
  } as RollupContracts
}
