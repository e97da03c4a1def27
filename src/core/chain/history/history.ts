// Retention of old blocks: which are archived, and which lose their state (option `stateHistory`).
// See docs/decisions/0016-archived-blocks.md.

import type { PersistentMap } from '../../primitives/persistent-map.ts'
import { packChanges } from '../../state/state-changes.ts'
import type { CommittedState } from '../../state/state-tries.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { SealedBlock } from '../block/block.ts'
import * as archives from './archived-block.ts'
import { changedBytesOf, isKeptWhole, type KeptState, worldOf } from './kept-state.ts'

/**
 * The last blocks, which are not archived. They are few, because garbage collection copies what they hold; but the
 * batcher of a pair reads those of its default interval, a minute, and derivation reads them again.
 */
const RECENT_BLOCKS = 48

interface KeptWorld {
  readonly kept: KeptState
  readonly world: WorldState
}

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
  readonly last: KeptWorld | undefined
}

/** The history of a chain that begins with block `number` and keeps the states of its last `stateHistory` blocks. */
export function startHistory(number: number, origin: CommittedState, stateHistory: number): History {
  return { stateHistory, recentFrom: number, statesFrom: number, origin, last: undefined }
}

/** The state after a block; that of the block archived last is at hand. */
export function worldAfter({ last }: History, block: SealedBlock): WorldState {
  const kept = archives.keptStateOf(block)
  return kept !== undefined && kept === last?.kept ? last.world : block.committed.state
}

type Blocks = PersistentMap<number, SealedBlock>

interface ArchivedHistory {
  readonly blocks: Blocks
  readonly history: History
}

/** Archives a state: as its changes since the block before, if that is archived with its state. */
function stateToArchive(
  { state: world }: CommittedState,
  { origin, last }: History,
  before: KeptState | undefined,
): archives.ArchivedState {
  if (before === undefined) return { world, origin }
  const worldBefore = before === last?.kept ? last.world : worldOf(before)
  const changes = packChanges(worldBefore, world)
  return isKeptWhole(changedBytesOf(before) + changes.bytes.length) ? { world, origin } : { before, changes }
}

/** The state since which a block is kept as its changes; `undefined` if it is kept whole, or not at all. */
function changedSince(block: SealedBlock): KeptState | undefined {
  const kept = archives.keptStateOf(block)
  return kept !== undefined && 'before' in kept ? kept.before : undefined
}

/**
 * Archived forms of recent blocks: a test file that goes back to a snapshot for each test archives the same blocks
 * again. Without those that are kept whole: a WeakMap may outlive its keys, so it holds no states.
 */
const archivedAs = new WeakMap<SealedBlock, SealedBlock>()

/** Archives a block with its state; `undefined` if it cannot be. */
function archive(
  block: SealedBlock,
  history: History,
  before: KeptState | undefined,
): SealedBlock | undefined {
  const known = archivedAs.get(block)
  if (known !== undefined && changedSince(known) === before) return known
  const archived = archives.archiveBlock(block, stateToArchive(block.committed, history, before))
  if (archived !== undefined && changedSince(archived) !== undefined) archivedAs.set(block, archived)
  return archived
}

function packOld(start: ArchivedHistory, to: number, recentFrom: number): ArchivedHistory {
  let { blocks, history } = start
  for (let number = history.recentFrom; number <= to; number++) {
    const block = blocks.get(number)
    if (block === undefined || !archives.isArchivable(block)) continue
    const archived = archive(block, history, archives.keptStateOf(blocks.get(number - 1)))
    if (archived === undefined) continue
    const kept = archives.keptStateOf(archived) as KeptState
    history = { ...history, last: { kept, world: block.committed.state } }
    blocks = blocks.set(number, archived)
  }
  return { blocks, history: { ...history, recentFrom } }
}

function forgetOld(
  { blocks: before, history }: ArchivedHistory,
  last: number,
  statesFrom: number,
): ArchivedHistory {
  let blocks = before
  for (let number = history.statesFrom; number <= last; number++) {
    const block = blocks.get(number)
    if (block !== undefined) blocks = blocks.set(number, archives.forgetState(block))
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
