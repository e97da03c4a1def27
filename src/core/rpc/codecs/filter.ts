// Codec of the log filter object.

import type { Address, Hash } from '../../primitives/hex.ts'
import { address, arrayOf, hash } from './basic.ts'
import { type BlockNumberWire, blockTagOrNumber } from './block.ts'
import { type Codec, refuse, refuseValue } from './codec.ts'
import { converted, or, recordCodec, type ValueOf } from './object.ts'

const MAX_TOPICS = 4
const MAX_ALTERNATIVES = 1000

/** One value or an array of them. */
export function oneOrMany<Value, Wire>(
  item: Codec<Value, Wire>,
): Codec<readonly Value[], Wire | readonly Wire[]> {
  const many = arrayOf(item, MAX_ALTERNATIVES)
  return {
    name: `${item.name} or array of ${item.name}`,
    decode: (value, path) => (Array.isArray(value) ? many.decode(value, path) : [item.decode(value, path)]),
  }
}

const alternatives = oneOrMany(hash)
const optionalHashes = arrayOf<Hash | undefined, unknown>(
  { name: hash.name, decode: (value, path) => (value === null ? undefined : hash.decode(value, path)) },
  MAX_ALTERNATIVES,
)

/** The alternatives of a position. Null stands for any topic, among others too, as for geth. */
function topic(value: unknown, path: string): readonly Hash[] {
  if (!Array.isArray(value)) return value === null ? [] : alternatives.decode(value, path)
  const hashes = optionalHashes.decode(value, path)
  return hashes.includes(undefined) ? [] : hashes.filter((each) => each !== undefined)
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
export const FILTER_FIELDS = {
  fromBlock: blockTagOrNumber,
  toBlock: blockTagOrNumber,
  blockHash: hash,
  /** Any of these; empty matches every address. */
  address: or(oneOrMany(address), NO_ADDRESSES),
  /** Per position any of these; empty matches every topic. */
  topics: or(topics, []),
}

/** A filter with its addresses, of which the wire may have one. */
export function withAddresses<Fields extends { readonly address: readonly Address[] }>({
  address: addresses,
  ...fields
}: Fields) {
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
