// The blocks of a compact run: all of them over the state before it, but the last, which brings the contracts that
// the protocol writes up to date. docs/decisions/0008-runs-of-empty-blocks.md.

import { type BlockStart, RING_SIZE, startBlock, writesAtStart } from '../../rollup/system-contracts.ts'
import type { WorldState } from '../../state/world-state.ts'
import { openBlockOver, type SealedBlock, sealBlock } from '../block/block.ts'
import { EMPTY_BODY } from '../block/body.ts'
import { timestampOf } from './block-timing.ts'
import { type CompactHashes, hashHeaders } from './compact-hashes.ts'
import {
  type BlockSource,
  type EmptyRun,
  environmentOf,
  type Predecessor,
  predecessorOf,
} from './empty-run.ts'
import { createRunIndex, startOfHash } from './run-index.ts'

/**
 * The blocks whose writes are still there at the end of a run, oldest first. Each writes a slot that follows from
 * its number (EIP-2935) and one that follows from its timestamp (EIP-4788), and the last to write a slot counts.
 */
function lastWriters({ pace, count }: EmptyRun): number[] {
  const writers: number[] = []
  const isWritten = new Uint8Array(RING_SIZE)
  let unwritten = RING_SIZE
  for (let index = count - 1; index >= 0; index--) {
    const isRecent = count - index <= RING_SIZE
    if (!isRecent && unwritten === 0) break
    const slot = timestampOf(pace, index) % RING_SIZE
    const isLast = isWritten[slot] === 0
    if (isLast) {
      isWritten[slot] = 1
      unwritten--
    }
    if (isRecent || isLast) writers.push(index)
  }
  return writers.reverse()
}

/** The state after the last block: what all of them together would have written is written. */
function stateAfter(run: EmptyRun, startOf: (index: number) => BlockStart): WorldState {
  const { state } = run.parent.committed
  if (!writesAtStart(run.rules, state)) return state
  return lastWriters(run).reduce((written, index) => startBlock(run.rules, written, startOf(index)), state)
}

/** All blocks but the last. */
function createMiddle(run: EmptyRun, hashes: () => CompactHashes) {
  const { rules, parent } = run
  const before = (index: number): Predecessor =>
    index === 0 ? predecessorOf(run) : hashes().predecessorAt(index - 1)
  return {
    before,
    at(index: number): SealedBlock {
      const { sample, hashAt } = hashes()
      const header = { ...sample, ...environmentOf(run, index, before(index)) }
      const { committed } = parent
      return { rules, header, body: EMPTY_BODY, hash: hashAt(index), executed: [], committed }
    },
  }
}

export function createCompactBlocks(run: EmptyRun): BlockSource {
  const last = run.count - 1
  const index = createRunIndex(run.count)
  let hashes: CompactHashes | undefined
  const middle = createMiddle(run, () => {
    hashes ??= hashHeaders(run, last, index)
    return hashes
  })
  let lastBlock: SealedBlock | undefined
  const sealLast = (): SealedBlock => {
    const parent = last === 0 ? run.parent : middle.at(last - 1)
    const environmentAt = (position: number) => environmentOf(run, position, middle.before(position))
    const state = stateAfter(run, environmentAt)
    const block = sealBlock(openBlockOver(run.rules, parent, environmentAt(last), state))
    index.note(last, startOfHash(block.hash))
    return block
  }
  const at = (position: number): SealedBlock => {
    if (position < last) return middle.at(position)
    lastBlock ??= sealLast()
    return lastBlock
  }
  return {
    at,
    indexOf(hash, count) {
      at(count - 1)
      return index.find(hash, count, (position) => at(position).hash)
    },
  }
}
