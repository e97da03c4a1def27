// Requests that wait for a receipt on the virtual clock (EIP-7966). They settle when a partial block includes the
// transaction, or when the clock passes their deadline.

import { findTransaction } from '../../node/lookup.ts'
import type { NodeState } from '../../node/node-state.ts'
import { failure, withData } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { presentAs } from '../flavor/present.ts'
import { formatReceipt, type RpcReceipt } from '../format/receipt.ts'
import type { RpcOptions } from '../options.ts'

export interface ReceiptWaiter {
  readonly hash: Hash
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly resolve: (receipt: RpcReceipt) => void
  readonly reject: (error: unknown) => void
}

function receiptIn(state: NodeState, hash: Hash, options: RpcOptions): RpcReceipt | undefined {
  const found = findTransaction(state, hash)
  if (found === undefined || 'pooled' in found) return undefined
  return formatReceipt(presentAs(options, found.view), found.executed)
}

/** Settles the waiters whose transaction is included in a state, or whose deadline has passed. */
export function settleWaiters(waiters: Set<ReceiptWaiter>, state: NodeState, options: RpcOptions): void {
  for (const waiter of waiters) {
    const { hash, timeoutMs: ms, deadlineMs } = waiter
    const receipt = state.nowMs <= deadlineMs ? receiptIn(state, hash, options) : undefined
    if (receipt === undefined && state.nowMs < deadlineMs) continue
    waiters.delete(waiter)
    if (receipt === undefined) waiter.reject(withData(failure('confirmationTimeout', { hash, ms }), hash))
    else waiter.resolve(receipt)
  }
}

/** Moves the deadlines along when a revert, a reset or a load moves the clock. */
export function shiftDeadlines(waiters: Set<ReceiptWaiter>, movedMs: number): void {
  const all = [...waiters]
  waiters.clear()
  for (const waiter of all) waiters.add({ ...waiter, deadlineMs: waiter.deadlineMs + movedMs })
}

/** Rejects all waits, because the emulator is disposed of. */
export function abandonWaiters(waiters: Set<ReceiptWaiter>): void {
  for (const waiter of waiters) waiter.reject(failure('disposed'))
  waiters.clear()
}
