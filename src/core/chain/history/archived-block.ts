// Archived blocks, as bytes; and the retention of old blocks: which are archived, and which lose their state (option
// `stateHistory`). See docs/decisions/0016-archived-blocks.md.

import type { ExecutedTransaction } from '../../execution/transaction/transaction.ts'
import { failure } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { memoizeLru } from '../../primitives/lru-cache.ts'
import type { PersistentMap } from '../../primitives/persistent-map.ts'
import type { Header } from '../../rollup/header.ts'
import type { Rules } from '../../rollup/rules.ts'
import { NO_CHANGES, packChanges, type StateChanges } from '../../state/state-changes.ts'
import type * as tries from '../../state/state-tries.ts'
import type { CommittedState } from '../../state/state-tries.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { SealedBlock, StateEdit } from '../block/block.ts'
import type { BlockBody } from '../block/body.ts'
import { isLazy, withCommitted } from '../runs/runs.ts'
import {
  changedBytesOf,
  commitKeptLater,
  isKeptWhole,
  KeptCommitment,
  type KeptState,
  type WholeState,
  worldOf,
} from './kept-state.ts'
import { headerIn, logsBloomIn, packBlock, transactionsIn } from './packed-block.ts'

/** A client usually reads the same block several times: by hash, by transaction, receipt by receipt. */
const REMEMBERED_BLOCKS = 32

const executedIn = memoizeLru(REMEMBERED_BLOCKS, transactionsIn)
const headerOf = memoizeLru(REMEMBERED_BLOCKS, headerIn)

/** Stands for a state that is not kept: reading it throws `stateNotAvailable`. */
function notAvailable(number: number): tries.CommittedState {
  const refuse = (): never => {
    throw failure('stateNotAvailable', { block: number })
  }
  return {
    get state() {
      return refuse()
    },
    get accountTrie() {
      return refuse()
    },
    get storageTries() {
      return refuse()
    },
  }
}

/** A class: accessors on each object would take more memory than the block. */
class ArchivedBlock implements SealedBlock {
  readonly rules: Rules
  readonly body: BlockBody
  readonly hash: Hash
  readonly totalDifficulty: bigint
  readonly packed: Uint8Array
  readonly kept: KeptState | undefined
  readonly edits: readonly StateEdit[] | undefined

  constructor(block: BlockBesidesPacked, packed: Uint8Array, kept?: KeptState) {
    this.rules = block.rules
    this.body = block.body
    this.hash = block.hash
    this.totalDifficulty = block.totalDifficulty
    this.packed = packed
    this.kept = kept
    this.edits = kept === undefined ? undefined : block.edits
  }

  get header(): Header {
    return headerOf(this.packed)
  }

  get executed(): readonly ExecutedTransaction[] {
    return executedIn(this.packed)
  }

  get committed(): tries.CommittedState {
    return this.kept === undefined ? notAvailable(this.header.number) : new KeptCommitment(this.kept)
  }
}

/** @internal */
export function keptStateOf(block: SealedBlock | undefined): KeptState | undefined {
  return block instanceof ArchivedBlock ? block.kept : undefined
}

/** The bloom filter of a block's logs, without decoding the block. */
export function logsBloomOf(block: SealedBlock): Uint8Array {
  return block instanceof ArchivedBlock ? logsBloomIn(block.packed) : block.header.logsBloom
}

/** The state to archive with a block: whole, or as its changes since the block before. @internal */
export type ArchivedState = WholeState | { readonly before: KeptState; readonly changes: StateChanges }

type BlockBesidesPacked = Omit<SealedBlock, 'header' | 'executed' | 'committed'>

/** The archived block of a packed one, with a state. @internal */
export function archivedBlock(
  block: BlockBesidesPacked,
  packed: Uint8Array,
  state: ArchivedState | undefined,
): SealedBlock {
  if (state === undefined || !('changes' in state)) return new ArchivedBlock(block, packed, state)
  const { before, changes } = state
  const changedBytes = changedBytesOf(before) + changes.bytes.length
  const { origin } = before
  const { codes } = changes
  return new ArchivedBlock(block, packed, { before, origin, packed, codes, changedBytes })
}

/**
 * Archives a block with a state, or with none; `undefined` if a transaction has a blob sidecar, which the packed form
 * cannot hold. @internal
 */
export function archiveBlock(block: Omit<SealedBlock, 'committed'>, state: ArchivedState | undefined) {
  if (block.executed.some(({ transaction }) => transaction.sidecar !== undefined)) return undefined
  const { bytes } = state !== undefined && 'changes' in state ? state.changes : NO_CHANGES
  return archivedBlock(block, packBlock(block.header, block.executed, bytes), state)
}

/** The packed form of a block with the changes of its state, since the one that `before` computes, and their new code. @internal */
export function packWithChanges(block: SealedBlock, before: () => WorldState) {
  const kept = keptStateOf(block)
  if (kept !== undefined && 'packed' in kept) return kept
  const { bytes, codes } = packChanges(before(), block.committed.state)
  return { packed: packBlock(block.header, block.executed, bytes), codes }
}

export function forgetState(block: SealedBlock): SealedBlock {
  if (block instanceof ArchivedBlock) return new ArchivedBlock(block, block.packed)
  const archived = isLazy(block) ? undefined : archiveBlock(block, undefined)
  return archived ?? withCommitted(block, notAvailable(block.header.number))
}

/** The block as one that is not archived, if its state is kept. */
export function restoreBlock(block: SealedBlock): SealedBlock {
  if (!(block instanceof ArchivedBlock) || block.kept === undefined) return block
  const { rules, header, body, hash, totalDifficulty, executed, kept, edits } = block
  const committed = commitKeptLater(kept)
  return { rules, header, body, hash, totalDifficulty, executed, committed, edits }
}

/**
 * The last blocks, which are not archived. They are few, because garbage collection copies what they hold; but the
 * batcher of a pair reads those of its default interval, a minute, and derivation reads them again.
 */
const RECENT_BLOCKS = 48

export interface History {
  /** Blocks, from the head back, whose state is kept. */
  readonly stateHistory: number
  /** The first block that is not archived. */
  readonly recentFrom: number
  /** The first block whose state is kept. */
  readonly statesFrom: number
  /** The chain's first state, from whose tries those of archived blocks are computed. */
  readonly origin: CommittedState
  /** The state archived last; the next one is kept as the changes since it. */
  readonly last: { readonly kept: KeptState; readonly world: WorldState } | undefined
}

/** The history of a chain that begins with block `number` and keeps the states of its last `stateHistory` blocks. */
export function startHistory(number: number, origin: CommittedState, stateHistory: number): History {
  return { stateHistory, recentFrom: number, statesFrom: number, origin, last: undefined }
}

/** The state after a block; that of the block archived last is at hand. */
export function worldAfter({ last }: History, block: SealedBlock): WorldState {
  const kept = keptStateOf(block)
  return kept !== undefined && kept === last?.kept ? last.world : block.committed.state
}

type Blocks = PersistentMap<number, SealedBlock>

interface ArchivedHistory {
  readonly blocks: Blocks
  readonly history: History
}

/** Archives a state: as its changes since the block before, if that is archived with its state. */
function stateToArchive(
  { state: world, changes: found }: CommittedState,
  { origin, last }: History,
  before: KeptState | undefined,
): ArchivedState {
  if (before === undefined) return { world, origin }
  const worldBefore = before === last?.kept ? last.world : worldOf(before)
  const changes = found?.since === worldBefore ? found.pack() : packChanges(worldBefore, world)
  return isKeptWhole(changedBytesOf(before) + changes.bytes.length) ? { world, origin } : { before, changes }
}

/** The state since which a block is kept as its changes; `undefined` if it is kept whole, or not at all. */
function changedSince(block: SealedBlock | undefined): KeptState | undefined {
  const kept = keptStateOf(block)
  return kept !== undefined && 'before' in kept ? kept.before : undefined
}

/**
 * Archived forms of recent blocks: a test file that goes back to a snapshot for each test archives the same blocks
 * again. Without those that are kept whole: a WeakMap may outlive its keys, so it holds no states.
 */
const archivedAs = new WeakMap<SealedBlock, SealedBlock>()

function archive(block: SealedBlock, history: History, before: KeptState | undefined) {
  const known = archivedAs.get(block)
  if (known !== undefined && changedSince(known) === before) return known
  const archived = archiveBlock(block, stateToArchive(block.committed, history, before))
  if (archived !== undefined && changedSince(archived) !== undefined) archivedAs.set(block, archived)
  return archived
}

function packOld(start: ArchivedHistory, to: number, recentFrom: number): ArchivedHistory {
  let { blocks, history } = start
  for (let number = history.recentFrom; number <= to; number++) {
    const block = blocks.get(number)
    // Archived already, or to be computed.
    if (block === undefined || block instanceof ArchivedBlock || isLazy(block)) continue
    const archived = archive(block, history, keptStateOf(blocks.get(number - 1)))
    if (archived === undefined) continue
    const kept = keptStateOf(archived) as KeptState
    history = { ...history, last: { kept, world: block.committed.state } }
    blocks = blocks.set(number, archived)
  }
  return { blocks, history: { ...history, recentFrom } }
}

function forgetOld({ blocks: before, history }: ArchivedHistory, last: number, statesFrom: number) {
  let blocks = before
  for (let number = history.statesFrom; number <= last; number++) {
    const block = blocks.get(number)
    if (block !== undefined) blocks = blocks.set(number, forgetState(block))
  }
  return { blocks, history: { ...history, statesFrom } }
}

/** Archives blocks after the head has moved from block `from` to block `head`. */
export function moveOn(blocks: Blocks, history: History, from: number, head: number): ArchivedHistory {
  let result: ArchivedHistory = { blocks, history }
  const recentFrom = head - RECENT_BLOCKS + 1
  // Between the old head and the new one there can only be a run, which is never archived.
  if (recentFrom > history.recentFrom) result = packOld(result, Math.min(from, recentFrom - 1), recentFrom)
  const statesFrom = head - history.stateHistory + 1
  if (statesFrom > history.statesFrom) result = forgetOld(result, Math.min(from, statesFrom - 1), statesFrom)
  return result
}

/** Updates the history after the blocks above `head` are removed. The new head is not archived any more. */
export function moveBack(history: History, head: number): History {
  return { ...history, recentFrom: Math.min(history.recentFrom, head) }
}
