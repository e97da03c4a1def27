// A run of empty blocks: what they share, and their fees, which mostly reach their minimum within two hundred blocks.

import type { Address, Hash } from '../../primitives/hex.ts'
import { memoizeWeak } from '../../primitives/lru-cache.ts'
import type { Rules } from '../../rollup/rules.ts'
import type { SealedBlock } from '../block/block.ts'
import { type Fees, feesAfter } from '../block/execute-block.ts'

/** The i-th block, counted from 0, is at `firstMs + i · intervalMs`. */
export interface BlockTiming {
  readonly firstMs: number
  readonly intervalMs: number
}

/** The time of the i-th block, in milliseconds. */
export function timeMsOf({ firstMs, intervalMs }: BlockTiming, index: number): number {
  return firstMs + index * intervalMs
}

/** The timestamp of the i-th block, in seconds. */
export function timestampOf(timing: BlockTiming, index: number): number {
  return Math.floor(timeMsOf(timing, index) / 1000)
}

/** The timing without its first `count` blocks. */
export function timingFrom(timing: BlockTiming, count: number): BlockTiming {
  return { firstMs: timeMsOf(timing, count), intervalMs: timing.intervalMs }
}

/** The value that the next prevRandao is derived from: a header's, or the seed. */
export interface PrevRandaoSource {
  readonly prevRandao: Hash
}

/** Empty blocks on a parent, all with the same settings. Their number is not part of it. */
export interface EmptyBlocks {
  readonly parent: SealedBlock
  readonly rules: Rules
  readonly timestamps: BlockTiming
  readonly coinbase: Address
  readonly gasLimit: bigint
  readonly extraData: Uint8Array
  /** Difficulty of each block: zero, or that of reserved blocks before the merge. */
  readonly difficulty: bigint
  /** For the first block. */
  readonly prevRandaoSource: PrevRandaoSource
}

export interface EmptyRun extends EmptyBlocks {
  /**
   * Writes at the start of the blocks (EIP-4788, EIP-2935). `each` performs them; `none` has none to perform, as before
   * cancun; `skipped` leaves them out, so that the state stays that of the parent; `reserved` too, and its blocks have
   * assigned hashes, so that each can be built without those before it.
   */
  readonly writes: 'each' | 'none' | 'skipped' | 'reserved'
  /** The skipped blocks just before the run, whose writes its first block performs. */
  readonly skipped?: RunPart
}

/** True if the blocks of a run leave out writes that they should perform. */
export function leavesOutWrites({ writes }: EmptyRun): boolean {
  return writes === 'skipped' || writes === 'reserved'
}

/** The first `count` blocks of a run. */
export interface RunPart {
  readonly run: EmptyRun
  readonly count: number
  /** True if later blocks of the run were removed from the chain. Skipped blocks cannot be continued then. */
  readonly isCut?: boolean
}

/** The run of a block that is returned before it is built; `undefined` for any other block. */
export function runOf(block: SealedBlock): EmptyRun | undefined {
  return (block as { readonly run?: EmptyRun }).run
}

export function firstNumber({ parent }: EmptyBlocks): number {
  return parent.header.number + 1
}

export function lastNumber({ run, count }: RunPart): number {
  return run.parent.header.number + count
}

/** The fees of empty blocks, computed on demand. */
export const feesFrom = memoizeWeak(({ rules, gasLimit, extraData, parent }: EmptyBlocks) => {
  const known = [feesAfter(rules, parent)]
  let isSettled = false
  const at = (index: number): Fees => {
    let last = known[Math.min(index, known.length - 1)] as Fees
    while (!isSettled && known.length <= index) {
      const header = { ...last, gasLimit, extraData, gasUsed: 0n, blobGasUsed: 0n }
      const next = feesAfter(rules, { rules, header })
      isSettled = next.baseFeePerGas === last.baseFeePerGas && next.excessBlobGas === last.excessBlobGas
      if (isSettled) break
      known.push(next)
      last = next
    }
    return last
  }
  return {
    /** The fees of the i-th block, counted from 0. */
    at,
    /** The first of `count` blocks whose fees meet a condition; `count` if there is none. */
    firstWhere(count: number, isMet: (fees: Fees) => boolean): number {
      for (let index = 0; index < count; index++) {
        if (isMet(at(index))) return index
        if (isSettled && index >= known.length - 1) return count
      }
      return count
    },
  }
})
