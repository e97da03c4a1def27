// Codec of the log filter object.

import type { BlockTag } from '../../node/lookup.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import { address, arrayOf, asFields, type Fields, field, hash } from './basic.ts'
import { type BlockNumberWire, blockTagOrNumber } from './block.ts'
import { type Codec, refuse, refuseValue } from './codec.ts'

export interface LogFilter {
  readonly fromBlock: BlockTag | number | undefined
  readonly toBlock: BlockTag | number | undefined
  readonly blockHash: Hash | undefined
  /** Any of these; empty matches every address. */
  readonly addresses: readonly Address[]
  /** Per position any of these; empty matches every topic. */
  readonly topics: readonly (readonly Hash[])[]
}

export interface LogFilterWire {
  readonly fromBlock?: BlockNumberWire | null
  readonly toBlock?: BlockNumberWire | null
  readonly blockHash?: string | null
  readonly address?: string | readonly string[] | null
  readonly topics?: readonly (string | readonly string[] | null)[] | null
}

const MAX_TOPICS = 4
const MAX_ALTERNATIVES = 1000

/** One value or an array of them. */
function oneOrMany<Value>(item: Codec<Value>): Codec<Value[]> {
  const many = arrayOf(item, MAX_ALTERNATIVES)
  return {
    name: `${item.name} or array of ${item.name}`,
    decode: (value, path) => (Array.isArray(value) ? many.decode(value, path) : [item.decode(value, path)]),
  }
}

const addresses = oneOrMany(address)
const alternatives = oneOrMany(hash)
const optionalHashes = arrayOf<Hash | undefined, unknown>(
  { name: hash.name, decode: (value, path) => (value === null ? undefined : hash.decode(value, path)) },
  MAX_ALTERNATIVES,
)

/** The alternatives of a position. Null stands for any topic, among others too, as for geth. */
function topic(value: unknown, path: string): Hash[] {
  if (!Array.isArray(value)) return value === null ? [] : alternatives.decode(value, path)
  const hashes = optionalHashes.decode(value, path)
  return hashes.includes(undefined) ? [] : hashes.filter((each) => each !== undefined)
}

const topics: Codec<Hash[][]> = {
  name: 'topics',
  decode(value, path) {
    if (!Array.isArray(value)) refuseValue(path, 'an array', value)
    if (value.length > MAX_TOPICS)
      refuse(path, `exceeded maximum topics len: ${value.length} of ${MAX_TOPICS}`)
    return Array.from(value, (position: unknown, index) => topic(position, `${path}[${index}]`))
  },
}

export const FILTER_FIELDS = ['fromBlock', 'toBlock', 'blockHash', 'address', 'topics'] as const

/** The filter in fields that were checked. */
export function decodeFilter(record: Fields<(typeof FILTER_FIELDS)[number]>, path: string): LogFilter {
  return {
    fromBlock: field(record, 'fromBlock', blockTagOrNumber, path),
    toBlock: field(record, 'toBlock', blockTagOrNumber, path),
    blockHash: field(record, 'blockHash', hash, path),
    addresses: field(record, 'address', addresses, path) ?? [],
    topics: field(record, 'topics', topics, path) ?? [],
  }
}

export const logFilter: Codec<LogFilter, LogFilterWire> = {
  name: 'filter',
  decode: (value, path) => decodeFilter(asFields(value, path, FILTER_FIELDS), path),
}
