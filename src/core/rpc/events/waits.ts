// Waits on the virtual clock: for answers that a fault delays, and for receipts (EIP-7966).

import type { Effect } from '../../node/events.ts'
import { findIncluded } from '../../node/lookup.ts'
import type { NodeState } from '../../node/node-state.ts'
import { failure, withData } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { presentAs } from '../format/present.ts'
import { formatReceipt, type RpcReceipt } from '../format/receipt.ts'
import type { RpcOptions } from '../options.ts'

interface Wait {
  /** Virtual milliseconds, infinity for never; `undefined` before the wait begins. */
  deadlineMs: number | undefined
  readonly reject: (error: unknown) => void
}

/** Moves the deadlines along when a revert, a reset or a load moves the clock. */
export function shiftDeadlines(waits: Iterable<Wait>, movedMs: number): void {
  for (const wait of waits) if (wait.deadlineMs !== undefined) wait.deadlineMs += movedMs
}

/** Rejects all waits, because the emulator is disposed of. */
export function abandonWaits(waits: Set<Wait>): void {
  for (const { reject } of waits) reject(failure('disposed'))
  waits.clear()
}

/** An answer delayed by a fault: it arrives at its deadline. */
export interface HeldAnswer extends Wait {
  deadlineMs: number
  readonly resolve: () => void
}

/** A delayed answer: `hold` starts the wait, and `arrival` resolves at its end. */
export function holdAnswer(
  held: Set<HeldAnswer>,
  deadlineMs: number,
): { readonly arrival: Promise<void>; readonly hold: Effect } {
  let hold: Effect = () => {}
  const arrival = new Promise<void>((resolve, reject) => {
    hold = () => held.add({ deadlineMs, resolve, reject })
  })
  // The emulator may be disposed of before this is awaited.
  arrival.catch(() => undefined)
  return { arrival, hold }
}

/** Releases the answers that are due, in the order of their times. */
export function releaseAnswers(held: Set<HeldAnswer>, nowMs: number): void {
  if (held.size === 0) return
  // Those of the same time arrive in the order of their requests, because the sort is stable.
  const due = [...held].filter(({ deadlineMs }) => deadlineMs <= nowMs)
  for (const answer of due.sort((a, b) => a.deadlineMs - b.deadlineMs)) {
    held.delete(answer)
    answer.resolve()
  }
}

/** A request that waits for a receipt, until a partial block includes the transaction or the clock passes its deadline. */
export interface ReceiptWaiter extends Wait {
  readonly hash: Hash
  readonly timeoutMs: number
  deadlineMs: number
  readonly resolve: (receipt: RpcReceipt) => void
}

function receiptIn(state: NodeState, hash: Hash, options: RpcOptions): RpcReceipt | undefined {
  const found = findIncluded(state, hash)
  return found && formatReceipt(presentAs(options, found.view), found.executed)
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
