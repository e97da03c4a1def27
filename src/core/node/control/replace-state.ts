// Replacement of the state by a reorganisation, a revert, a reset or a load; the events follow from the difference.

import * as chains from '../../chain/chain.ts'
import { countWhile } from '../../primitives/numbers.ts'
import { type EventInterest, type NodeEvent, type Outcome, type Transition, unchanged } from '../events.ts'
import { countReset, type NodeRecords, type NumbersAfterReset } from '../lookup.ts'
import * as states from '../node-state.ts'

/** Puts `to` in the place of `from`. Its one event stands for those of `replacementEvents`. */
export function replaceState(from: states.NodeState, to: states.NodeState): Transition {
  return { ...unchanged(to), events: from === to ? [] : [{ type: 'stateReplaced', from, to }] }
}

export function resetState(
  initial: states.NodeState,
  state: states.NodeState,
  records: NodeRecords,
  numbers: NumbersAfterReset = 'goOn',
): Outcome<undefined> {
  return { ...replaceState(state, initial), records: countReset(records, numbers) }
}

/** The number of the last block that two chains share; below their first blocks if these differ. */
export function lastShared(a: chains.Chain, b: chains.Chain): number {
  const isShared = (number: number): boolean => chains.isSharedAt(a, b, number)
  const first = Math.min(a.first, b.first)
  const last = Math.min(a.head.header.number, b.head.header.number)
  // In most cases one of the chains is a prefix of the other.
  if (isShared(last)) return last
  return first - 1 + countWhile(last - first, (index) => isShared(first + index))
}

/** The events of a replacement: blocks that are gone, last first, transactions that are gone, and new blocks. */
export function* replacementEvents(
  from: states.NodeState,
  to: states.NodeState,
  audience: EventInterest,
): IterableIterator<NodeEvent> {
  const shared = lastShared(from.chain, to.chain)
  const last = from.chain.head.header.number
  const gone = [...chains.fullBlocks(from.chain, shared + 1, last)]
  const blocks = chains.blocksAbove(from.chain, shared)
  if (last > shared) yield { type: 'blocksOrphaned', blocks, full: [...gone].reverse(), atMs: to.nowMs }
  const taken = [...gone.flatMap(({ executed }) => executed), ...(from.chain.open?.executed ?? [])]
  for (const { transaction } of taken) {
    const { hash } = transaction
    if (to.chain.transactions.has(hash) || states.blockBeingBuilt(to)?.indexByHash.has(hash)) continue
    const isPooled = to.pool.byHash.has(hash)
    yield { type: 'transactionUnincluded', transaction, reason: 'reverted', isPooled }
  }
  const between = audience === 'nobody' ? chains.fullBlocks : chains.blocksBetween
  for (const block of between(to.chain, shared + 1, to.chain.head.header.number))
    yield { type: 'blockSealed', block, state: to }
}
