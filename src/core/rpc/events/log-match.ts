// Matching of logs against the addresses and topics of a filter.

import type { SealedBlock } from '../../chain/block/block.ts'
import { logsBloomOf } from '../../chain/history/archived-block.ts'
import { bitsToFind, EMPTY_BLOOM, mayContain } from '../../execution/transaction/bloom.ts'
import type { ExecutedTransaction, Log } from '../../execution/transaction/receipt.ts'
import type { LogFilter } from '../codecs/filter.ts'
import { formatLogs, type RpcLog } from '../format/log.ts'
import type { PresentedBlock } from '../format/present.ts'

/** The part of a filter that concerns logs, not blocks. */
export type LogCriteria = Pick<LogFilter, 'addresses' | 'topics'>

function matches({ addresses, topics }: LogCriteria, log: Log): boolean {
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
    .map((alternatives) => alternatives.map(bitsToFind))
  return (block) => {
    const bloom = logsBloomOf(block)
    if (bloom === EMPTY_BLOOM) return false
    return wanted.every((alternatives) => alternatives.some((bits) => mayContain(bloom, bits)))
  }
}

/** The matching logs of some transactions of a block, in their order. */
export function matchingLogs(
  criteria: LogCriteria,
  block: PresentedBlock,
  executed: readonly ExecutedTransaction[] = block.view.executed,
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
