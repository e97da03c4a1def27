// The transaction pool: an immutable value with a queue per sender, ordered by nonce.

import type { Transaction } from '../execution/transaction/transaction.ts'
import type { Address, Hash } from '../primitives/hex.ts'
import { countWhile } from '../primitives/numbers.ts'
import { PersistentMap } from '../primitives/persistent-map.ts'

export interface PooledTransaction {
  readonly transaction: Transaction
  /** Sequence number of its arrival; a replacement gets a new one. */
  readonly arrival: number
  /** The most wei that it can cost its sender, rollup fees as of its admission included. */
  readonly cost: bigint
}

export interface SenderQueue {
  readonly transactions: readonly PooledTransaction[]
  /** The most wei that all of them together can cost. */
  readonly maximumCost: bigint
}

export interface Pool {
  readonly bySender: PersistentMap<Address, SenderQueue>
  readonly byHash: PersistentMap<Hash, PooledTransaction>
  readonly nextArrival: number
  /** The transactions that others have replaced: who asks for one is told of the one that took its nonce. */
  readonly replaced: PersistentMap<Hash, Transaction>
}

export const EMPTY_POOL: Pool = {
  bySender: PersistentMap.empty(),
  byHash: PersistentMap.empty(),
  nextArrival: 0,
  replaced: PersistentMap.empty(),
}

const EMPTY_QUEUE: SenderQueue = { transactions: [], maximumCost: 0n }

export function queueOf(pool: Pool, sender: Address): SenderQueue {
  return pool.bySender.get(sender) ?? EMPTY_QUEUE
}

/** The position of a nonce in a queue, or its insertion point. */
function positionOf(queue: SenderQueue, nonce: bigint): number {
  const { transactions } = queue
  return countWhile(transactions.length, (index) => nonceAt(transactions, index) < nonce)
}

function nonceAt(transactions: SenderQueue['transactions'], index: number): bigint {
  return (transactions[index] as PooledTransaction).transaction.nonce
}

export function pooledAt(pool: Pool, sender: Address, nonce: bigint): PooledTransaction | undefined {
  const queue = queueOf(pool, sender)
  const found = queue.transactions[positionOf(queue, nonce)]
  return found?.transaction.nonce === nonce ? found : undefined
}

function withQueue(pool: Pool, sender: Address, queue: SenderQueue): Pool['bySender'] {
  return queue.transactions.length === 0 ? pool.bySender.delete(sender) : pool.bySender.set(sender, queue)
}

/** Adds a transaction, which can cost its sender so many wei; replaces one with the same sender and nonce. */
export function insertTransaction(pool: Pool, transaction: Transaction, cost: bigint): Pool {
  const { sender, nonce, hash } = transaction
  const replaced = pooledAt(pool, sender, nonce)?.transaction
  const rest = replaced === undefined ? pool : removeTransaction(pool, replaced)
  const queue = queueOf(rest, sender)
  const pooled: PooledTransaction = { transaction, arrival: pool.nextArrival, cost }
  const transactions = queue.transactions.slice()
  transactions.splice(positionOf(queue, nonce), 0, pooled)
  const longer = { transactions, maximumCost: queue.maximumCost + cost }
  return {
    bySender: rest.bySender.set(sender, longer),
    byHash: rest.byHash.set(hash, pooled),
    nextArrival: pool.nextArrival + 1,
    replaced: replaced === undefined ? pool.replaced : pool.replaced.set(replaced.hash, replaced),
  }
}

export function removeTransaction(pool: Pool, transaction: Transaction): Pool {
  const { hash, sender, nonce } = transaction
  const pooled = pool.byHash.get(hash)
  if (pooled === undefined) return pool
  const queue = queueOf(pool, sender)
  const transactions = queue.transactions.slice()
  transactions.splice(positionOf(queue, nonce), 1)
  const shorter = { transactions, maximumCost: queue.maximumCost - pooled.cost }
  return { ...pool, bySender: withQueue(pool, sender, shorter), byHash: pool.byHash.delete(hash) }
}

/** Removes a sender's transactions below a nonce: they are in a block or can never execute. */
export function removeBelow(pool: Pool, sender: Address, nonce: bigint): Pool {
  const queue = queueOf(pool, sender)
  const count = positionOf(queue, nonce)
  if (count === 0) return pool
  let { byHash } = pool
  let maximumCost = queue.maximumCost
  for (const { transaction, cost } of queue.transactions.slice(0, count)) {
    byHash = byHash.delete(transaction.hash)
    maximumCost -= cost
  }
  const shorter = { transactions: queue.transactions.slice(count), maximumCost }
  return { ...pool, bySender: withQueue(pool, sender, shorter), byHash }
}

/** The number of pending transactions, without a nonce gap; the others are queued. */
export function countPending({ transactions }: SenderQueue, accountNonce: bigint): number {
  // Nonces are distinct and ascend, so the transactions without a gap come first.
  const isNext = (index: number) => nonceAt(transactions, index) === accountNonce + BigInt(index)
  return countWhile(transactions.length, isNext)
}

/** Removes transactions below the nonces of their senders, which EIP-7702 authorizations also increment. */
export function pruneOvertaken(pool: Pool, nonceOf: (sender: Address) => bigint): Pool {
  let pruned = pool
  for (const [sender] of pool.bySender.entries()) pruned = removeBelow(pruned, sender, nonceOf(sender))
  return pruned
}
