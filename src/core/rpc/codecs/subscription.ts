// Codecs of the parameters of eth_subscribe.

import { describe } from '../../primitives/text-of.ts'
import type { LogCriteria } from '../events/log-match.ts'
import type { Subscription, SubscriptionKind } from '../events/subscriptions.ts'
import { arrayOf, hash } from './basic.ts'
import { type Codec, refuse } from './codec.ts'
import { FILTER_FIELDS, withAddresses } from './filter.ts'
import { converted, recordCodec, type ValueOf } from './object.ts'

const KINDS: ReadonlySet<unknown> = new Set<SubscriptionKind>([
  'newHeads',
  'logs',
  'newPendingTransactions',
  'syncing',
  'transactionReceipts',
  'newFlashblocks',
  'newFlashblockTransactions',
  'pendingLogs',
])

export function isSubscriptionKind(name: unknown): boolean {
  return KINDS.has(name)
}

export const subscriptionKind: Codec<SubscriptionKind, SubscriptionKind> = {
  name: 'subscription kind',
  decode(value, path) {
    if (!KINDS.has(value))
      refuse(path, `unknown subscription ${describe(value)}, expected one of ${[...KINDS].join(', ')}`)
    return value as SubscriptionKind
  },
}

/** geth's limit. */
const MAX_HASHES = 200

const subscriptionFilter = converted(
  recordCodec({ ...FILTER_FIELDS, transactionHashes: arrayOf(hash, MAX_HASHES) }),
  withAddresses,
)

/** The second parameter: a flag or a filter, depending on the kind. */
export type SubscriptionDetail = boolean | ValueOf<typeof subscriptionFilter>

export const subscriptionDetail: Codec<SubscriptionDetail, boolean | object> = {
  name: 'boolean, or filter of logs or of transactionHashes',
  decode: (value, path) => (typeof value === 'boolean' ? value : subscriptionFilter.decode(value, path)),
}

export const SUBSCRIPTION_FIELDS = [...Object.keys(FILTER_FIELDS), 'transactionHashes']

const EVERYTHING: LogCriteria = { addresses: [], topics: [] }

/** Combines kind and detail; a detail that the kind does not use is ignored, as nodes do. */
export function toSubscription(kind: SubscriptionKind, detail: SubscriptionDetail | undefined): Subscription {
  const filter = typeof detail === 'object' ? detail : undefined
  switch (kind) {
    case 'newHeads':
    case 'syncing':
    case 'newFlashblocks':
      return { kind }
    case 'logs':
    case 'pendingLogs':
      return { kind, criteria: filter ?? EVERYTHING }
    case 'transactionReceipts': {
      const hashes = filter?.transactionHashes ?? []
      // An empty list stands for all, as in geth.
      return { kind, hashes: hashes.length === 0 ? undefined : new Set(hashes) }
    }
    case 'newPendingTransactions':
      return { kind, detail: detail === true ? 'full' : 'hashes' }
    case 'newFlashblockTransactions':
      return { kind, detail: filter ?? (detail === true ? 'full' : 'hashes') }
  }
}
