// Which logs a filter means: ranges and tags as reference nodes of the specification read them.

import type { SealedBlock } from '../chain/block.ts'
import { mayContain } from '../chain/bloom.ts'
import { type BlockView, viewOfSealed } from '../chain/view.ts'
import type { Log } from '../execution/receipt.ts'
import { findBlock, numberOfTag, requireBlock } from '../node/lookup.ts'
import type { NodeState } from '../node/node-state.ts'
import { failure } from '../primitives/errors.ts'
import type { LogFilter } from './codecs/filter.ts'
import { formatLog, type RpcLog } from './format/log.ts'
import type { ReadContext } from './method.ts'

function matches({ addresses, topics }: LogFilter, log: Log): boolean {
  if (addresses.length > 0 && !addresses.includes(log.address)) return false
  return topics.every((alternatives, position) => {
    const topic = log.topics[position]
    return topic !== undefined && (alternatives.length === 0 || alternatives.includes(topic))
  })
}

/** False only if the block certainly has no matching log. */
function mayMatch({ addresses, topics }: LogFilter, { header, executed }: SealedBlock): boolean {
  if (executed.length === 0) return false
  const isCandidate = (values: readonly `0x${string}`[]): boolean =>
    values.length === 0 || values.some((value) => mayContain(header.logsBloom, value))
  return isCandidate(addresses) && topics.every(isCandidate)
}

function logsOfView(filter: LogFilter, view: BlockView): RpcLog[] {
  return view.executed.flatMap((executed) =>
    executed.receipt.logs.flatMap((log, position) =>
      matches(filter, log) ? [formatLog(view, executed, log, position)] : [],
    ),
  )
}

function logsOfRange(filter: LogFilter, state: NodeState, from: number, to: number): RpcLog[] {
  const logs: RpcLog[] = []
  for (let number = from; number <= to; number++) {
    const block = state.chain.blocks.get(number)
    if (block !== undefined && mayMatch(filter, block)) {
      for (const log of logsOfView(filter, viewOfSealed(block))) logs.push(log)
    }
  }
  return logs
}

type Bound = LogFilter['fromBlock']

/** Numbers stand for themselves, tags for the sealed block that they mean. */
function numberOf(state: NodeState, bound: Exclude<Bound, 'pending' | undefined>): number {
  return typeof bound === 'number' ? bound : numberOfTag(state, bound)
}

/** `pending` as the start of a range that does not end there: the range is empty, or the head. */
function sealedLogsFromPending(filter: LogFilter, state: NodeState, head: number): RpcLog[] {
  const { toBlock } = filter
  if (toBlock === undefined) return logsOfRange(filter, state, head, head)
  if (typeof toBlock !== 'number') return []
  if (toBlock > head) throw failure('blockRangeBeyondHead')
  return toBlock === head ? logsOfRange(filter, state, head, head) : []
}

function sealedLogs(filter: LogFilter, state: NodeState): RpcLog[] {
  const head = state.chain.head.header.number
  const { fromBlock, toBlock } = filter
  if (fromBlock === 'pending') return sealedLogsFromPending(filter, state, head)
  const from = fromBlock === undefined ? head : numberOf(state, fromBlock)
  const to = toBlock === undefined || toBlock === 'pending' ? head : numberOf(state, toBlock)
  if (to > head) throw failure('blockRangeBeyondHead')
  // A start beyond the head is not an error where the range has no end of its own.
  const isOpenEnded = toBlock === undefined || toBlock === 'latest' || toBlock === 'pending'
  if (from > to && !isOpenEnded) throw failure('blockRangeReversed')
  return logsOfRange(filter, state, from, to)
}

/** The logs that a filter means, oldest first. */
export function queryLogs({ config, state }: ReadContext, filter: LogFilter): RpcLog[] {
  if (filter.blockHash !== undefined) {
    return logsOfView(filter, requireBlock(config, state, { blockHash: filter.blockHash }))
  }
  if (filter.toBlock !== 'pending') return sealedLogs(filter, state)
  const pending = findBlock(config, state, 'pending') as BlockView
  const sealed = filter.fromBlock === 'pending' ? [] : sealedLogs(filter, state)
  return [...sealed, ...logsOfView(filter, pending)]
}
