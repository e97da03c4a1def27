// Runs of empty blocks in a chain. Appending costs the same for any number of blocks; a block is built on first read.
// What is stored depends only on what was appended: docs/decisions/0008-runs-of-empty-blocks.md.

import type { Hash } from '../../primitives/hex.ts'
import { countWhile } from '../../primitives/numbers.ts'
import type { PersistentMap } from '../../primitives/persistent-map.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import type { Rules } from '../../rollup/rules.ts'
import { RING_SIZE, writesAtStart } from '../../rollup/system-contracts.ts'
import type { SealedBlock } from '../block/block.ts'
import { blockOf, indexInRun, openBlockOf } from './built-blocks.ts'
import type { RunPart } from './empty-run.ts'
import * as emptyRuns from './empty-run.ts'
import { lazyBlock, withCommitted } from './lazy-block.ts'

export {
  type BlockTiming,
  type EmptyBlocks,
  type EmptyRun,
  feesFrom,
  type PrevRandaoSource,
  timeMsOf,
  timestampOf,
} from './empty-run.ts'
export { isLazy, lazyBlock, withCommitted } from './lazy-block.ts'

/** Parts of runs in block order, by position from 0. */
export type Runs = PersistentMap<number, RunPart>

/** The blocks of a run at the positions from `from` up to, but not including, `to`. */
export interface RunSlice {
  readonly run: emptyRuns.EmptyRun
  readonly from: number
  readonly to: number
}

/** A range of block numbers, both ends included. */
interface Range {
  readonly first: number
  readonly last: number
}

/**
 * The most empty blocks of one call that all perform their writes: the size of the ring buffers (EIP-4788, EIP-2935).
 */
const MOST_EXACT = RING_SIZE

/** In longer runs, this many at the end perform them: one with the writes of those skipped, and 256 for BLOCKHASH. */
const EXACT_TAIL = 257

/** The most empty blocks of one call whose hashes form a chain: all of them take minutes to compute. */
const MOST_CHAINED = 20_000_000

/** The same before the merge, where Hardhat's reserved blocks form no chain: as many as a dump holds. */
const MOST_CHAINED_WITH_WORK = 100_000

/** The most blocks of a run that are kept individually under a block with transactions: fewer than a run would cache. */
const MOST_UNROLLED = 32

/** True if these empty blocks continue the run at the head. */
function continuesRun({ run, count }: RunPart, next: emptyRuns.EmptyBlocks): boolean {
  const { firstMs, intervalMs } = emptyRuns.timingFrom(run.timestamps, count)
  return (
    !emptyRuns.leavesOutWrites(run) &&
    run.rules === next.rules &&
    run.coinbase === next.coinbase &&
    run.gasLimit === next.gasLimit &&
    run.difficulty === next.difficulty &&
    run.extraData === next.extraData &&
    next.prevRandaoSource === next.parent.header &&
    next.timestamps.firstMs === firstMs &&
    next.timestamps.intervalMs === intervalMs
  )
}

/**
 * Plans `count` empty blocks on the head. They continue the run at the head if they can; else they are a run of their
 * own, or two if there are so many that the first ones skip their writes, or are reserved.
 */
export function plan(atHead: RunPart | undefined, blocks: emptyRuns.EmptyBlocks, count: number): RunSlice[] {
  const { rules, timestamps, difficulty } = blocks
  const isShort = count <= MOST_EXACT
  const isChained = count <= (difficulty === 0n ? MOST_CHAINED : MOST_CHAINED_WITH_WORK)
  const isAppended = isShort || (isChained && atHead?.run.writes === 'none')
  if (atHead !== undefined && isAppended && continuesRun(atHead, blocks))
    return [{ run: atHead.run, from: atHead.count, to: atHead.count + count }]
  // Transactions of the parent would stay in memory unpacked.
  const { committed, executed } = blocks.parent
  const parent =
    executed.length === 0 ? blocks.parent : { ...withCommitted(blocks.parent, committed), executed: [] }
  const own = { ...blocks, parent }
  const writes = writesAtStart(rules, own.parent.committed.state) ? 'each' : 'none'
  if (isShort || (isChained && writes === 'none')) return [{ run: { ...own, writes }, from: 0, to: count }]
  const run: emptyRuns.EmptyRun = { ...own, writes: isChained ? 'skipped' : 'reserved' }
  const skipped: RunPart = { run, count: count - EXACT_TAIL }
  const last = lazyBlock(run, skipped.count - 1)
  const tail: emptyRuns.EmptyRun = {
    ...own,
    parent: last,
    prevRandaoSource: last.header,
    timestamps: emptyRuns.timingFrom(timestamps, skipped.count),
    writes,
    skipped,
  }
  return [
    { run: skipped.run, from: 0, to: skipped.count },
    { run: tail, from: 0, to: EXACT_TAIL },
  ]
}

/** Makes the first `count` blocks of a run the last of the chain; fewer of them may be there already. */
export function append(runs: Runs, run: emptyRuns.EmptyRun, count: number): Runs {
  const isLast = runs.get(runs.size - 1)?.run === run
  return runs.set(isLast ? runs.size - 1 : runs.size, { run, count })
}

export function rewind(start: Runs, number: number): Runs {
  let runs = start
  for (let index = runs.size - 1; index >= 0; index--) {
    const part = runs.get(index) as RunPart
    if (emptyRuns.lastNumber(part) <= number) break
    const count = number - emptyRuns.firstNumber(part.run) + 1
    runs = count > 0 ? runs.set(index, { ...part, count, isCut: true }) : runs.delete(index)
  }
  return runs
}

function partAt(runs: Runs, number: number): RunPart | undefined {
  const isBelow = (index: number) => emptyRuns.lastNumber(runs.get(index) as RunPart) < number
  const part = runs.get(countWhile(runs.size, isBelow))
  return part === undefined || emptyRuns.firstNumber(part.run) > number ? undefined : part
}

export function runEndingAt(runs: Runs, number: number): RunPart | undefined {
  const part = runs.get(runs.size - 1)
  return part !== undefined && emptyRuns.lastNumber(part) === number ? part : undefined
}

export function at(runs: Runs, number: number): SealedBlock | undefined {
  const run = partAt(runs, number)?.run
  return run && lazyBlock(run, number - emptyRuns.firstNumber(run))
}

/** True if other nodes refuse the blocks: they lack writes, or the difficulty of proof of work. */
function isUnverifiable(run: emptyRuns.EmptyRun): boolean {
  return emptyRuns.leavesOutWrites(run) || run.difficulty > 0n
}

/** The built blocks of the run that ends with a block, if they are few and other nodes can verify them. */
export function unroll(runs: Runs, number: number): SealedBlock[] | undefined {
  const part = runEndingAt(runs, number)
  if (part === undefined || part.count > MOST_UNROLLED) return undefined
  const { run, count } = part
  if (isUnverifiable(run) || run.skipped !== undefined) return undefined
  return Array.from({ length: count }, (_, index) => blockOf(run, index))
}

export function rangeAt(runs: Runs, number: number): Range | undefined {
  const part = partAt(runs, number)
  return part && { first: emptyRuns.firstNumber(part.run), last: emptyRuns.lastNumber(part) }
}

/** The range of the reserved run that contains a block number. */
export function reservedAt(runs: Runs, number: number): Range | undefined {
  return partAt(runs, number)?.run.writes === 'reserved' ? rangeAt(runs, number) : undefined
}

/** The number of the block with a hash. Builds runs to find it, the last run first. */
export function findRunNumber(runs: Runs, hash: Hash): number | undefined {
  for (let position = runs.size - 1; position >= 0; position--) {
    const part = runs.get(position) as RunPart
    const index = indexInRun(part, hash)
    if (index !== undefined) return emptyRuns.firstNumber(part.run) + index
  }
  return undefined
}

/** True if two chains share a block because both have it in the same run. */
export function isRunSharedAt(a: Runs, b: Runs, number: number): boolean {
  const run = partAt(a, number)?.run
  return run !== undefined && run === partAt(b, number)?.run
}

/** The first blocks that other nodes cannot verify, with the one that performs the writes that they skip. */
export function firstSkipped(runs: Runs): Range | undefined {
  for (let position = 0; position < runs.size; position++) {
    const part = runs.get(position) as RunPart
    if (!isUnverifiable(part.run)) continue
    const isCaughtUp = runs.get(position + 1)?.run.skipped !== undefined
    return { first: emptyRuns.firstNumber(part.run), last: emptyRuns.lastNumber(part) + (isCaughtUp ? 1 : 0) }
  }
  return undefined
}

/** The next block of a run, if it has this environment. */
export function nextOpenBlock({ run, count, isCut }: RunPart, rules: Rules, environment: BlockEnvironment) {
  if (isCut && emptyRuns.leavesOutWrites(run)) return undefined
  if (run.rules !== rules || emptyRuns.timestampOf(run.timestamps, count) !== environment.timestamp)
    return undefined
  const open = openBlockOf(run, count)
  const names = Object.keys(environment) as (keyof BlockEnvironment)[]
  return names.every((name) => open.environment[name] === environment[name]) ? open : undefined
}
