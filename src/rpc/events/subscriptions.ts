// Subscriptions. Ids are counters, so that a replay gives the same ones.

import { type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import type { LogCriteria } from './log-match.ts'

/** The payload of an EIP-1193 `message` event. */
export interface SubscriptionMessage {
  readonly type: 'eth_subscription'
  readonly data: { readonly subscription: Hex; readonly result: unknown }
}

/** A kind of events with its parameter. */
export type Subscription =
  | { readonly kind: 'newHeads' }
  | { readonly kind: 'logs'; readonly criteria: LogCriteria }
  | { readonly kind: 'newPendingTransactions'; readonly detail: 'hashes' | 'full' }
  | { readonly kind: 'syncing' }
  /** `undefined` for the receipts of all transactions. */
  | { readonly kind: 'transactionReceipts'; readonly hashes: ReadonlySet<Hash> | undefined }
  | { readonly kind: 'newFlashblocks' }
  | { readonly kind: 'newFlashblockTransactions'; readonly detail: 'hashes' | 'full' | LogCriteria }
  | { readonly kind: 'pendingLogs'; readonly criteria: LogCriteria }

export type SubscriptionKind = Subscription['kind']

/** Takes the messages of those subscriptions that were made through it: of the emulator itself, or of a connection. */
export type Receiver = (message: SubscriptionMessage) => void

export type HeldSubscription = Subscription & { readonly receiver: Receiver }

/** The subscriptions of an emulator and all connections to it, in the order in which they began. */
export interface SubscriptionTable {
  readonly subscriptions: Map<Hex, HeldSubscription>
  lastId: number
}

export function createSubscriptionTable(): SubscriptionTable {
  return { subscriptions: new Map(), lastId: 0 }
}

export function nextSubscriptionId({ lastId }: SubscriptionTable): Hex {
  return toQuantity(lastId + 1)
}

export function addSubscription(
  table: SubscriptionTable,
  subscription: Subscription,
  receiver: Receiver,
): void {
  table.subscriptions.set(nextSubscriptionId(table), { ...subscription, receiver })
  table.lastId++
}

/** Ends all subscriptions of a receiver. */
export function endSubscriptions({ subscriptions }: SubscriptionTable, receiver: Receiver): void {
  for (const [id, subscription] of subscriptions)
    if (subscription.receiver === receiver) subscriptions.delete(id)
}

/** The subscriptions of a kind, oldest first. */
export function* subscriptionsTo<Kind extends SubscriptionKind>(
  { subscriptions }: SubscriptionTable,
  kind: Kind,
): IterableIterator<[Hex, Extract<HeldSubscription, { kind: Kind }>]> {
  for (const [id, subscription] of subscriptions) {
    if (subscription.kind === kind) yield [id, subscription as Extract<HeldSubscription, { kind: Kind }>]
  }
}
