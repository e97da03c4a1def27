// Waits of clients for a transaction, or for the one that takes its nonce, to be included and confirmed. They end while
// the events of the call that satisfies them are delivered, so no request of theirs has to wait for its turn.

import { blockAt } from '../../chain/chain.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { findBySenderAndNonce, findTransaction, type IncludedTransaction } from '../../node/lookup.ts'
import { type NodeState, pendingWorld } from '../../node/node-state.ts'
import type { Hash } from '../../primitives/hex.ts'
import { readAccount } from '../../state/world-state.ts'
import { type PendingIdentity, presentAs } from '../format/present.ts'
import { formatReceipt, type RpcReceipt } from '../format/receipt.ts'
import { formatTransaction, type RpcTransaction } from '../format/transaction.ts'

/** A transaction that a client waits for. */
export interface AwaitedInclusion {
  readonly hash: Hash
  /** Up to 1: until it is in a block or pre-confirmed. More: until so many sealed blocks have confirmed it. */
  readonly confirmations: number
  /** True if another transaction of the sender with the same nonce ends the wait, too. */
  readonly followsReplacement: boolean
  /** Virtual milliseconds from the start of the wait; `undefined` for no end. */
  readonly timeoutMs: number | undefined
}

/** The end of a wait. */
export interface InclusionOutcome {
  readonly receipt: RpcReceipt
  readonly transaction: RpcTransaction
  /** The transaction that was waited for, if another took its nonce. */
  readonly replaced: RpcTransaction | undefined
}

export interface InclusionWait {
  readonly awaited: AwaitedInclusion
  readonly identity: PendingIdentity
  readonly resolve: (outcome: InclusionOutcome) => void
  /** Called with `undefined` when the time is over. */
  readonly reject: (error: unknown) => void
  /** Set once the transaction has been seen. */
  transaction: Transaction | undefined
  /** Set when the wait begins. */
  deadlineMs: number | undefined
}

/** The awaited transaction in a block, or the one that took its nonce. */
function includedIn(state: NodeState, wait: InclusionWait): IncludedTransaction | undefined {
  const { hash, followsReplacement } = wait.awaited
  let found = findTransaction(state, hash)
  if (found === undefined) wait.transaction ??= state.pool.replaced.get(hash)
  else wait.transaction = 'pooled' in found ? found.pooled.transaction : found.executed.transaction
  if (found === undefined && followsReplacement && wait.transaction !== undefined) {
    const { sender, nonce } = wait.transaction
    if (readAccount(pendingWorld(state), sender).nonce > nonce)
      found = findBySenderAndNonce(state, sender, nonce)
  }
  return found === undefined || 'pooled' in found ? undefined : found
}

/** When the transaction got its last confirmation, or earlier; `undefined` if it has too few. */
function confirmedAtMs(
  { chain, nowMs }: NodeState,
  { view }: IncludedTransaction,
  confirmations: number,
): number | undefined {
  if (view.isPending) return confirmations <= 1 ? nowMs : undefined
  const last = blockAt(chain, view.environment.number + Math.max(confirmations, 1) - 1)
  return last === undefined ? undefined : Math.min(nowMs, last.header.timestamp * 1000)
}

/** Ends a wait that this state satisfies, or whose time is over; false if it goes on. */
function settle(state: NodeState, wait: InclusionWait): boolean {
  const { awaited, identity } = wait
  if (awaited.timeoutMs !== undefined) wait.deadlineMs ??= state.nowMs + awaited.timeoutMs
  const { deadlineMs = Number.POSITIVE_INFINITY } = wait
  const included = includedIn(state, wait)
  const atMs = included && confirmedAtMs(state, included, awaited.confirmations)
  if (included !== undefined && atMs !== undefined && atMs <= deadlineMs) {
    const { view, executed } = included
    const block = presentAs({ flavor: 'anvil', pendingIdentity: identity }, view)
    const isReplaced = executed.transaction.hash !== awaited.hash
    wait.resolve({
      receipt: formatReceipt(block, executed),
      transaction: formatTransaction(executed.transaction, { block, index: executed.index }),
      replaced: isReplaced ? formatTransaction(wait.transaction as Transaction, undefined) : undefined,
    })
    return true
  }
  if (state.nowMs < deadlineMs) return false
  wait.reject(undefined)
  return true
}

/** Ends the waits that a state satisfies. */
export function settleInclusions(waits: Set<InclusionWait>, state: NodeState): void {
  for (const wait of waits) if (settle(state, wait)) waits.delete(wait)
}
