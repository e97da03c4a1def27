// Built blocks of runs: a cache of what has been read. No result depends on its contents.

import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { concatBytes, type Hash, hexToBytes, utf8ToBytes } from '../../primitives/hex.ts'
import { type BlockStart, RING_SIZE, startBlock } from '../../rollup/system-contracts.ts'
import type { WorldState } from '../../state/world-state.ts'
import {
  type OpenBlock,
  openBlock,
  openBlockOn,
  openBlockOver,
  reopenBlock,
  type SealedBlock,
  sealBlock,
} from '../block/block.ts'
import { emptyBodyOf } from '../block/body.ts'
import { environmentFrom, prevRandaoAfter } from '../block/next-environment.ts'
import {
  type EmptyBlocks,
  type EmptyRun,
  firstNumber,
  type RunPart,
  runOf,
  timestampOf,
} from './empty-run.ts'
import { feesFrom } from './fees.ts'
import { headerHasher, type Predecessor } from './header-hashes.ts'
import { createSequence, type Sequence } from './sequence.ts'

/** Blocks after which timestamps at an interval in milliseconds come to the same slots again. */
const CYCLE = RING_SIZE * 1000

/**
 * The blocks whose writes remain at the end, oldest first. A block writes a slot chosen by its number (EIP-2935) and
 * one chosen by its timestamp (EIP-4788); only the last write to a slot remains.
 */
function lastWriters({ run, count }: RunPart): number[] {
  const writers: number[] = []
  const isWritten = new Uint8Array(RING_SIZE)
  let unwritten = RING_SIZE
  for (let index = count - 1; index >= 0; index--) {
    const isRecent = count - index <= RING_SIZE
    if (!isRecent && (unwritten === 0 || count - index > CYCLE)) break
    const slot = timestampOf(run.timestamps, index) % RING_SIZE
    const isLast = isWritten[slot] === 0
    if (isLast) {
      isWritten[slot] = 1
      unwritten--
    }
    if (isRecent || isLast) writers.push(index)
  }
  return writers.reverse()
}

/** The state after skipped blocks with their writes performed. */
function stateAfterSkipped(skipped: RunPart, startAt: (index: number) => BlockStart): WorldState {
  const { rules, parent } = skipped.run
  const { state } = parent.committed
  return lastWriters(skipped).reduce(
    (written, index) => startBlock(rules, rules, written, startAt(index)),
    state,
  )
}

/** The predecessor of the first block. */
function predecessorOf({ parent, prevRandaoSource }: EmptyBlocks): Predecessor {
  return { hash: parent.hash, header: prevRandaoSource }
}

/** The environment of the i-th block, counted from 0; without `before`, of the first block. */
function environmentOf(
  run: EmptyBlocks,
  index: number,
  before: Predecessor = predecessorOf(run),
): BlockEnvironment {
  const { rules, timestamps, coinbase, gasLimit, extraData, difficulty } = run
  return environmentFrom(rules, prevRandaoAfter(before.header.prevRandao), {
    number: firstNumber(run) + index,
    timestamp: timestampOf(timestamps, index),
    parentHash: before.hash,
    coinbase,
    gasLimit,
    extraData,
    difficulty,
    ...feesFrom(run).at(index),
  })
}

interface RunBlocks extends Sequence<SealedBlock> {
  /** The block at a position, still open. */
  readonly openAt: (index: number) => OpenBlock
}

/** Blocks that do not change the parent's state: only their headers and hashes differ. */
function blocksOnOneState(run: EmptyRun): RunBlocks {
  const { rules, parent } = run
  const { committed, totalDifficulty } = parent
  const body = emptyBodyOf(run)
  const first = openBlockOver(rules, parent, environmentOf(run, 0), committed.state)
  const sample = sealBlock({ ...first, body }).header
  const hashNext = headerHasher(run, sample)
  const hashes = createSequence<Predecessor>({ length: 256, kept: 2 }, (before, index) =>
    hashNext(before ?? predecessorOf(run), index),
  )
  const at = (index: number): SealedBlock => {
    const before = index === 0 ? undefined : hashes.at(index - 1)
    const header = { ...sample, ...environmentOf(run, index, before) }
    const { hash } = hashes.at(index)
    return { rules, header, body, hash, totalDifficulty, executed: [], committed }
  }
  const openAt = (index: number) => reopenBlock(at(index), index === 0 ? parent : at(index - 1))
  return { at, indexOf: hashes.indexOf, openAt }
}

/** The digits of a block's number at the end of an assigned hash. */
const NUMBER_DIGITS = 16

/**
 * Blocks with assigned hashes, which end in their number: each is built, and found by its hash, without the others. Its
 * prevRandao follows from its parent's hash.
 */
function reservedBlocks(run: EmptyRun): RunBlocks {
  const { rules, parent, timestamps } = run
  const { committed, totalDifficulty } = parent
  const body = emptyBodyOf(run)
  const open = openBlockOver(rules, parent, environmentOf(run, 0), committed.state)
  const first = sealBlock({ ...open, body })
  const own = concatBytes(hexToBytes(first.hash), utf8ToBytes(`reserved every ${timestamps.intervalMs} ms`))
  const prefix = keccak256Hex(own).slice(0, -NUMBER_DIGITS)
  const hashAt = (index: number): Hash =>
    `${prefix}${(firstNumber(run) + index).toString(16).padStart(NUMBER_DIGITS, '0')}` as Hash
  const beforeAt = (index: number): Predecessor => {
    const hash = hashAt(index - 1)
    return index === 0 ? predecessorOf(run) : { hash, header: { prevRandao: hash } }
  }
  const at = (index: number): SealedBlock => ({
    rules,
    header: { ...first.header, ...environmentOf(run, index, beforeAt(index)) },
    body,
    hash: hashAt(index),
    totalDifficulty,
    executed: [],
    committed,
  })
  return {
    at,
    indexOf(hash, count) {
      const index = Number.parseInt(hash.slice(-NUMBER_DIGITS), 16) - firstNumber(run)
      return hash.startsWith(prefix) && index >= 0 && index < count ? index : undefined
    },
    openAt: (index) => reopenBlock(at(index), index === 0 ? parent : at(index - 1)),
  }
}

/** Blocks opened and sealed one after another, like blocks outside of runs. */
function blocksOnOwnStates(run: EmptyRun): RunBlocks {
  const { rules, parent, skipped } = run
  const open = (before: SealedBlock | undefined, index: number): OpenBlock => {
    const environment = environmentOf(run, index, before)
    if (before !== undefined || skipped === undefined) return openBlock(rules, before ?? parent, environment)
    const state = stateAfterSkipped(skipped, (position) => blockOf(skipped.run, position).header)
    return openBlockOn(rules, parent, environment, state)
  }
  /** The block opened last. Its roots may be computed already, which makes sealing it cheap. */
  let opened: { readonly index: number; readonly block: OpenBlock } | undefined
  const blocks = createSequence<SealedBlock>({ length: 32, kept: 16 }, (before, index) =>
    sealBlock(opened?.index === index ? opened.block : open(before, index)),
  )
  return {
    ...blocks,
    openAt(index) {
      if (opened?.index !== index)
        opened = { index, block: open(index === 0 ? undefined : blocks.at(index - 1), index) }
      return opened.block
    },
  }
}

const BLOCKS_OF: Readonly<Record<EmptyRun['writes'], (run: EmptyRun) => RunBlocks>> = {
  each: blocksOnOwnStates,
  none: blocksOnOneState,
  skipped: blocksOnOneState,
  reserved: reservedBlocks,
}

const built = new WeakMap<EmptyRun, RunBlocks>()

/** Starts with the oldest of the runs below: recursion through thousands of unbuilt runs would overflow the stack. */
function blocksOf(run: EmptyRun): RunBlocks {
  const waiting: EmptyRun[] = []
  let next: EmptyRun | undefined = run
  while (next !== undefined && !built.has(next)) {
    waiting.push(next)
    next = runOf(next.parent)
  }
  for (const each of waiting.reverse()) {
    // Computed here, because the first block needs them and the parent computes them on first use.
    void each.parent.hash
    void each.parent.committed.accountTrie
    built.set(each, BLOCKS_OF[each.writes](each))
  }
  return built.get(run) as RunBlocks
}

/** The block at a position of a run, counted from 0. */
export function blockOf(run: EmptyRun, index: number): SealedBlock {
  return blocksOf(run).at(index)
}

/** The same block before it is sealed. */
export function openBlockOf(run: EmptyRun, index: number): OpenBlock {
  return blocksOf(run).openAt(index)
}

/** The position of the block with a hash, among the first `count` blocks of a run. */
export function indexInRun({ run, count }: RunPart, hash: Hash): number | undefined {
  return blocksOf(run).indexOf(hash, count)
}
