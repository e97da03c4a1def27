// The chain as a node sees it that is some blocks behind: what reads of it are answered from.

import { rewindChain } from '../../chain/chain.ts'
import type { NodeState } from '../node-state.ts'

function atMost(mark: number | undefined, head: number): number | undefined {
  return mark === undefined || mark <= head ? mark : undefined
}

/** The state without its last blocks and the block being built; genesis at least. The pool is as it is. */
export function laggingState(state: NodeState, blocksBehind: number): NodeState {
  const depth = Math.min(blocksBehind, state.chain.head.header.number)
  const { chain } = rewindChain(state.chain, depth)
  const head = chain.head.header.number
  const { safe, finalized } = state.settings.marks
  const marks = { safe: atMost(safe, head), finalized: atMost(finalized, head) }
  return { ...state, chain, settings: { ...state.settings, marks } }
}
