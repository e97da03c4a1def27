// A run of empty blocks as one value: all that its blocks follow from. docs/decisions/0008-runs-of-empty-blocks.md.

import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import type { Rules } from '../../rollup/rules.ts'
import { writesAtStart } from '../../rollup/system-contracts.ts'
import type { SealedBlock } from '../block/block.ts'
import { environmentFrom, prevRandaoAfter } from '../block/header.ts'
import { type Pace, paceFrom, timestampOf } from './block-timing.ts'
import { type FeeWalk, feesAfter, walkFees } from './empty-fees.ts'

/** Where the last prevRandao is: in a header, or in the seed. */
export interface PrevRandaoSource {
  readonly prevRandao: Hash
}

/**
 * How the blocks of a run come about. `exact`: each is what it would be if it were built by itself. `compact`: the
 * protocol's contracts are written at the last one only, as if every block had written them.
 */
type RunPrecision = 'exact' | 'compact'

export interface EmptyRun {
  readonly parent: SealedBlock
  readonly count: number
  readonly rules: Rules
  readonly pace: Pace
  readonly coinbase: Address
  readonly gasLimit: bigint
  readonly extraData: Uint8Array
  readonly prevRandaoSource: PrevRandaoSource
  readonly precision: RunPrecision
  /** The run that this one goes on from; absent, it is one by itself. */
  readonly trunk?: EmptyRun
}

/** What runs that go on from one another have in common: as far as both reach, their blocks are the same. */
export function trunkOf(run: EmptyRun): EmptyRun {
  return run.trunk ?? run
}

/** The blocks of a run by position, counted from 0. */
export interface BlockSource {
  readonly at: (index: number) => SealedBlock
  /** The position of the one of the first `count` blocks that has a hash. */
  readonly indexOf: (hash: Hash, count: number) => number | undefined
}

/** The number of the first block. */
export function firstNumber({ parent }: EmptyRun): number {
  return parent.header.number + 1
}

/** Whether the blocks of a run leave out what blocks by themselves would write. */
export function leavesWritesOut({ precision, rules, parent }: EmptyRun): boolean {
  return precision === 'compact' && writesAtStart(rules, parent.committed.state)
}

const feeWalks = new WeakMap<EmptyRun, FeeWalk>()

/** The prices in the blocks of a run. */
export function feesOf(run: EmptyRun): FeeWalk {
  const trunk = trunkOf(run)
  let fees = feeWalks.get(trunk)
  if (fees === undefined) {
    fees = walkFees(run.rules, run.gasLimit, feesAfter(run.rules, run.parent))
    feeWalks.set(trunk, fees)
  }
  return fees
}

function haveSameSettings(a: EmptyRun, b: EmptyRun): boolean {
  return a.coinbase === b.coinbase && a.gasLimit === b.gasLimit && a.extraData === b.extraData
}

/** Whether the blocks of an exact run are what would come next if the first `count` of another went on. */
export function goesOn(first: EmptyRun, count: number, next: EmptyRun): boolean {
  const { pace, precision } = first
  if (precision !== 'exact' || next.precision !== 'exact' || first.rules !== next.rules) return false
  const expected = paceFrom(pace, count)
  const isInPace = expected.firstMs === next.pace.firstMs && pace.intervalMs === next.pace.intervalMs
  return isInPace && haveSameSettings(first, next)
}

/** The first `count` blocks of an exact run, and `more` that go on. */
export function extendRun(run: EmptyRun, count: number, more: number): EmptyRun {
  return { ...run, count: count + more, trunk: trunkOf(run) }
}

/** What a block of a run takes over from the one before. */
export interface Predecessor {
  readonly hash: Hash
  readonly header: PrevRandaoSource
}

/** The block before the first, as the first takes over from it. */
export function predecessorOf({ parent, prevRandaoSource }: EmptyRun): Predecessor {
  return { hash: parent.hash, header: prevRandaoSource }
}

/** The environment of the i-th block of a run, counted from 0. */
export function environmentOf(run: EmptyRun, index: number, before: Predecessor): BlockEnvironment {
  const { rules, pace, coinbase, gasLimit, extraData } = run
  return environmentFrom(rules, prevRandaoAfter(before.header.prevRandao), {
    number: firstNumber(run) + index,
    timestamp: timestampOf(pace, index),
    parentHash: before.hash,
    coinbase,
    gasLimit,
    extraData,
    ...feesOf(run).at(index),
  })
}
