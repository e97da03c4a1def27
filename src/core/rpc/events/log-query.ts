// Queries of logs by filter. Ranges and tags are read as the specification's reference nodes read them.

import { fullBlocks } from '../../chain/chain.ts'
import { viewOfSealed } from '../../chain/view.ts'
import { numberOfTag, numberUpToFork, requireBlock } from '../../node/lookup.ts'
import type { NodeState } from '../../node/node-state.ts'
import { failure } from '../../primitives/errors.ts'
import { refuse } from '../codecs/codec.ts'
import type { LogFilter } from '../codecs/filter.ts'
import { checkBlockHash, existingRange } from '../flavor/logs.ts'
import type { RpcLog } from '../format/log.ts'
import type { LogFilterBlockHash } from '../options.ts'
import type { ReadContext } from '../read-context.ts'
import { blockFilter, matchingLogs } from './log-match.ts'

/** The logs of blocks up to the fork, as the upstream has them; throws a `Miss` while they are not known. */
function logsUpToFork({ chain: { fork } }: NodeState, filter: LogFilter, from: number, to: number): RpcLog[] {
  return fork === undefined || from > fork.header.number
    ? []
    : (fork.history.logs(filter, from, to) as RpcLog[])
}

function logsOfRange(context: ReadContext, filter: LogFilter, start: number, to: number): RpcLog[] {
  const { state, options } = context
  const from = Math.max(start, state.chain.first)
  const most = options.limits.logBlockRange
  if (to - from >= most) throw failure('blockRangeTooWide', { most })
  const mayMatch = blockFilter(filter)
  const logs = [...logsUpToFork(state, filter, start, to)]
  for (const block of fullBlocks(state.chain, from, to)) {
    if (!mayMatch(block)) continue
    for (const log of matchingLogs(filter, context.present(viewOfSealed(block)))) logs.push(log)
  }
  return logs
}

/** The number of the block that a bound refers to. */
function numberOf(state: NodeState, bound: Exclude<LogFilter['fromBlock'], 'pending' | undefined>): number {
  return typeof bound === 'number' ? bound : numberOfTag(state, bound)
}

/** The logs of a range from `pending` to another bound: of the head, or none. */
function sealedLogsFromPending(context: ReadContext, filter: LogFilter, head: number): RpcLog[] {
  const { toBlock } = filter
  if (toBlock === undefined) return logsOfRange(context, filter, head, head)
  if (typeof toBlock !== 'number') return []
  if (toBlock > head) throw failure('blockRangeBeyondHead')
  return toBlock === head ? logsOfRange(context, filter, head, head) : []
}

function sealedLogs(context: ReadContext, filter: LogFilter): RpcLog[] {
  const { options, state } = context
  if (options.flavor === 'hardhat') {
    const { from, to } = existingRange(state, filter)
    return from > to ? [] : logsOfRange(context, filter, from, to)
  }
  const head = state.chain.head.header.number
  const { fromBlock, toBlock } = filter
  if (fromBlock === 'pending') return sealedLogsFromPending(context, filter, head)
  const from = fromBlock === undefined ? head : numberOf(state, fromBlock)
  const to = toBlock === undefined || toBlock === 'pending' ? head : numberOf(state, toBlock)
  if (to > head) throw failure('blockRangeBeyondHead')
  // A start beyond the head is an error only if the range has an explicit end.
  const isOpenEnded = toBlock === undefined || toBlock === 'latest' || toBlock === 'pending'
  if (from > to && !isOpenEnded) throw failure('blockRangeReversed')
  return logsOfRange(context, filter, from, to)
}

/** Refuses a filter with both a block hash and a range if the options say so, in geth's words. */
export function checkLogFilter(mode: LogFilterBlockHash, { blockHash, fromBlock, toBlock }: LogFilter): void {
  if (mode === 'wins' || blockHash === undefined) return
  if (fromBlock === undefined && toBlock === undefined) return
  const reason = 'cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other'
  refuse('0', reason)
}

/** Refuses a filter for future logs whose range ends before it begins, or before any future block. */
export function checkRangeToCome({ fromBlock, toBlock }: LogFilter): void {
  const isReversed = typeof fromBlock === 'number' && typeof toBlock === 'number' && fromBlock > toBlock
  const endsInThePast = toBlock === 'earliest' || toBlock === 'safe' || toBlock === 'finalized'
  if (isReversed || endsInThePast) throw failure('blockRangeReversed')
}

/** The logs that match a filter, oldest first. */
export function queryLogs(context: ReadContext, filter: LogFilter): RpcLog[] {
  const { config, state, options } = context
  checkLogFilter(options.logFilterBlockHash, filter)
  const number = filter.blockHash && numberUpToFork(state, { blockHash: filter.blockHash })
  if (typeof number === 'number') return logsUpToFork(state, filter, number, number)
  if (options.flavor === 'hardhat') checkBlockHash(state, filter)
  if (filter.blockHash !== undefined) {
    const view = requireBlock(config, state, { blockHash: filter.blockHash })
    return matchingLogs(filter, context.present(view))
  }
  // Hardhat shows the logs of sealed blocks only.
  if (filter.toBlock !== 'pending' || options.flavor === 'hardhat') return sealedLogs(context, filter)
  const pending = requireBlock(config, state, 'pending')
  const sealed = filter.fromBlock === 'pending' ? [] : sealedLogs(context, filter)
  return [...sealed, ...matchingLogs(filter, context.present(pending))]
}
