// Log queries and polled filters. Ranges and tags are read as the specification's reference nodes read them.

import { blockByHash, fullBlocks, viewOfSealed } from '../../chain/chain.ts'
import { numberOfTag, numberUpToFork, requireBlock } from '../../node/lookup.ts'
import type { NodeState } from '../../node/node-state.ts'
import { failure, reworded } from '../../primitives/errors.ts'
import { type Hex, toQuantity } from '../../primitives/hex.ts'
import { boolean, identityCodec } from '../codecs/basic.ts'
import { type Codec, integer, optional, refuse, required } from '../codecs/codec.ts'
import type { LogFilter } from '../codecs/filter.ts'
import * as filterCodecs from '../codecs/filter.ts'
import { addFilter, blockFilter, type Filter, filterChanges, matchingLogs } from '../events/filters.ts'
import { addSubscription, endSubscriptions, nextSubscriptionId } from '../events/waits.ts'
import { INVALID_PARAMS } from '../flavor/hardhat-messages.ts'
import type { RpcLog } from '../format/receipt.ts'
import { defineCommand, defineRead, outcomeWith } from '../method.ts'
import { type LogFilterBlockHash, type ReadContext, readContext, type Session } from '../session.ts'

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

/** The sealed block that a bound means; beyond the head for a number there. */
function numberOf(state: NodeState, bound: LogFilter['fromBlock']): number {
  if (typeof bound === 'number') return bound
  return numberOfTag(state, bound === undefined || bound === 'pending' ? 'latest' : bound)
}

function isOpenEnded({ toBlock }: LogFilter): boolean {
  return toBlock === undefined || toBlock === 'latest' || toBlock === 'pending'
}

function sealedLogs(context: ReadContext, filter: LogFilter): RpcLog[] {
  const { options, state } = context
  const head = state.chain.head.header.number
  const { fromBlock, toBlock } = filter
  const [from, to] = [numberOf(state, fromBlock), numberOf(state, toBlock)]
  if (options.flavor === 'hardhat') {
    // The part of the range that exists.
    const last = Math.min(head, to)
    return from > last ? [] : logsOfRange(context, filter, from, last)
  }
  // From `pending` to another bound there are the logs of the head, or none.
  if (fromBlock === 'pending' && toBlock !== undefined && typeof toBlock !== 'number') return []
  if (to > head) throw failure('blockRangeBeyondHead')
  if (fromBlock === 'pending' && to < head) return []
  // A start beyond the head is an error only if the range has an explicit end.
  if (from > to && !isOpenEnded(filter)) throw failure('blockRangeReversed')
  return logsOfRange(context, filter, from, to)
}

/** Refuses a filter with both a block hash and a range if the options say so, in geth's words. */
function checkLogFilter(mode: LogFilterBlockHash, { blockHash, fromBlock, toBlock }: LogFilter): void {
  if (mode === 'wins' || blockHash === undefined) return
  if (fromBlock === undefined && toBlock === undefined) return
  refuse('0', 'cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other')
}

function queryLogs(context: ReadContext, filter: LogFilter): RpcLog[] {
  const { state, options } = context
  checkLogFilter(options.logFilterBlockHash, filter)
  const { blockHash } = filter
  if (blockHash !== undefined) {
    const number = numberUpToFork(state, { blockHash })
    if (number !== undefined) return logsUpToFork(state, filter, number, number)
    if (options.flavor === 'hardhat' && blockByHash(state.chain, blockHash) === undefined) {
      const refusal = failure('blockNotFound', { block: blockHash, latest: state.chain.head.header.number })
      throw reworded(refusal, INVALID_PARAMS, 'blockHash cannot be found')
    }
    return matchingLogs(filter, context.present(requireBlock(state, { blockHash })))
  }
  // Hardhat shows the logs of sealed blocks only.
  if (filter.toBlock !== 'pending' || options.flavor === 'hardhat') return sealedLogs(context, filter)
  const pending = requireBlock(state, 'pending')
  const sealed = filter.fromBlock === 'pending' ? [] : sealedLogs(context, filter)
  return [...sealed, ...matchingLogs(filter, context.present(pending))]
}

export const eth_getLogs = defineRead({
  summary: 'The logs that match a filter. From `pending` to `pending`: those of pre-confirmed transactions.',
  params: [required('filter', filterCodecs.logFilter)],
  hardhat: { params: ['logFilter'] },
  result: 'array of logs',
  handle: queryLogs,
})

function start({ node, filters }: Session, filterAt: (state: NodeState) => Filter) {
  return node.execute((state) => {
    const filter = filterAt(state)
    return outcomeWith(state, toQuantity(filters.lastId + 1), () => addFilter(filters, filter))
  })
}

function filterOf({ filters }: Session, id: number): Filter {
  const filter = filters.filters.get(id)
  if (filter === undefined) throw failure('filterNotFound', { id })
  return filter
}

/** Hardhat answers null for a filter that does not exist. */
function isMissing({ filters, options }: Session, id: number): boolean {
  return options.flavor === 'hardhat' && !filters.filters.has(id)
}

function taken(state: NodeState, filter: Filter) {
  return outcomeWith(state, filterChanges(filter), () => filter.gathered.splice(0))
}

export const eth_newFilter = defineCommand({
  summary: 'Starts a filter for logs. After a reorganisation it also gets the removed logs.',
  params: [required('filter', filterCodecs.logFilter)],
  hardhat: { params: ['logFilter'] },
  result: 'filter id',
  handle(session, filter) {
    checkLogFilter(session.options.logFilterBlockHash, filter)
    if (session.options.flavor === 'hardhat')
      // It begins with the logs that match now.
      return start(session, (state) => {
        const gathered = queryLogs(readContext(session, state), filter)
        // An end in the past is a number, so that it gathers nothing above it.
        const toBlock = isOpenEnded(filter) ? filter.toBlock : numberOf(state, filter.toBlock)
        return { kind: 'logs', filter: { ...filter, toBlock }, gathered }
      })
    const { fromBlock, toBlock } = filter
    const isReversed = typeof fromBlock === 'number' && typeof toBlock === 'number' && fromBlock > toBlock
    const endsInThePast = toBlock === 'earliest' || toBlock === 'safe' || toBlock === 'finalized'
    if (isReversed || endsInThePast) throw failure('blockRangeReversed')
    return start(session, () => ({ kind: 'logs', filter, gathered: [] }))
  },
})

export const eth_newBlockFilter = defineCommand({
  summary: 'Starts a filter for the hashes of sealed blocks. In hardhat it begins with that of the head.',
  hardhat: { params: [] },
  result: 'filter id',
  handle: (session) =>
    start(session, ({ chain }) => {
      const head = chain.head.header.number
      const isFirst = session.options.flavor === 'hardhat'
      return { kind: 'blocks', gathered: isFirst ? [{ chain, from: head, to: head }] : [] }
    }),
})

export const eth_newPendingTransactionFilter = defineCommand({
  summary: 'Starts a filter for transactions that enter the pool: hashes, or full transactions.',
  params: [optional('full', boolean, false)],
  hardhat: { params: [] },
  result: 'filter id',
  handle: (session, isFull) =>
    start(session, () => ({
      kind: 'pendingTransactions',
      detail: isFull ? 'full' : 'hashes',
      gathered: [],
    })),
})

export const eth_getFilterChanges = defineCommand({
  summary: 'The entries of a filter since the previous call.',
  params: [required('filterId', integer)],
  hardhat: { params: ['u256'] },
  result: 'array of logs, hashes or transactions; in hardhat null if there is no such filter',
  example: { params: ['0x1'], error: 'filterNotFound' },
  handle: (session, id) =>
    session.node.execute((state) =>
      isMissing(session, id) ? outcomeWith(state, null) : taken(state, filterOf(session, id)),
    ),
})

export const eth_getFilterLogs = defineCommand({
  summary: 'All logs that match a log filter; in hardhat, those since the previous call.',
  params: [required('filterId', integer)],
  hardhat: { params: ['u256'] },
  result: 'array of logs; in hardhat null if there is no such filter',
  example: { params: ['0x1'], error: 'filterNotFound' },
  handle: (session, id) =>
    session.node.execute((state) => {
      if (isMissing(session, id)) return outcomeWith(state, null)
      const filter = filterOf(session, id)
      if (filter.kind !== 'logs') throw failure('filterNotFound', { id, kind: filter.kind })
      if (session.options.flavor === 'hardhat')
        return { ...taken(state, filter), result: [...filter.gathered] }
      return outcomeWith(state, queryLogs(readContext(session, state), filter.filter))
    }),
})

export const eth_uninstallFilter = defineCommand({
  summary: 'Ends a filter.',
  params: [required('filterId', integer)],
  hardhat: { params: ['u256'] },
  result: 'true, or false if there is no such filter',
  example: { params: ['0x1'] },
  handle: ({ node, filters }, id) =>
    node.execute((state) => outcomeWith(state, filters.filters.has(id), () => filters.filters.delete(id))),
})

export const eth_subscribe = defineCommand({
  summary:
    'Subscribes to newHeads, logs, newPendingTransactions, transactionReceipts, syncing, newFlashblocks, newFlashblockTransactions or pendingLogs.',
  params: [
    required('kind', filterCodecs.subscriptionKind),
    optional('detail', filterCodecs.subscriptionDetail, undefined),
  ],
  hardhat: { variant: 'Subscribe', params: ['subscription', 'logFilter?'], takesMore: true },
  result: 'subscription id',
  example: { params: ['newFlashblocks'] },
  handle({ node, canPush, subscriptions, emit, tellSubscribed }, kind, detail) {
    if (!canPush) throw failure('notificationsNotSupported')
    return node.execute((state) => {
      const subscription = filterCodecs.toSubscription(kind, detail)
      const id = nextSubscriptionId(subscriptions)
      const effects = [() => addSubscription(subscriptions, subscription, emit), () => tellSubscribed?.(id)]
      // The chain is never behind its peers: the only message about syncing is sent at once.
      if (kind === 'syncing')
        effects.push(() => emit({ type: 'eth_subscription', data: { subscription: id, result: false } }))
      return outcomeWith(state, id, ...effects)
    })
  },
})

const subscriptionId: Codec<Hex, string> = identityCodec(
  'a subscription id',
  (value): value is Hex => typeof value === 'string',
  'subscription id',
)

export const eth_unsubscribe = defineCommand({
  summary: 'Ends a subscription.',
  params: [required('id', subscriptionId)],
  hardhat: { params: ['u256'] },
  result: 'true, or false if the connection has no such subscription',
  example: { params: ['0x1'] },
  handle: ({ node, subscriptions, emit }, id) =>
    node.execute((state) => {
      const isOwn = subscriptions.idsOf.get(emit)?.has(id) === true
      return outcomeWith(state, isOwn, () => endSubscriptions(subscriptions, emit, [id]))
    }),
})
