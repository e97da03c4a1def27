// Built blocks of runs: a cache of what has been read. No result depends on its contents. They are in long sequences in
// which each item follows from the one before: one keeps the last item of every stretch, and all items of the stretches
// read last; others are computed again on demand.

import { keccak256Hex } from '../../primitives/crypto.ts'
import { concatBytes, type Hash, hexToBytes, utf8ToBytes } from '../../primitives/hex.ts'
import { memoizeLru } from '../../primitives/lru-cache.ts'
import { hashHeader } from '../../rollup/header.ts'
import { type BlockStart, RING_SIZE, startBlock } from '../../rollup/system-contracts.ts'
import type { WorldState } from '../../state/world-state.ts'
import * as blockForms from '../block/block.ts'
import { emptyBodyOf } from '../block/body.ts'
import { environmentFrom, prevRandaoAfter } from '../block/execute-block.ts'
import * as emptyRuns from './empty-run.ts'

export interface Sequence<Item> {
  /** The item at a position, counted from 0. */
  readonly at: (index: number) => Item
  /** The position of the item with a hash, among the first `count` items. */
  readonly indexOf: (hash: Hash, count: number) => number | undefined
}

/** The first four bytes of a hash; they are indexed for every item. */
function hashPrefix(hash: Hash): number {
  return Number.parseInt(hash.slice(2, 10), 16)
}

/**
 * The sequence that begins with `next(undefined, 0)`; `next` must be pure. Of its stretches of `length` items, `kept` are
 * kept in full.
 */
export function createSequence<Item extends { readonly hash: Hash }>(
  { length, kept }: Readonly<Record<'length' | 'kept', number>>,
  next: (before: Item | undefined, index: number) => Item,
): Sequence<Item> {
  const starts: number[] = []
  /** The item before each stretch reached so far. */
  const marks: (Item | undefined)[] = [undefined]
  const stretchAt = memoizeLru<number, Item[]>(kept, () => [])
  const build = (number: number, count: number): readonly Item[] => {
    const items = stretchAt(number)
    while (items.length < count) {
      const index = number * length + items.length
      const item = next(items.at(-1) ?? marks[number], index)
      starts[index] = hashPrefix(item.hash)
      items.push(item)
      if (items.length === length) marks[number + 1] = item
    }
    return items
  }
  const at = (index: number): Item => {
    const number = Math.floor(index / length)
    while (marks.length <= number) build(marks.length - 1, length)
    return build(number, (index % length) + 1)[index % length] as Item
  }
  return {
    at,
    indexOf(hash, count) {
      at(count - 1)
      const wanted = hashPrefix(hash)
      for (let index = starts.indexOf(wanted); index !== -1; index = starts.indexOf(wanted, index + 1)) {
        if (index >= count) return undefined
        if (at(index).hash === hash) return index
      }
      return undefined
    },
  }
}

/** Blocks after which timestamps at an interval in milliseconds come to the same slots again. */
const CYCLE = RING_SIZE * 1000

/**
 * The blocks whose writes remain at the end, oldest first. A block writes a slot chosen by its number (EIP-2935) and
 * one chosen by its timestamp (EIP-4788); only the last write to a slot remains.
 */
function lastWriters({ run, count }: emptyRuns.RunPart): number[] {
  const writers: number[] = []
  const isWritten = new Uint8Array(RING_SIZE)
  let unwritten = RING_SIZE
  for (let index = count - 1; index >= 0; index--) {
    const isRecent = count - index <= RING_SIZE
    if (!isRecent && (unwritten === 0 || count - index > CYCLE)) break
    const slot = emptyRuns.timestampOf(run.timestamps, index) % RING_SIZE
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
function stateAfterSkipped(skipped: emptyRuns.RunPart, startAt: (index: number) => BlockStart): WorldState {
  const { rules, parent } = skipped.run
  const { state } = parent.committed
  return lastWriters(skipped).reduce(
    (written, index) => startBlock(rules, rules, written, startAt(index)),
    state,
  )
}

/** The fields of the parent that a block needs. */
interface Predecessor {
  readonly hash: Hash
  readonly header: emptyRuns.PrevRandaoSource
}

function predecessorOf({ parent, prevRandaoSource }: emptyRuns.EmptyBlocks): Predecessor {
  return { hash: parent.hash, header: prevRandaoSource }
}

/** The environment of the i-th block, counted from 0; without `before`, of the first block. */
function environmentOf(run: emptyRuns.EmptyBlocks, index: number, before: Predecessor = predecessorOf(run)) {
  const { rules, timestamps, coinbase, gasLimit, extraData, difficulty } = run
  return environmentFrom(rules, prevRandaoAfter(before.header.prevRandao), {
    number: emptyRuns.firstNumber(run) + index,
    timestamp: emptyRuns.timestampOf(timestamps, index),
    parentHash: before.hash,
    coinbase,
    gasLimit,
    extraData,
    difficulty,
    ...emptyRuns.feesFrom(run).at(index),
  })
}

interface RunBlocks extends Sequence<blockForms.SealedBlock> {
  /** The block at a position, still open. */
  readonly openAt: (index: number) => blockForms.OpenBlock
}

/** The first block of a run that does not change the parent's state: headers and hashes of the others differ. */
function firstOnState(run: emptyRuns.EmptyRun): blockForms.SealedBlock {
  const { committed } = run.parent
  const open = blockForms.openBlockOver(run.rules, run.parent, environmentOf(run, 0), committed.state)
  return { ...blockForms.sealBlock({ ...open, body: emptyBodyOf(run) }), committed }
}

/** Opens blocks that do not change the parent's state. */
function reopening({ parent }: emptyRuns.EmptyRun, at: RunBlocks['at']): RunBlocks['openAt'] {
  return (index) => blockForms.reopenBlock(at(index), index === 0 ? parent : at(index - 1))
}

/** Blocks that do not change the parent's state: only their headers and hashes differ. */
function blocksOnOneState(run: emptyRuns.EmptyRun): RunBlocks {
  const first = firstOnState(run)
  const blocks = createSequence<blockForms.SealedBlock>({ length: 256, kept: 2 }, (before, index) => {
    const header = { ...first.header, ...environmentOf(run, index, before) }
    return { ...first, header, hash: hashHeader(run.rules, header) }
  })
  return { ...blocks, openAt: reopening(run, blocks.at) }
}

const NUMBER_DIGITS = 16

/**
 * Blocks with assigned hashes, which end in their number: each is built, and found by its hash, without the others. Its
 * prevRandao follows from its parent's hash.
 */
function reservedBlocks(run: emptyRuns.EmptyRun): RunBlocks {
  const first = firstOnState(run)
  const words = `reserved every ${run.timestamps.intervalMs} ms`
  const own = concatBytes(hexToBytes(first.hash), utf8ToBytes(words))
  const prefix = keccak256Hex(own).slice(0, -NUMBER_DIGITS)
  const hashAt = (index: number): Hash =>
    `${prefix}${(emptyRuns.firstNumber(run) + index).toString(16).padStart(NUMBER_DIGITS, '0')}` as Hash
  const beforeAt = (index: number): Predecessor => {
    const hash = hashAt(index - 1)
    return index === 0 ? predecessorOf(run) : { hash, header: { prevRandao: hash } }
  }
  const at = (index: number): blockForms.SealedBlock => ({
    ...first,
    header: { ...first.header, ...environmentOf(run, index, beforeAt(index)) },
    hash: hashAt(index),
  })
  return {
    at,
    indexOf(hash, count) {
      const index = Number.parseInt(hash.slice(-NUMBER_DIGITS), 16) - emptyRuns.firstNumber(run)
      return hash.startsWith(prefix) && index >= 0 && index < count ? index : undefined
    },
    openAt: reopening(run, at),
  }
}

/** Blocks opened and sealed one after another, like blocks outside of runs. */
function blocksOnOwnStates(run: emptyRuns.EmptyRun): RunBlocks {
  const { rules, parent, skipped } = run
  const open = (before: blockForms.SealedBlock | undefined, index: number): blockForms.OpenBlock => {
    const environment = environmentOf(run, index, before)
    if (before !== undefined || skipped === undefined)
      return blockForms.openBlock(rules, before ?? parent, environment)
    const state = stateAfterSkipped(skipped, (position) => blockOf(skipped.run, position).header)
    return blockForms.openBlockOn(rules, parent, environment, state)
  }
  /** The block opened last. Its roots may be computed already, which makes sealing it cheap. */
  let opened: { readonly index: number; readonly block: blockForms.OpenBlock } | undefined
  const blocks = createSequence<blockForms.SealedBlock>({ length: 32, kept: 16 }, (before, index) =>
    blockForms.sealBlock(opened?.index === index ? opened.block : open(before, index)),
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

const BLOCKS_OF: Readonly<Record<emptyRuns.EmptyRun['writes'], (run: emptyRuns.EmptyRun) => RunBlocks>> = {
  each: blocksOnOwnStates,
  none: blocksOnOneState,
  skipped: blocksOnOneState,
  reserved: reservedBlocks,
}

const built = new WeakMap<emptyRuns.EmptyRun, RunBlocks>()

/** Starts with the oldest of the runs below: recursion through thousands of unbuilt runs would overflow the stack. */
function blocksOf(run: emptyRuns.EmptyRun): RunBlocks {
  const waiting: emptyRuns.EmptyRun[] = []
  let next: emptyRuns.EmptyRun | undefined = run
  while (next !== undefined && !built.has(next)) {
    waiting.push(next)
    next = emptyRuns.runOf(next.parent)
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
export function blockOf(run: emptyRuns.EmptyRun, index: number): blockForms.SealedBlock {
  return blocksOf(run).at(index)
}

export function openBlockOf(run: emptyRuns.EmptyRun, index: number): blockForms.OpenBlock {
  return blocksOf(run).openAt(index)
}

/** The position of the block with a hash, among the first `count` blocks of a run. */
export function indexInRun({ run, count }: emptyRuns.RunPart, hash: Hash): number | undefined {
  return blocksOf(run).indexOf(hash, count)
}
