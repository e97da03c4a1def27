// In which order waiting transactions are tried: by effective tip and then arrival, by arrival alone, or by lot, and
// always by nonce within a sender.

import { effectiveTip } from '../execution/transaction/transaction.ts'
import { keccak256Hex } from '../primitives/crypto.ts'
import { createHeap, popHeap, pushHeap } from '../primitives/heap.ts'
import { concatBytes, type Hash, hexToBytes } from '../primitives/hex.ts'
import { readAccount, type WorldState } from '../state/world-state.ts'
import type { Pool, PooledTransaction, SenderQueue } from './pool.ts'

/** Best tip first, first come first, last come first, or by lot. */
export type Ordering = 'fees' | 'fifo' | 'lifo' | 'random'

export const ORDERINGS = ['fees', 'fifo', 'lifo', 'random'] as const satisfies readonly Ordering[]

interface Candidate {
  readonly pooled: PooledTransaction
  readonly tip: bigint
  /** Its lot, where lots decide. */
  readonly lot: Hash | undefined
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
  if (a.lot !== undefined && b.lot !== undefined) return a.lot < b.lot
  if (ordering === 'lifo') return a.pooled.arrival > b.pooled.arrival
  return a.pooled.arrival < b.pooled.arrival
}

/** Whoever has the least comes first. */
function lotOf({ transaction }: PooledTransaction, prevRandao: Hash): Hash {
  return keccak256Hex(concatBytes(hexToBytes(prevRandao), hexToBytes(transaction.hash)))
}

/** Starts a batch from the pool as it stands, at a base fee. Those that do not cover the base fee stay out. */
export function selectFrom(
  pool: Pool,
  state: WorldState,
  baseFee: bigint,
  ordering: Ordering,
  prevRandao: Hash,
): Selection {
  const heap = createHeap<Candidate>((a, b) => comesFirst(a, b, ordering))
  let taken: Candidate | undefined
  const enter = (queue: SenderQueue, position: number, nonce: bigint): void => {
    const pooled = queue.transactions[position]
    if (pooled === undefined || pooled.transaction.nonce !== nonce) return
    const tip = effectiveTip(pooled.transaction, baseFee)
    if (tip < 0n) return
    const lot = ordering === 'random' ? lotOf(pooled, prevRandao) : undefined
    pushHeap(heap, { pooled, tip, lot, queue, position })
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

/** A selection without those that are left out, and so without their followers. */
export function withoutSome(
  selection: Selection,
  isLeftOut: (pooled: PooledTransaction) => boolean,
): Selection {
  return {
    take() {
      let pooled = selection.take()
      while (pooled !== undefined && isLeftOut(pooled)) pooled = selection.take()
      return pooled
    },
    admitFollower: () => selection.admitFollower(),
  }
}

/** A selection in an order that has been decided; followers have their place in it. */
export function fixedSelection(pooled: readonly PooledTransaction[]): Selection {
  let position = 0
  return { take: () => pooled[position++], admitFollower() {} }
}
