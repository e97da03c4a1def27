// Subscriptions. Ids are counters, so that a replay gives the same ones.

import { type Hex, toQuantity } from '../../primitives/hex.ts'
import type { Subscription } from '../codecs/filter.ts'

/** The payload of an EIP-1193 `message` event. */
export interface SubscriptionMessage {
  readonly type: 'eth_subscription'
  readonly data: { readonly subscription: Hex; readonly result: unknown }
}

/** Takes the messages of those subscriptions that were made through it: of the emulator itself, or of a connection. */
export type Receiver = (message: SubscriptionMessage) => void

type HeldSubscription = Subscription & { readonly receiver: Receiver }

/** The subscriptions of an emulator and all connections to it, in the order in which they began. */
export interface SubscriptionTable {
  readonly subscriptions: Map<Hex, HeldSubscription>
  /** The ids of each receiver, so that closing a connection does not visit those of all others. */
  readonly idsOf: Map<Receiver, Set<Hex>>
  lastId: number
}

export function nextSubscriptionId({ lastId }: SubscriptionTable): Hex {
  return toQuantity(lastId + 1)
}

export function addSubscription(
  table: SubscriptionTable,
  subscription: Subscription,
  receiver: Receiver,
): void {
  const id = nextSubscriptionId(table)
  const ids = table.idsOf.get(receiver) ?? new Set()
  table.subscriptions.set(id, { ...subscription, receiver })
  table.idsOf.set(receiver, ids.add(id))
  table.lastId++
}

/** Ends subscriptions of a receiver. */
export function endSubscriptions(
  { subscriptions, idsOf }: SubscriptionTable,
  receiver: Receiver,
  ended: Iterable<Hex> = idsOf.get(receiver) ?? [],
): void {
  const ids = idsOf.get(receiver)
  for (const id of ended) if (ids?.delete(id) === true) subscriptions.delete(id)
  if (ids?.size === 0) idsOf.delete(receiver)
}

/** Sends the results of the subscriptions of a kind, oldest first. */
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
