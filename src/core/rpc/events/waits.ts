// Subscriptions, and waits on the virtual clock, which end while the events of the call that satisfies them are
// delivered. Ids are counters, so that a replay gives the same ones.

import { blockAt } from '../../chain/chain.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import type { Effect } from '../../node/events.ts'
import { findBySenderAndNonce, findTransaction, type IncludedTransaction } from '../../node/lookup.ts'
import { type NodeState, pendingWorld } from '../../node/node-state.ts'
import { failure } from '../../primitives/errors.ts'
import { type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import { readAccount } from '../../state/world-state.ts'
import type { Subscription } from '../codecs/filter.ts'
import { formatReceipt, presentAs, type RpcReceipt } from '../format/receipt.ts'
import { formatTransaction, type RpcTransaction } from '../format/transaction.ts'

/** The payload of an EIP-1193 `message` event. */
export interface SubscriptionMessage {
  readonly type: 'eth_subscription'
  readonly data: { readonly subscription: Hex; readonly result: unknown }
}

/** Takes the messages of those subscriptions that were made through it: of the emulator itself, or of a connection. */
export type Receiver = (message: SubscriptionMessage) => void

type HeldSubscription = Subscription & { readonly receiver: Receiver }

export interface SubscriptionTable {
  readonly subscriptions: Map<Hex, HeldSubscription>
  /** The ids of each receiver, so that closing a connection does not visit those of all others. */
  readonly idsOf: Map<Receiver, Set<Hex>>
  lastId: number
}

export function nextSubscriptionId({ lastId }: SubscriptionTable): Hex {
  return toQuantity(lastId + 1)
}

export function addSubscription(table: SubscriptionTable, subscription: Subscription, receiver: Receiver) {
  const id = nextSubscriptionId(table)
  const ids = table.idsOf.get(receiver) ?? new Set()
  table.subscriptions.set(id, { ...subscription, receiver })
  table.idsOf.set(receiver, ids.add(id))
  table.lastId++
}

export function endSubscriptions(
  { subscriptions, idsOf }: SubscriptionTable,
  receiver: Receiver,
  ended: Iterable<Hex> = idsOf.get(receiver) ?? [],
): void {
  const ids = idsOf.get(receiver)
  for (const id of ended) if (ids?.delete(id) === true) subscriptions.delete(id)
  if (ids?.size === 0) idsOf.delete(receiver)
}

export function publish<Kind extends Subscription['kind']>(
  { subscriptions }: SubscriptionTable,
  kind: Kind,
  resultsOf: (subscription: Extract<Subscription, { readonly kind: Kind }>) => readonly unknown[],
): void {
  for (const [id, held] of subscriptions) {
    if (held.kind !== kind) continue
    for (const result of resultsOf(held as HeldSubscription & Extract<Subscription, { readonly kind: Kind }>))
      held.receiver({ type: 'eth_subscription', data: { subscription: id, result } })
  }
}

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
export function holdAnswer(held: Set<HeldAnswer>, deadlineMs: number) {
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

export interface AwaitedInclusion {
  readonly hash: Hash
  /**
   * 0 and 1: until it is in a block or pre-confirmed. More: until so many sealed blocks have confirmed it. With 0 it must
   * be there before the clock has passed the time-out, with 1 its block must be of before.
   */
  readonly confirmations: number
  /** True if another transaction of the sender with the same nonce ends the wait, too. */
  readonly followsReplacement: boolean
  /** Virtual milliseconds from the start of the wait; `undefined` for no end. */
  readonly timeoutMs: number | undefined
}

export interface InclusionOutcome {
  readonly receipt: RpcReceipt
  readonly transaction: RpcTransaction
  readonly replaced: RpcTransaction | undefined
}

export interface InclusionWait extends Wait {
  readonly awaited: AwaitedInclusion
  readonly shownAs: Parameters<typeof presentAs>[0]
  readonly resolve: (outcome: InclusionOutcome) => void
  /** Called with `undefined` when the time is over. */
  readonly reject: (error: unknown) => void
  /** Set once the transaction has been seen. */
  transaction: Transaction | undefined
}

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
function confirmedAtMs({ chain, nowMs }: NodeState, { view }: IncludedTransaction, confirmations: number) {
  if (confirmations === 0) return nowMs
  if (view.isPending) return confirmations === 1 ? nowMs : undefined
  const last = blockAt(chain, view.environment.number + confirmations - 1)
  return last === undefined ? undefined : Math.min(nowMs, last.header.timestamp * 1000)
}

/** Ends a wait that this state satisfies, or whose time is over; false if it goes on. */
function settle(state: NodeState, wait: InclusionWait): boolean {
  const { awaited, shownAs } = wait
  if (awaited.timeoutMs !== undefined) wait.deadlineMs ??= state.nowMs + awaited.timeoutMs
  const { deadlineMs = Number.POSITIVE_INFINITY } = wait
  const included = includedIn(state, wait)
  const atMs = included && confirmedAtMs(state, included, awaited.confirmations)
  if (included !== undefined && atMs !== undefined && atMs <= deadlineMs) {
    const { transaction, index } = included.executed
    const block = presentAs(shownAs, included.view)
    const isReplaced = transaction.hash !== awaited.hash
    wait.resolve({
      receipt: formatReceipt(block, included.executed),
      transaction: formatTransaction(transaction, { block, index }),
      replaced: isReplaced ? formatTransaction(wait.transaction as Transaction, undefined) : undefined,
    })
    return true
  }
  if (state.nowMs < deadlineMs) return false
  wait.reject(undefined)
  return true
}

export function settleInclusions(waits: Set<InclusionWait>, state: NodeState): void {
  for (const wait of waits) if (settle(state, wait)) waits.delete(wait)
}
