// Codec of the log filter object.

import type { BlockTag } from '../../node/lookup.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import { address, arrayOf, asRecord, field, hash } from './basic.ts'
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

const topics: Codec<Hash[][]> = {
  name: 'topics',
  decode(value, path) {
    if (!Array.isArray(value)) refuseValue(path, 'an array', value)
    if (value.length > MAX_TOPICS)
      refuse(path, `exceeded maximum topics len: ${value.length} of ${MAX_TOPICS}`)
    return Array.from(value, (position: unknown, index) =>
      position === null ? [] : alternatives.decode(position, `${path}[${index}]`),
    )
  },
}

export const logFilter: Codec<LogFilter, LogFilterWire> = {
  name: 'filter',
  decode(value, path) {
    const record = asRecord(value, path)
    return {
      fromBlock: field(record, 'fromBlock', blockTagOrNumber, path),
      toBlock: field(record, 'toBlock', blockTagOrNumber, path),
      blockHash: field(record, 'blockHash', hash, path),
      addresses: field(record, 'address', addresses, path) ?? [],
      topics: field(record, 'topics', topics, path) ?? [],
    }
  },
}
