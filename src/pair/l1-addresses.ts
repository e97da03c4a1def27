// Addresses of the protocol's contracts on the layer 1.

import type { Address } from '../primitives/hex.ts'
import { keccakOfText } from '../rollup/op/solidity-words.ts'

const SUPERCHAIN_CONTRACTS = [
  'proxyAdmin',
  'superchainConfig',
  'superchainConfigImplementation',
  'protocolVersions',
  'protocolVersionsImplementation',
] as const

const ROLLUP_CONTRACTS = [
  'proxyAdmin',
  'addressManager',
  'systemConfig',
  'systemConfigImplementation',
  'optimismPortal',
  'optimismPortalImplementation',
  'l1CrossDomainMessenger',
  'l1CrossDomainMessengerImplementation',
  'l1StandardBridge',
  'l1StandardBridgeImplementation',
  'l1ERC721Bridge',
  'l1ERC721BridgeImplementation',
  'optimismMintableERC20Factory',
  'optimismMintableERC20FactoryImplementation',
  'disputeGameFactory',
  'disputeGameFactoryImplementation',
  'anchorStateRegistry',
  'anchorStateRegistryImplementation',
  'delayedWETH',
  'delayedWETHImplementation',
  'faultDisputeGame',
  'permissionedDisputeGame',
  'mips',
  'preimageOracle',
] as const

/** Contracts that the rollups of a layer 1 share. */
export type SuperchainAddresses = Readonly<Record<(typeof SUPERCHAIN_CONTRACTS)[number], Address>>

/** Contracts of one rollup: the proxies, which users call, and what is behind them. */
export type RollupAddresses = Readonly<Record<(typeof ROLLUP_CONTRACTS)[number], Address>>

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

/** @param chainId of the layer 2 */
export function rollupAddresses(chainId: number): RollupAddresses {
  return addressesOf(`chain ${chainId}`, ROLLUP_CONTRACTS)
}
