// Codecs of the parameters of eth_subscribe.

import type { Hash } from '../../primitives/hex.ts'
import { describe } from '../../primitives/text-of.ts'
import type { LogCriteria } from '../events/log-match.ts'
import type { Subscription, SubscriptionKind } from '../events/subscriptions.ts'
import { arrayOf, asFields, field, hash } from './basic.ts'
import { type Codec, refuse } from './codec.ts'
import { decodeFilter, FILTER_FIELDS } from './filter.ts'

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

interface SubscriptionFilter extends LogCriteria {
  readonly transactionHashes: readonly Hash[] | undefined
}

/** The second parameter: a flag or a filter, depending on the kind. */
export type SubscriptionDetail = boolean | SubscriptionFilter

/** geth's limit. */
const MAX_HASHES = 200

export const subscriptionDetail: Codec<SubscriptionDetail, boolean | object> = {
  name: 'boolean, or filter of logs or of transactionHashes',
  decode(value, path) {
    if (typeof value === 'boolean') return value
    const record = asFields(value, path, [...FILTER_FIELDS, 'transactionHashes'])
    const transactionHashes = field(record, 'transactionHashes', arrayOf(hash, MAX_HASHES), path)
    return { ...decodeFilter(record, path), transactionHashes }
  },
}

const EVERYTHING: LogCriteria = { addresses: [], topics: [] }

function criteriaOf(detail: SubscriptionDetail | undefined): LogCriteria {
  return typeof detail === 'object' ? detail : EVERYTHING
}

function hashesOf(detail: SubscriptionDetail | undefined): ReadonlySet<Hash> | undefined {
  const hashes = typeof detail === 'object' ? detail.transactionHashes : undefined
  // An empty list stands for all, as in geth.
  return hashes === undefined || hashes.length === 0 ? undefined : new Set(hashes)
}

/** Combines kind and detail; a detail that the kind does not use is ignored, as nodes do. */
export function toSubscription(kind: SubscriptionKind, detail: SubscriptionDetail | undefined): Subscription {
  switch (kind) {
    case 'newHeads':
    case 'syncing':
    case 'newFlashblocks':
      return { kind }
    case 'logs':
    case 'pendingLogs':
      return { kind, criteria: criteriaOf(detail) }
    case 'transactionReceipts':
      return { kind, hashes: hashesOf(detail) }
    case 'newPendingTransactions':
      return { kind, detail: detail === true ? 'full' : 'hashes' }
    case 'newFlashblockTransactions':
      return { kind, detail: typeof detail === 'object' ? detail : detail === true ? 'full' : 'hashes' }
  }
}
