// Subscriptions. Messages are EIP-1193 `message` events, sent before the request that caused them resolves.

import { unchanged } from '../../node/events.ts'
import { failure } from '../../primitives/errors.ts'
import type { Hex } from '../../primitives/hex.ts'
import { describe } from '../../primitives/text-of.ts'
import { type Codec, optional, refuse, required } from '../codecs/codec.ts'
import { subscriptionDetail, subscriptionKind, toSubscription } from '../codecs/subscription.ts'
import { addSubscription, endSubscriptions, nextSubscriptionId } from '../events/subscriptions.ts'
import { defineCommand } from '../method.ts'

export const eth_subscribe = defineCommand({
  summary:
    'Subscribes to newHeads, logs, newPendingTransactions, transactionReceipts, syncing, newFlashblocks, newFlashblockTransactions or pendingLogs.',
  params: [required('kind', subscriptionKind), optional('detail', subscriptionDetail, undefined)],
  result: 'subscription id',
  example: { params: ['newFlashblocks'] },
  handle({ node, canPush, subscriptions, emit, tellSubscribed }, kind, detail) {
    if (!canPush) throw failure('notificationsNotSupported')
    return node.execute((state) => {
      const subscription = toSubscription(kind, detail)
      const id = nextSubscriptionId(subscriptions)
      const effects = [() => addSubscription(subscriptions, subscription, emit), () => tellSubscribed?.(id)]
      // The chain is never behind its peers: the only message about syncing is sent at once.
      if (kind === 'syncing')
        effects.push(() => emit({ type: 'eth_subscription', data: { subscription: id, result: false } }))
      return { ...unchanged(state), effects, result: id }
    })
  },
})

const subscriptionId: Codec<Hex, string> = {
  name: 'subscription id',
  decode(value, path) {
    if (typeof value !== 'string') refuse(path, `expected a subscription id, got ${describe(value)}`)
    return value as Hex
  },
}

export const eth_unsubscribe = defineCommand({
  summary: 'Ends a subscription.',
  params: [required('id', subscriptionId)],
  result: 'true, or false if the connection has no such subscription',
  example: { params: ['0x1'] },
  handle: ({ node, subscriptions, emit }, id) =>
    node.execute((state) => ({
      ...unchanged(state),
      effects: [() => endSubscriptions(subscriptions, emit, [id])],
      result: subscriptions.idsOf.get(emit)?.has(id) === true,
    })),
})
