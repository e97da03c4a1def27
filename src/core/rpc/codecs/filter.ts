// Codecs of the log filter object, and of the parameters of eth_subscribe.

import type { Address, Hash } from '../../primitives/hex.ts'
import { describe } from '../../primitives/text-of.ts'
import { address, arrayOf, type BlockNumberWire, blockTagOrNumber, hash } from './basic.ts'
import { type Codec, refuse, refuseValue } from './codec.ts'
import { converted, or, recordCodec, type ValueOf } from './object.ts'

const MAX_TOPICS = 4
const MAX_ALTERNATIVES = 1000

export function oneOrMany<Value, Wire>(
  item: Codec<Value, Wire>,
): Codec<readonly Value[], Wire | readonly Wire[]> {
  const many = arrayOf(item, MAX_ALTERNATIVES)
  return {
    name: `${item.name} or array of ${item.name}`,
    decode: (value, path) => (Array.isArray(value) ? many.decode(value, path) : [item.decode(value, path)]),
  }
}

const optionalHash: Codec<Hash | null> = {
  name: hash.name,
  decode: (value, path) => (value === null ? value : hash.decode(value, path)),
}
const alternatives = oneOrMany(optionalHash)

/** The alternatives of a position. Null stands for any topic, among others too, as for geth. */
function topic(value: unknown, path: string): readonly Hash[] {
  const hashes = alternatives.decode(value, path)
  return hashes.includes(null) ? [] : hashes.filter((each) => each !== null)
}

const topics: Codec<readonly (readonly Hash[])[], readonly (string | readonly string[] | null)[]> = {
  name: 'topics',
  decode(value, path) {
    if (!Array.isArray(value)) refuseValue(path, 'an array', value)
    if (value.length > MAX_TOPICS)
      refuse(path, `exceeded maximum topics len: ${value.length} of ${MAX_TOPICS}`)
    return Array.from(value, (position: unknown, index) => topic(position, `${path}[${index}]`))
  },
}

const NO_ADDRESSES: readonly Address[] = []
const FILTER_FIELDS = {
  fromBlock: blockTagOrNumber,
  toBlock: blockTagOrNumber,
  blockHash: hash,
  /** Any of these; empty matches every address. */
  address: or(oneOrMany(address), NO_ADDRESSES),
  /** Per position any of these; empty matches every topic. */
  topics: or(topics, []),
}

/** A filter with its addresses, of which the wire may have one. */
function withAddresses<Fields extends { readonly address: readonly Address[] }>(given: Fields) {
  const { address: addresses, ...fields } = given
  return { ...fields, addresses }
}

const filter = converted(recordCodec(FILTER_FIELDS, 'filter'), withAddresses)

export type LogFilter = ValueOf<typeof filter>

export interface LogFilterWire {
  readonly fromBlock?: BlockNumberWire | null
  readonly toBlock?: BlockNumberWire | null
  readonly blockHash?: string | null
  readonly address?: string | readonly string[] | null
  readonly topics?: readonly (string | readonly string[] | null)[] | null
}

export const logFilter: Codec<LogFilter, LogFilterWire> = filter

export type LogCriteria = Pick<LogFilter, 'addresses' | 'topics'>

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

export function isSubscriptionKind(name: unknown): name is SubscriptionKind {
  return KINDS.has(name)
}

export const subscriptionKind: Codec<SubscriptionKind, SubscriptionKind> = {
  name: 'subscription kind',
  decode(value, path) {
    const expected = `expected one of ${[...KINDS].join(', ')}`
    return isSubscriptionKind(value)
      ? value
      : refuse(path, `unknown subscription ${describe(value)}, ${expected}`)
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
