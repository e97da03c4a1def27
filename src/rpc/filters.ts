// Filters: what has happened since a client last asked. They fill as events are published; nothing expires by
// time, for there is none. Ids are counters, so that a replay gives the same ones.

import type { Hash } from '../primitives/hex.ts'
import type { LogFilter } from './codecs/filter.ts'
import type { RpcLog } from './format/log.ts'
import type { RpcTransaction } from './format/transaction.ts'

/** A filter with what it has gathered since the last poll. */
export type Filter =
  | { readonly kind: 'logs'; readonly filter: LogFilter; readonly gathered: RpcLog[] }
  | { readonly kind: 'blocks'; readonly gathered: Hash[] }
  | {
      readonly kind: 'pendingTransactions'
      readonly detail: 'hashes' | 'full'
      readonly gathered: (Hash | RpcTransaction)[]
    }

export interface FilterTable {
  readonly filters: Map<number, Filter>
  lastId: number
}

export function createFilterTable(): FilterTable {
  return { filters: new Map(), lastId: 0 }
}

export function addFilter(table: FilterTable, filter: Filter): number {
  table.lastId++
  table.filters.set(table.lastId, filter)
  return table.lastId
}

/** Empties a filter and gives what it had. */
export function takeChanges(filter: Filter): readonly unknown[] {
  return filter.gathered.splice(0)
}
