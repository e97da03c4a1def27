// What a chain keeps of its blocks as they grow old: the recent ones as they were sealed, all others packed, and of
// every block its state or, where the chain is told so, of the last ones only. docs/decisions/0016-archived-blocks.md.

import type { PersistentMap } from '../../primitives/persistent-map.ts'
import { type CommittedState, EMPTY_COMMITTED_STATE } from '../../state/state-tries.ts'
import type { SealedBlock } from '../block/block.ts'
import { archiveBlock, forgetState } from './archived-block.ts'

/** Blocks that are kept as they were sealed: as many as geth keeps the tries of. */
const RECENT_BLOCKS = 128
/** One block of so many keeps its tries, from which those of the blocks after it are made again. */
const ANCHOR_DISTANCE = 1024

export interface History {
  /** Blocks, from the head back, whose state is kept. */
  readonly stateHistory: number
  /** The first block that is not packed. */
  readonly recentFrom: number
  /** The first block whose state is kept. */
  readonly statesFrom: number
  readonly anchor: { readonly number: number; readonly committed: CommittedState }
}

/** The history of a chain that begins with block `number`; the states of `stateHistory` blocks are kept. */
export function startHistory(number: number, stateHistory: number): History {
  const anchor = { number: number - ANCHOR_DISTANCE, committed: EMPTY_COMMITTED_STATE }
  return { stateHistory, recentFrom: number, statesFrom: number, anchor }
}

type Blocks = PersistentMap<number, SealedBlock>

interface Aged {
  readonly blocks: Blocks
  readonly history: History
}

function packOld({ blocks: before, history }: Aged, last: number, recentFrom: number): Aged {
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

function forgetOld({ blocks: before, history }: Aged, last: number, statesFrom: number): Aged {
  let blocks = before
  for (let number = history.statesFrom; number <= last; number++) {
    const block = blocks.get(number)
    if (block !== undefined) blocks = blocks.set(number, forgetState(block))
  }
  return { blocks, history: { ...history, statesFrom } }
}

/** What is kept when the head has moved on from block `from` to block `head`. */
export function moveOn(blocks: Blocks, history: History, from: number, head: number): Aged {
  let aged: Aged = { blocks, history }
  const recentFrom = head - RECENT_BLOCKS + 1
  // What is above the old head and below the new one is a run, and the new one is as it was sealed.
  if (recentFrom > history.recentFrom) aged = packOld(aged, Math.min(from, recentFrom - 1), recentFrom)
  const statesFrom = head - history.stateHistory + 1
  if (statesFrom > history.statesFrom) aged = forgetOld(aged, Math.min(from, statesFrom - 1), statesFrom)
  return aged
}

/** What is kept when the blocks above `head` are taken back. */
export function moveBack(history: History, head: number): History {
  return history.recentFrom <= head ? history : { ...history, recentFrom: head + 1 }
}
