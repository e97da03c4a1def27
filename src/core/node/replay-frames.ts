// Frames of the transactions of a block, from running them again.

import type { BlockView } from '../chain/view.ts'
import { createBudget } from '../execution/trace/budget.ts'
import { type CallFrame, type FrameRecorder, recordFrames } from '../execution/trace/call-frames.ts'
import type { ExecutedTransaction } from '../execution/transaction/receipt.ts'
import { failure } from '../primitives/errors.ts'
import type { NodeConfig, NodeState } from './node-state.ts'
import { type ReplayRange, replay } from './replay.ts'

export interface TracedTransaction {
  readonly executed: ExecutedTransaction
  readonly root: CallFrame
}

/**
 * Runs transactions of a block again, all unless a range says which. Throws what `replay` throws, and `traceTooLarge`.
 */
export async function replayFrames(
  config: NodeConfig,
  state: NodeState,
  view: BlockView,
  mostBytes: number,
  range: ReplayRange = { from: 0, to: view.executed.length },
): Promise<readonly TracedTransaction[]> {
  if (range.to === range.from) return []
  const budget = createBudget(mostBytes)
  const recorders: FrameRecorder[] = []
  const replayed = await replay(config, state, view, range, () => {
    const recorder = recordFrames({ frames: 'all', logs: 'ignored' }, budget)
    recorders.push(recorder)
    return recorder.observer
  })
  if (budget.isExceeded()) throw failure('traceTooLarge', budget)
  return replayed.map(({ executed }, position) => {
    const recorder = recorders[position] as FrameRecorder
    return { executed, root: recorder.root() }
  })
}
