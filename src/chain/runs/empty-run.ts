// A run of empty blocks: what all of its blocks follow from. docs/decisions/0008-runs-of-empty-blocks.md.

import type { Address, Hash } from '../../primitives/hex.ts'
import type { Rules } from '../../rollup/rules.ts'
import type { SealedBlock } from '../block/block.ts'
import type { BlockTiming } from '../block/block-timing.ts'

/** The value that the next prevRandao is derived from: a header's, or the seed. */
export interface PrevRandaoSource {
  readonly prevRandao: Hash
}

/** Empty blocks on a parent, all with the same settings; how many there are is not part of it. */
export interface EmptyBlocks {
  readonly parent: SealedBlock
  readonly rules: Rules
  readonly timestamps: BlockTiming
  readonly coinbase: Address
  readonly gasLimit: bigint
  readonly extraData: Uint8Array
  /** For the first block. */
  readonly prevRandaoSource: PrevRandaoSource
}

export interface EmptyRun extends EmptyBlocks {
  /**
   * What the blocks write at their start (EIP-4788, EIP-2935): `each` writes as usual; `none` has anything to write,
   * before cancun; `skipped` leaves it out, so that the state stays as the parent left it.
   */
  readonly writes: 'each' | 'none' | 'skipped'
  /** The skipped blocks right before the run; its first block writes what they left out. */
  readonly skipped?: RunPart
}

/** The first `count` blocks of a run. */
export interface RunPart {
  readonly run: EmptyRun
  readonly count: number
  /** Whether blocks after these were taken off the chain: skipped ones do not go on then. */
  readonly isCut?: boolean
}

/** A block of a run that is given out before it is built. */
export interface LazyBlock extends SealedBlock {
  readonly run: EmptyRun
}

/** The run that a lazy block is of. */
export function runOf(block: SealedBlock): EmptyRun | undefined {
  return 'run' in block ? (block as LazyBlock).run : undefined
}

/** The number of the first block. */
export function firstNumber({ parent }: EmptyBlocks): number {
  return parent.header.number + 1
}

/** The number of the last block. */
export function lastNumber({ run, count }: RunPart): number {
  return run.parent.header.number + count
}
