// What a rollup's node knows of its layer 1.

import type { OpenBlock } from '../../chain/block/block.ts'
import type { PersistentMap } from '../../primitives/persistent-map.ts'
import type { Deposit } from '../../rollup/op/deposit.ts'
import type { L1Origin, SystemConfig } from '../../rollup/op/l1-attributes.ts'

/** An L1 block as the layer 2 sees it. */
export interface L1Block extends L1Origin {
  /** The deposits in its logs, in their order. The first L2 block of the origin includes them. */
  readonly deposits: readonly Deposit[]
  /** The system configuration after its logs. */
  readonly system: SystemConfig
}

export interface RollupState {
  /** The L1 blocks that the chain has been told of, or has made up, by number. */
  readonly l1Blocks: PersistentMap<number, L1Block>
  /** The number of the last of them. */
  readonly l1Head: number
  /** Deposits that wait for the next made-up L1 block. */
  readonly waiting: readonly Deposit[]
  /** The system configuration of the next made-up L1 block. */
  readonly system: SystemConfig
  /** The block being built before its first transaction from the pool, with its opening transactions executed. */
  readonly opening: OpenBlock | undefined
}

export interface RollupConfig {
  readonly stack: 'op'
  /** Whether L1 blocks are told by a real layer 1, or made up as time passes. */
  readonly layer1: 'told' | 'made-up'
  /** Seconds between made-up L1 blocks. */
  readonly l1BlockTimeS: number
  /** The most seconds that a block's timestamp may be ahead of its origin's; further blocks have no transactions of the pool. */
  readonly maxSequencerDriftS: number
}
