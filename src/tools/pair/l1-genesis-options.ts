// What the contracts on the layer 1 are set up with.

import type { Address, Hash } from '../../core/primitives/hex.ts'
import type { SystemConfig } from '../../core/rollup/stack.ts'
import type { RollupAddresses, SuperchainAddresses } from './l1-addresses.ts'

/** Type of the dispute games that anybody may create (in the protocol: CANNON). */
export const PERMISSIONLESS_GAME = 0
/** Type of the dispute games that only the proposer may create. */
export const PERMISSIONED_GAME = 1

/** One rollup's part of a layer 1. */
export interface RollupOnL1 extends L1Parameters {
  /** Chain id of the layer 2. */
  readonly chainId: number
  readonly addresses: RollupAddresses
  readonly system: SystemConfig
  /** Upgrades the contracts, and sets the system configuration. */
  readonly owner: Address
  readonly unsafeBlockSigner: Address
  readonly batchInbox: Address
  /** May create dispute games of the permissioned type. */
  readonly proposer: Address
  /** May take part in them. */
  readonly challenger: Address
  /** The output that the first games start from: of the layer 2's genesis block. */
  readonly anchor: { readonly outputRoot: Hash; readonly blockNumber: number }
}

export interface L1GenesisOptions {
  /** The block in which the contracts are set up: the layer 1's genesis block. */
  readonly block: { readonly number: number; readonly timestamp: number }
  readonly superchain: {
    readonly addresses: SuperchainAddresses
    readonly owner: Address
    /** May pause withdrawals, and chooses the type of games. */
    readonly guardian: Address
  }
  readonly rollups: readonly RollupOnL1[]
}

const DAY_S = 86_400

/** Parameters of rollups on Ethereum. */
export const L1_DEFAULTS = {
  /** The type of games that withdrawals are proved against. */
  respectedGameType: PERMISSIONED_GAME,
  /** Wei that the creator of a game deposits. */
  initialBond: 80_000_000_000_000_000n,
  /** Wei of the layer 2's genesis accounts, which the portal holds so that it can be withdrawn. */
  lockedAtGenesis: 0n,
  /** Seconds from the proof of a withdrawal until it can be finalised. */
  proofMaturityDelayS: 7 * DAY_S,
  /** Seconds from the resolution of a game until withdrawals proved against it can be finalised. */
  disputeGameFinalityDelayS: 3.5 * DAY_S,
  /** Seconds that either side of a game has; an unchallenged game can be resolved after them. */
  maxClockDurationS: 3.5 * DAY_S,
  /** Seconds that a side has at least after a move of the other. */
  clockExtensionS: 10_800,
  /** Seconds until bonds can be withdrawn. */
  bondDelayS: 7 * DAY_S,
  /** The market in which deposits buy gas of the layer 2: EIP-1559 on the layer 1's contracts. */
  depositMarket: {
    /** Gas of the layer 2 that deposits may buy in a block of the layer 1. */
    maxResourceLimit: 20_000_000,
    elasticityMultiplier: 10,
    baseFeeMaxChangeDenominator: 8,
    /** Wei per gas. */
    minimumBaseFee: 1_000_000_000,
    maximumBaseFee: 2n ** 128n - 1n,
    /** Gas of the L1 attributes deposit. */
    systemTxMaxGas: 1_000_000,
  },
  /** Hash of the fault proof program's first state. */
  absolutePrestate: '0x03c7ae758795765c6664a5d39bf63841c71ff191e9189522bad8ebff5d4eca98' as Hash,
}

type L1Parameters = Readonly<typeof L1_DEFAULTS>

/** The address to which a chain's batches are sent by custom: 0xff, zeros, and the chain id in decimal digits. */
export function batchInboxOf(chainId: number): Address {
  return `0xff${`${chainId}`.padStart(38, '0')}`
}
