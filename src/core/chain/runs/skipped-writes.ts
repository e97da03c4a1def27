// Writes that skipped blocks left out of the system contracts (EIP-4788, EIP-2935).

import { type BlockStart, RING_SIZE, startBlock } from '../../rollup/system-contracts.ts'
import type { WorldState } from '../../state/world-state.ts'
import { timestampOf } from '../block/block-timing.ts'
import type { RunPart } from './empty-run.ts'

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
export function stateAfter(skipped: RunPart, startAt: (index: number) => BlockStart): WorldState {
  const { rules, parent } = skipped.run
  const { state } = parent.committed
  return lastWriters(skipped).reduce(
    (written, index) => startBlock(rules, rules, written, startAt(index)),
    state,
  )
}
