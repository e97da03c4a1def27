// Filters, which gather events until a client polls them. They never expire. Ids are counters, so that a replay gives
// the same ones.

import { blocksBetween, type Chain } from '../../chain/chain.ts'
import { lastShared } from '../../node/control/replace-state.ts'
import type { NodeEvent } from '../../node/events.ts'
import type { Hash } from '../../primitives/hex.ts'
import type { LogFilter } from '../codecs/filter.ts'
import type { RpcLog } from '../format/log.ts'
import type { RpcTransaction } from '../format/transaction.ts'

/** Blocks of a chain, possibly a million: their hashes are computed when the filter is polled. */
interface BlockRange {
  readonly chain: Chain
  readonly from: number
  readonly to: number
}

/** A filter with what it has gathered since the last poll. */
export type Filter =
  | { readonly kind: 'logs'; readonly filter: LogFilter; readonly gathered: RpcLog[] }
  | { readonly kind: 'blocks'; readonly gathered: (Hash | BlockRange)[] }
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

/** Starts a filter under the next id, `lastId` afterwards. */
export function addFilter(table: FilterTable, filter: Filter): void {
  table.lastId++
  table.filters.set(table.lastId, filter)
}

/** The blocks that an event added to the chain. */
function addedBlocks(event: NodeEvent): Hash | BlockRange | undefined {
  switch (event.type) {
    case 'blockSealed':
      return event.block.hash
    case 'quietPassed': {
      const to = event.chain.head.header.number
      return { chain: event.chain, from: to - event.count + 1, to }
    }
    case 'stateReplaced': {
      const { chain } = event.to
      return { chain, from: lastShared(event.from.chain, chain) + 1, to: chain.head.header.number }
    }
    default:
      return undefined
  }
}

/** Adds the blocks of an event to the block filters, without building any of them. */
export function gatherBlocks({ filters }: FilterTable, event: NodeEvent): void {
  const gathering = [...filters.values()].filter((filter) => filter.kind === 'blocks')
  const brought = gathering.length === 0 ? undefined : addedBlocks(event)
  if (brought === undefined || (typeof brought === 'object' && brought.from > brought.to)) return
  for (const { gathered } of gathering) gathered.push(brought)
}

function* hashesOf(gathered: readonly (Hash | BlockRange)[]): IterableIterator<Hash> {
  for (const each of gathered) {
    if (typeof each === 'string') yield each
    else for (const { hash } of blocksBetween(each.chain, each.from, each.to)) yield hash
  }
}

/** The events that a filter has gathered since it was last emptied. */
export function changesOf(filter: Filter): readonly unknown[] {
  return filter.kind === 'blocks' ? [...hashesOf(filter.gathered)] : [...filter.gathered]
}

export function emptyFilter({ gathered }: Filter): void {
  gathered.length = 0
}
