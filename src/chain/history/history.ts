// Retention of old blocks: which are archived, and which lose their state (option `stateHistory`).
// See docs/decisions/0016-archived-blocks.md.

import type { PersistentMap } from '../../primitives/persistent-map.ts'
import { type CommittedState, EMPTY_COMMITTED_STATE } from '../../state/state-tries.ts'
import type { SealedBlock } from '../block/block.ts'
import { archiveBlock, forgetState } from './archived-block.ts'

/** The last blocks, which are not archived; geth keeps the tries of as many. */
const RECENT_BLOCKS = 128
/** One block in this many keeps its tries, from which those of later blocks are recomputed. */
const ANCHOR_DISTANCE = 1024

export interface History {
  /** Blocks, from the head back, whose state is kept. */
  readonly stateHistory: number
  /** The first block that is not archived. */
  readonly recentFrom: number
  /** The first block whose state is kept. */
  readonly statesFrom: number
  readonly anchor: { readonly number: number; readonly committed: CommittedState }
}

/** The history of a chain that begins with block `number` and keeps the states of its last `stateHistory` blocks. */
export function startHistory(number: number, stateHistory: number): History {
  const anchor = { number: number - ANCHOR_DISTANCE, committed: EMPTY_COMMITTED_STATE }
  return { stateHistory, recentFrom: number, statesFrom: number, anchor }
}

type Blocks = PersistentMap<number, SealedBlock>

interface ArchivedHistory {
  readonly blocks: Blocks
  readonly history: History
}

function packOld(
  { blocks: before, history }: ArchivedHistory,
  last: number,
  recentFrom: number,
): ArchivedHistory {
  let { anchor } = history
  let blocks = before
  for (let number = history.recentFrom; number <= last; number++) {
    const block = blocks.get(number)
    if (block === undefined) continue
    if (number >= anchor.number + ANCHOR_DISTANCE) anchor = { number, committed: block.committed }
    blocks = blocks.set(number, archiveBlock(block, anchor.committed))
  }
  return { blocks, history: { ...history, anchor, recentFrom } }
}

function forgetOld(
  { blocks: before, history }: ArchivedHistory,
  last: number,
  statesFrom: number,
): ArchivedHistory {
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

/** Updates the history after the blocks above `head` are removed. */
export function moveBack(history: History, head: number): History {
  return history.recentFrom <= head ? history : { ...history, recentFrom: head + 1 }
}
