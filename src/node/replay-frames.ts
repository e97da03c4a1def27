// Frames of the transactions of a block, from running them again.

import type { BlockView } from '../chain/view.ts'
import { type CallFrame, recordFrames } from '../execution/trace/call-frames.ts'
import type { ExecutedTransaction } from '../execution/transaction/receipt.ts'
import type { NodeConfig, NodeState } from './node-state.ts'
import { type ReplayRange, replay } from './replay.ts'

export interface TracedTransaction {
  readonly executed: ExecutedTransaction
  readonly root: CallFrame
}

/** Runs transactions of a block again, all unless a range says which; throws what `replay` throws. */
export async function replayFrames(
  config: NodeConfig,
  state: NodeState,
  view: BlockView,
  range: ReplayRange = { from: 0, to: view.executed.length },
): Promise<readonly TracedTransaction[]> {
  if (range.to === range.from) return []
  const recorders = view.executed.map(() => recordFrames())
  await replay(config, state, view, range, (index) => recorders[index]?.observer)
  return view.executed
    .slice(range.from, range.to)
    .map((executed) => ({ executed, root: (recorders[executed.index] as (typeof recorders)[number]).root() }))
}
