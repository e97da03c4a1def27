// What a rollup's node knows of its layer 1.

import type { OpenBlock } from '../../chain/block/block.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import type { PersistentMap } from '../../primitives/persistent-map.ts'
import type { Deposit } from '../../rollup/deposit.ts'
import type { L1Origin, SystemConfig } from '../../rollup/stack.ts'
import type { StackName } from '../../rollup/stacks.ts'

/** An L1 block as the layer 2 sees it. */
export interface L1Block extends L1Origin {
  /** Blocks of this origin have it, and with it the parent beacon root; those of a made-up one have their own. */
  readonly prevRandao?: Hash
  /** The deposits in its logs, in their order. The first L2 block of the origin includes them. */
  readonly deposits: readonly Deposit[]
  /** The system configuration after its logs. */
  readonly system: SystemConfig
}

/** The L1 origin of a block. */
export interface OriginChoice {
  readonly origin: L1Block
  readonly sequenceNumber: number
}

/** Inputs of an opening; see `inputsOf`. */
export interface OpeningPlan extends OriginChoice {
  readonly inputs: readonly unknown[]
}

export interface RollupState {
  /** A reset may fork another rollup. */
  readonly config: RollupConfig
  /** The origin of the first block. */
  readonly l1Genesis: L1Block
  /** The sequence number of the first block, which is not zero on a fork. */
  readonly firstSequenceNumber?: number | undefined
  /** Seed for the hashes of made-up L1 blocks. */
  readonly l1Seed: Hash
  /** The L1 blocks that the chain has been told of, or has made up, by number. */
  readonly l1Blocks: PersistentMap<number, L1Block>
  /** The number of the last of them. */
  readonly l1Head: number
  /** Deposits that wait for the next made-up L1 block. */
  readonly waiting: readonly Deposit[]
  /** The system configuration of the next made-up L1 block. */
  readonly system: SystemConfig
  /** A block gas limit that a test has set, in place of the system configuration's. */
  readonly gasLimit: bigint | undefined
  /** The number of the next block's origin, if it was told: that of the head, or the one after. */
  readonly nextOrigin: number | undefined
  /** The block being built before its first transaction from the pool, with its opening transactions executed. */
  readonly opening: OpenBlock | undefined
  /** That of `opening`. */
  readonly plan: OpeningPlan | undefined
  /** True if listeners have been told of the opening transactions. */
  readonly isOpeningTold: boolean
}

/** Contracts and accounts on a real layer 1, and for how many of its blocks derivation waits. */
export interface L1Contracts {
  readonly portal: Address
  readonly systemConfig: Address
  readonly batchInbox: Address
  /** After an L1 origin, for the batches of its blocks. */
  readonly sequencingWindow: number
  /** After the first frame of a channel, for the last. */
  readonly channelTimeout: number
}

export interface RollupConfig {
  readonly stack: StackName
  /** Source of the L1 blocks: a real layer 1, or made up as time passes. */
  readonly layer1: 'told' | 'made-up'
  readonly l1ChainId: number
  /** `undefined` for a made-up layer 1. */
  readonly l1Contracts: L1Contracts | undefined
  /** Seconds between made-up L1 blocks. */
  readonly l1BlockTimeS: number
  /**
   * The most seconds that a block's timestamp may be ahead of its origin's; further blocks have no transactions of the
   * pool. `undefined` for the protocol's.
   */
  readonly maxSequencerDriftS: number | undefined
}
