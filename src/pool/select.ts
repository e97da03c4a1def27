// In which order waiting transactions are tried: by effective tip and then arrival, or by arrival alone,
// and always by nonce within a sender.

import { effectiveTip } from '../execution/transaction.ts'
import { createHeap, popHeap, pushHeap } from '../primitives/heap.ts'
import { readAccount, type WorldState } from '../state/world-state.ts'
import type { Pool, PooledTransaction, SenderQueue } from './pool.ts'

export type Ordering = 'fees' | 'fifo'

interface Candidate {
  readonly pooled: PooledTransaction
  readonly tip: bigint
  readonly queue: SenderQueue
  readonly position: number
}

/** The candidates for a batch; each sender stands with its next transaction. */
export interface Selection {
  /** The best candidate that is left. */
  take(): PooledTransaction | undefined
  /** Brings in the follower of the candidate taken last. Not called, the sender is out of this batch. */
  admitFollower(): void
}

function comesFirst(a: Candidate, b: Candidate, ordering: Ordering): boolean {
  if (ordering === 'fees' && a.tip !== b.tip) return a.tip > b.tip
  return a.pooled.arrival < b.pooled.arrival
}

/** Starts a batch from the pool as it stands, at a base fee. Those that do not cover the base fee stay out. */
export function selectFrom(pool: Pool, state: WorldState, baseFee: bigint, ordering: Ordering): Selection {
  const heap = createHeap<Candidate>((a, b) => comesFirst(a, b, ordering))
  let taken: Candidate | undefined
  const enter = (queue: SenderQueue, position: number, nonce: bigint): void => {
    const pooled = queue.transactions[position]
    if (pooled === undefined || pooled.transaction.nonce !== nonce) return
    const tip = effectiveTip(pooled.transaction, baseFee)
    if (tip >= 0n) pushHeap(heap, { pooled, tip, queue, position })
  }
  for (const [sender, queue] of pool.bySender.entries()) {
    enter(queue, 0, readAccount(state, sender).nonce)
  }
  return {
    take() {
      taken = popHeap(heap)
      return taken?.pooled
    },
    admitFollower() {
      if (taken === undefined) return
      enter(taken.queue, taken.position + 1, taken.pooled.transaction.nonce + 1n)
      taken = undefined
    },
  }
}
