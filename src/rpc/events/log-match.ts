// Matching of logs against the addresses and topics of a filter.

import type { SealedBlock } from '../../chain/block/block.ts'
import { mayContain } from '../../execution/transaction/bloom.ts'
import type { ExecutedTransaction, Log } from '../../execution/transaction/receipt.ts'
import type { Hex } from '../../primitives/hex.ts'
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

/** False only if the block certainly has no matching log. */
export function mayMatch({ addresses, topics }: LogCriteria, { header, executed }: SealedBlock): boolean {
  if (executed.length === 0) return false
  const isCandidate = (values: readonly Hex[]): boolean =>
    values.length === 0 || values.some((value) => mayContain(header.logsBloom, value))
  return isCandidate(addresses) && topics.every(isCandidate)
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
