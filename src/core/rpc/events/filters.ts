// Matching of logs; filters, which never expire. Ids are counters, so that a replay gives the same ones.

import type { SealedBlock } from '../../chain/block/block.ts'
import { blocksBetween, type Chain } from '../../chain/chain.ts'
import { logsBloomOf } from '../../chain/history/archived-block.ts'
import * as transactions from '../../execution/transaction/transaction.ts'
import { lastShared } from '../../node/control/replace-state.ts'
import type { NodeEvent } from '../../node/events.ts'
import type { Hash } from '../../primitives/hex.ts'
import type { LogCriteria, LogFilter } from '../codecs/filter.ts'
import { formatLogs, type PresentedBlock, type RpcLog } from '../format/receipt.ts'
import type { RpcTransaction } from '../format/transaction.ts'

function matches({ addresses, topics }: LogCriteria, log: transactions.Log): boolean {
  if (addresses.length > 0 && !addresses.includes(log.address)) return false
  return topics.every((alternatives, position) => {
    // Any topic, and none: as deployed nodes have it, not geth.
    if (alternatives.length === 0) return true
    const topic = log.topics[position]
    return topic !== undefined && alternatives.includes(topic)
  })
}

/** A test of blocks that decodes none of them; false only if a block certainly has no matching log. */
export function blockFilter({ addresses, topics }: LogCriteria): (block: SealedBlock) => boolean {
  const wanted = [addresses, ...topics]
    .filter((alternatives) => alternatives.length > 0)
    .map((alternatives) => alternatives.map(transactions.bitsToFind))
  return (block) => {
    const bloom = logsBloomOf(block)
    if (bloom === transactions.EMPTY_BLOOM) return false
    return wanted.every((alternatives) => alternatives.some((bits) => transactions.mayContain(bloom, bits)))
  }
}

export function matchingLogs(
  criteria: LogCriteria,
  block: PresentedBlock,
  executed: readonly transactions.ExecutedTransaction[] = block.view.executed,
): RpcLog[] {
  return executed.flatMap((each) =>
    formatLogs(block, each, each.receipt.logs, (log) => matches(criteria, log)),
  )
}

/** The matching logs of an orphaned block as `removed`, last first. */
export function removedLogs(criteria: LogCriteria, block: PresentedBlock): RpcLog[] {
  return matchingLogs(criteria, block)
    .map((log) => ({ ...log, removed: true }))
    .reverse()
}

/** Hashes are computed at a poll. Consecutive blocks are one range, because a held chain is not archived. */
interface BlockRange {
  readonly chain: Chain
  readonly from: number
  readonly to: number
}

export type Filter =
  | { readonly kind: 'logs'; readonly filter: LogFilter; readonly gathered: RpcLog[] }
  | { readonly kind: 'blocks'; readonly gathered: BlockRange[] }
  | {
      readonly kind: 'pendingTransactions'
      readonly detail: 'hashes' | 'full'
      readonly gathered: (Hash | RpcTransaction)[]
    }

export interface FilterTable {
  readonly filters: Map<number, Filter>
  lastId: number
}

export function addFilter(table: FilterTable, filter: Filter): void {
  table.filters.set(++table.lastId, filter)
}

function addedBlocks(event: NodeEvent): BlockRange | undefined {
  if (event.type === 'blockSealed') {
    const { number } = event.block.header
    return { chain: event.state.chain, from: number, to: number }
  }
  if (event.type === 'emptyBlocksAdvanced') {
    const to = event.chain.head.header.number
    return { chain: event.chain, from: to - event.count + 1, to }
  }
  if (event.type !== 'stateReplaced') return undefined
  const { chain } = event.to
  return { chain, from: lastShared(event.from.chain, chain) + 1, to: chain.head.header.number }
}

/** Adds the blocks of an event to the block filters, without building any of them. */
export function gatherBlocks({ filters }: FilterTable, event: NodeEvent): void {
  if (filters.size === 0) return
  const gathering = [...filters.values()].filter((filter) => filter.kind === 'blocks')
  const added = gathering.length === 0 ? undefined : addedBlocks(event)
  if (added === undefined || added.from > added.to) return
  for (const { gathered } of gathering) {
    const last = gathered.at(-1)
    // If they follow the last ones, their chain contains these as well.
    if (last === undefined || last.to !== added.from - 1) gathered.push(added)
    else gathered[gathered.length - 1] = { ...added, from: last.from }
  }
}

export function filterChanges(filter: Filter): readonly unknown[] {
  if (filter.kind !== 'blocks') return [...filter.gathered]
  return filter.gathered.flatMap(({ chain, from, to }) =>
    Array.from(blocksBetween(chain, from, to), ({ hash }) => hash),
  )
}
