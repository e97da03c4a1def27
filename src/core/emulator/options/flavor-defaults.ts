// What differs by flavor: defaults of options, and how automine fills blocks. Hardhat's are those of its
// network configuration, type `edr-simulated`.

import type { GasEstimationMode } from '../../execution/call/estimate-gas.ts'
import type { NodeConfig, PendingContents } from '../../node/node-state.ts'
import { type Address, type Hex, ZERO_ADDRESS } from '../../primitives/hex.ts'
import type { HardforkName, SelectableHardfork } from '../../rollup/hardforks.ts'
import { SEQUENCER_FEE_VAULT } from '../../rollup/system-contracts.ts'
import type { Flavor } from '../../rpc/flavor/flavor.ts'
import type { PendingIdentity } from '../../rpc/format/present.ts'
import { DEFAULT_DERIVATION } from './test-accounts.ts'

const COMMON = {
  hardfork: 'prague' as SelectableHardfork,
  /** Delays of the difficulty bomb by fork, where blocks before the merge have proof of work. */
  bombDelays: {} as Partial<Readonly<Record<HardforkName, number>>>,
  accountCount: DEFAULT_DERIVATION.count,
  genesisCoinbase: SEQUENCER_FEE_VAULT as Address,
  genesisExtraData: '0x' as Hex,
  /** `undefined` for that of genesis. */
  coinbase: undefined as Address | undefined,
  allowUnprotectedTransactions: false,
  throwOnTransactionFailures: false,
  safeLag: 32,
  finalizedLag: 64,
  automineBlocks: 'single' as NodeConfig['automineBlocks'],
  pendingContents: 'preconfirmed' as PendingContents,
  pendingIdentity: 'partial' as PendingIdentity,
  gasEstimationMode: 'topLevelSuccess' as GasEstimationMode,
  logBlockRange: 2000,
  stepsPerCall: 20_000_000,
}

export type FlavorDefaults = Readonly<typeof COMMON>

/** Hardhat's of london is that of the fork before (EIP-3554 has 9.7 million). */
const HARDHAT_BOMB_DELAYS = {
  byzantium: 3_000_000,
  constantinople: 5_000_000,
  petersburg: 5_000_000,
  istanbul: 5_000_000,
  muirGlacier: 9_000_000,
  berlin: 9_000_000,
  london: 9_000_000,
  arrowGlacier: 10_700_000,
  grayGlacier: 11_400_000,
}

const HARDHAT: FlavorDefaults = {
  hardfork: 'osaka',
  bombDelays: HARDHAT_BOMB_DELAYS,
  accountCount: 20,
  genesisCoinbase: ZERO_ADDRESS,
  genesisExtraData: '0x1234',
  coinbase: '0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e',
  allowUnprotectedTransactions: true,
  throwOnTransactionFailures: true,
  safeLag: 0,
  finalizedLag: 0,
  automineBlocks: 'full',
  pendingContents: 'pool',
  pendingIdentity: 'unnumbered',
  gasEstimationMode: 'noInternalOutOfGas',
  logBlockRange: Number.MAX_SAFE_INTEGER,
  stepsPerCall: Number.MAX_SAFE_INTEGER,
}

export function defaultsOf(flavor: Flavor): FlavorDefaults {
  return flavor === 'hardhat' ? HARDHAT : COMMON
}
