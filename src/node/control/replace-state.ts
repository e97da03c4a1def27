// Another state in the place of the present one: a revert, a reset, a load. Who listens is told the difference.

import { blocksAbove, blocksBetween, type Chain, fullBlocks, isSharedAt } from '../../chain/chain.ts'
import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import type { Audience, NodeEvent, Outcome, Transition } from '../events.ts'
import type { NodeState } from '../node-state.ts'
import { countReset, type NodeRecords } from '../records.ts'

/** One event, of which `replacementEvents` makes what there is to tell if somebody listens. */
export function replaceState(from: NodeState, to: NodeState): Transition {
  return { state: to, events: from === to ? [] : [{ type: 'stateReplaced', from, to }], result: undefined }
}

/** Goes back to the state in which the node was created. */
export function resetState(initial: NodeState, state: NodeState, records: NodeRecords): Outcome<undefined> {
  return { ...replaceState(state, initial), records: countReset(records) }
}

/** The number of the last block that two chains share; -1 where they have another genesis. */
export function lastShared(a: Chain, b: Chain): number {
  const isShared = (number: number): boolean => isSharedAt(a, b, number)
  let shared = -1
  let unshared = Math.min(a.head.header.number, b.head.header.number) + 1
  // Mostly one of the chains is the beginning of the other.
  if (isShared(unshared - 1)) return unshared - 1
  while (unshared - shared > 1) {
    const middle = (shared + unshared) >> 1
    if (isShared(middle)) shared = middle
    else unshared = middle
  }
  return shared
}

function isIncluded({ transactions, open }: Chain, { transaction }: ExecutedTransaction): boolean {
  return transactions.has(transaction.hash) || open?.indexByHash.has(transaction.hash) === true
}

/** What has happened where `to` is in the place of `from`: what is gone, last first, and what is there instead. */
export function* replacementEvents(
  from: NodeState,
  to: NodeState,
  audience: Audience,
): IterableIterator<NodeEvent> {
  const shared = lastShared(from.chain, to.chain)
  const last = from.chain.head.header.number
  const gone = [...fullBlocks(from.chain, shared + 1, last)]
  const blocks = blocksAbove(from.chain, shared)
  if (last > shared) yield { type: 'blocksOrphaned', blocks, full: [...gone].reverse(), atMs: to.nowMs }
  const taken = [...gone.flatMap(({ executed }) => executed), ...(from.chain.open?.executed ?? [])]
  for (const executed of taken) {
    if (isIncluded(to.chain, executed)) continue
    const { transaction } = executed
    const isPooled = to.pool.byHash.has(transaction.hash)
    yield { type: 'transactionUnincluded', transaction, reason: 'reverted', isPooled }
  }
  const between = audience === 'nobody' ? fullBlocks : blocksBetween
  for (const block of between(to.chain, shared + 1, to.chain.head.header.number)) {
    yield { type: 'blockSealed', block, state: to }
  }
}
