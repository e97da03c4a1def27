// Selection of pooled transactions for a block: by effective tip and arrival, by arrival, or at random, and always by
// nonce within a sender.

import { effectiveTip } from '../execution/transaction/transaction.ts'
import { keccak256Hex } from '../primitives/crypto.ts'
import { concatBytes, type Hash, hexToBytes } from '../primitives/hex.ts'
import { readAccount, type WorldState } from '../state/world-state.ts'
import type { Pool, PooledTransaction, SenderQueue } from './pool.ts'

interface Heap<Item> {
  readonly items: Item[]
  /** True if `a` precedes `b`; must be a total order, so that the result does not depend on insertion. */
  readonly isBefore: (a: Item, b: Item) => boolean
}

function createHeap<Item>(isBefore: (a: Item, b: Item) => boolean): Heap<Item> {
  return { items: [], isBefore }
}

function pushHeap<Item>({ items, isBefore }: Heap<Item>, item: Item): void {
  let index = items.length
  items.push(item)
  while (index > 0) {
    const parent = (index - 1) >> 1
    if (!isBefore(item, items[parent] as Item)) break
    items[index] = items[parent] as Item
    index = parent
  }
  items[index] = item
}

function popHeap<Item>({ items, isBefore }: Heap<Item>): Item | undefined {
  const best = items[0]
  const last = items.pop()
  if (items.length === 0 || last === undefined) return best
  let index = 0
  for (;;) {
    let child = 2 * index + 1
    if (child >= items.length) break
    if (child + 1 < items.length && isBefore(items[child + 1] as Item, items[child] as Item)) child++
    if (!isBefore(items[child] as Item, last)) break
    items[index] = items[child] as Item
    index = child
  }
  items[index] = last
  return best
}

/** By effective tip, first in first out, last in first out, or seeded random. */
export type Ordering = 'fees' | 'fifo' | 'lifo' | 'random'

export const ORDERINGS = ['fees', 'fifo', 'lifo', 'random'] as const satisfies readonly Ordering[]

interface Candidate {
  readonly pooled: PooledTransaction
  readonly tip: bigint
  /** Sort key under `random`. */
  readonly randomKey: Hash | undefined
  readonly queue: SenderQueue
  readonly position: number
}

/** The candidates for a batch: the next transaction of each sender. */
export interface Selection {
  /** Removes and returns the best candidate. */
  take(): PooledTransaction | undefined
  /** Adds the next nonce of the sender taken last. Without this call, the sender is out of the batch. */
  admitFollower(): void
}

function comesFirst(a: Candidate, b: Candidate, ordering: Ordering): boolean {
  if (ordering === 'fees' && a.tip !== b.tip) return a.tip > b.tip
  if (a.randomKey !== undefined && b.randomKey !== undefined) return a.randomKey < b.randomKey
  if (ordering === 'lifo') return a.pooled.arrival > b.pooled.arrival
  return a.pooled.arrival < b.pooled.arrival
}

/** The lowest key comes first. */
function randomKeyOf({ transaction }: PooledTransaction, prevRandao: Hash): Hash {
  return keccak256Hex(concatBytes(hexToBytes(prevRandao), hexToBytes(transaction.hash)))
}

/** Starts a batch; excludes transactions that do not cover the base fee and `leastTip`. */
export function selectFrom(
  pool: Pool,
  state: WorldState,
  baseFee: bigint,
  ordering: Ordering,
  prevRandao: Hash,
  leastTip = 0n,
): Selection {
  const heap = createHeap<Candidate>((a, b) => comesFirst(a, b, ordering))
  let taken: Candidate | undefined
  const enter = (queue: SenderQueue, position: number, nonce: bigint): void => {
    const pooled = queue.transactions[position]
    if (pooled === undefined || pooled.transaction.nonce !== nonce) return
    const tip = effectiveTip(pooled.transaction, baseFee)
    if (tip < leastTip) return
    const randomKey = ordering === 'random' ? randomKeyOf(pooled, prevRandao) : undefined
    pushHeap(heap, { pooled, tip, randomKey, queue, position })
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

/** A selection without some transactions, and so without later nonces of their senders. */
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

/** A selection in a given order, which includes later nonces. */
export function fixedSelection(pooled: readonly PooledTransaction[]): Selection {
  let position = 0
  return { take: () => pooled[position++], admitFollower() {} }
}
