// Requests that wait for a receipt (EIP-7966), on the virtual clock: they settle when a partial block brings the
// transaction, or when the clock has passed their deadline.

import { findTransaction } from '../../node/lookup.ts'
import type { NodeState } from '../../node/node-state.ts'
import { failure, withData } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { type PendingIdentity, present } from '../format/present.ts'
import { formatReceipt, type RpcReceipt } from '../format/receipt.ts'

export interface ReceiptWaiter {
  readonly hash: Hash
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly resolve: (receipt: RpcReceipt) => void
  readonly reject: (error: unknown) => void
}

function receiptIn(state: NodeState, hash: Hash, identity: PendingIdentity): RpcReceipt | undefined {
  const found = findTransaction(state, hash)
  if (found === undefined || 'pooled' in found) return undefined
  return formatReceipt(present(found.view, identity), found.executed)
}

/** Settles the waiters whose transaction is included, or whose time is over, in a state that was reached. */
export function settleWaiters(
  waiters: Set<ReceiptWaiter>,
  state: NodeState,
  identity: PendingIdentity,
): void {
  for (const waiter of waiters) {
    const { hash, timeoutMs: ms, deadlineMs } = waiter
    const receipt = state.nowMs <= deadlineMs ? receiptIn(state, hash, identity) : undefined
    if (receipt === undefined && state.nowMs < deadlineMs) continue
    waiters.delete(waiter)
    if (receipt === undefined) waiter.reject(withData(failure('confirmationTimeout', { hash, ms }), hash))
    else waiter.resolve(receipt)
  }
}

/** Lets all wait as long as they would have, where the clock was moved by other means than time. */
export function keepWaiting(waiters: Set<ReceiptWaiter>, movedMs: number): void {
  const all = [...waiters]
  waiters.clear()
  for (const waiter of all) waiters.add({ ...waiter, deadlineMs: waiter.deadlineMs + movedMs })
}

/** Ends all waiting, because the emulator ends. */
export function abandonWaiters(waiters: Set<ReceiptWaiter>): void {
  for (const waiter of waiters) waiter.reject(failure('disposed'))
  waiters.clear()
}
