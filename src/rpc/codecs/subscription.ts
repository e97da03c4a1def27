// The parameters of eth_subscribe.

import type { LogCriteria } from '../log-match.ts'
import type { Subscription, SubscriptionKind } from '../subscriptions.ts'
import { type Codec, describe, refuse } from './codec.ts'
import { logFilter } from './filter.ts'

const KINDS: ReadonlySet<unknown> = new Set<SubscriptionKind>([
  'newHeads',
  'logs',
  'newPendingTransactions',
  'syncing',
  'newFlashblocks',
  'newFlashblockTransactions',
  'pendingLogs',
])

export const subscriptionKind: Codec<SubscriptionKind, SubscriptionKind> = {
  name: 'subscription kind',
  decode(value, path) {
    if (!KINDS.has(value))
      refuse(path, `unknown subscription ${describe(value)}, expected one of ${[...KINDS].join(', ')}`)
    return value as SubscriptionKind
  },
}

/** The second parameter: a flag or a filter, as the kind has it. */
export type SubscriptionDetail = boolean | LogCriteria

export const subscriptionDetail: Codec<SubscriptionDetail, boolean | object> = {
  name: 'boolean or filter',
  decode: (value, path) => (typeof value === 'boolean' ? value : logFilter.decode(value, path)),
}

const EVERYTHING: LogCriteria = { addresses: [], topics: [] }

function criteriaOf(detail: SubscriptionDetail | undefined): LogCriteria {
  return typeof detail === 'object' ? detail : EVERYTHING
}

/** Puts kind and detail together; a detail that a kind has no use for is passed over, as nodes do. */
export function toSubscription(kind: SubscriptionKind, detail: SubscriptionDetail | undefined): Subscription {
  switch (kind) {
    case 'newHeads':
    case 'syncing':
    case 'newFlashblocks':
      return { kind }
    case 'logs':
    case 'pendingLogs':
      return { kind, criteria: criteriaOf(detail) }
    case 'newPendingTransactions':
      return { kind, detail: detail === true ? 'full' : 'hashes' }
    case 'newFlashblockTransactions':
      return { kind, detail: typeof detail === 'object' ? detail : detail === true ? 'full' : 'hashes' }
  }
}
