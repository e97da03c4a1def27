// Searches that go through blocks on both sides of a fork: what the upstream finds up to it, and what is found above.

import type { Fork } from '../fork/fork.ts'
import { numberOfTag } from '../node/lookup.ts'
import { failure } from '../primitives/errors.ts'
import { type Address, toQuantity } from '../primitives/hex.ts'
import type { TraceFilter } from './codecs/trace.ts'
import type { ReadContext } from './read-context.ts'
import type { OtsSearchResult } from './requests/account-search.ts'

/** Searches above the fork. */
type Above = (...values: readonly unknown[]) => unknown

type Search = (context: ReadContext, fork: Fork, above: Above, values: never) => unknown

function answered<Answer>(
  fork: Fork,
  method: string,
  params: readonly unknown[],
  isRight: (answer: Answer) => boolean,
) {
  const answer = fork.answer(method, params) as Answer
  if (isRight(answer)) return answer
  throw failure('upstreamAnswer', { request: method, reason: 'result: expected what it found' })
}

/** Upstreams disagree on how `after` and `count` work together, so all up to both are asked for. */
function traceFilterUpTo(filter: TraceFilter, from: number, to: number): object {
  const { senders, recipients, mode, after, count } = filter
  return {
    fromBlock: toQuantity(from),
    toBlock: toQuantity(to),
    ...(senders === undefined ? {} : { fromAddress: [...senders] }),
    ...(recipients === undefined ? {} : { toAddress: [...recipients] }),
    ...(mode === 'union' ? {} : { mode }),
    ...(count === undefined ? {} : { count: after + count }),
  }
}

const filterTraces: Search = async ({ state }, fork, above, [filter]: readonly TraceFilter[]) => {
  const { fromBlock, toBlock, after, count } = filter as TraceFilter
  const { number: last } = fork.header
  const head = state.chain.head.header.number
  const numberOf = (bound: TraceFilter['fromBlock']): number =>
    bound === 'pending' ? head + 1 : typeof bound === 'number' ? bound : numberOfTag(state, bound)
  const [from, to] = [numberOf(fromBlock), numberOf(toBlock)]
  // Ranges that are wrong are refused as ever.
  if (from > last || from > to || (to > head && toBlock !== 'pending')) return above(filter)
  const asked = traceFilterUpTo(filter as TraceFilter, from, Math.min(to, last))
  const before = answered<unknown[]>(fork, 'trace_filter', [asked], Array.isArray)
  const rest = { ...filter, fromBlock: last + 1, after: 0, count: count && after + count }
  const later = to > last ? ((await above(rest)) as unknown[]) : []
  return [...before, ...later].slice(after, count === undefined ? undefined : after + count)
}

const isPage = (page: OtsSearchResult): boolean => Array.isArray(page?.txs) && Array.isArray(page?.receipts)

function joined(newer: OtsSearchResult, older: OtsSearchResult): OtsSearchResult {
  return {
    txs: [...newer.txs, ...older.txs],
    receipts: [...newer.receipts, ...older.receipts],
    firstPage: newer.firstPage,
    lastPage: older.lastPage,
  }
}

const searchBefore: Search = async (
  _,
  fork,
  above,
  [account, number, size]: readonly [Address, number, number],
) => {
  const { number: last } = fork.header
  const method = 'ots_searchTransactionsBefore'
  const below = (before: number, most: number) =>
    answered<OtsSearchResult>(fork, method, [account, before, most], isPage)
  if (number > 0 && number <= last + 1) return below(number, size)
  const newer = (await above(account, number, size)) as OtsSearchResult
  if (!newer.lastPage) return newer
  const left = size - newer.txs.length
  return left > 0 ? joined(newer, below(last + 1, left)) : { ...newer, lastPage: false }
}

/** A page without what the upstream has above the fork. */
function upTo(last: number, { txs, receipts, firstPage, lastPage }: OtsSearchResult): OtsSearchResult {
  const old = txs.map(({ blockNumber }) => Number(blockNumber) <= last)
  const kept = <Item>(items: readonly Item[]): Item[] => items.filter((_, index) => old[index])
  return { txs: kept(txs), receipts: kept(receipts), firstPage: firstPage || old.includes(false), lastPage }
}

const searchAfter: Search = async (
  _,
  fork,
  above,
  [account, number, size]: readonly [Address, number, number],
) => {
  const { number: last } = fork.header
  if (number >= last) return above(account, number, size)
  const asked = [account, number, size]
  const older = upTo(last, answered<OtsSearchResult>(fork, 'ots_searchTransactionsAfter', asked, isPage))
  if (!older.firstPage) return older
  const left = size - older.txs.length
  if (left <= 0) return { ...older, firstPage: false }
  return joined((await above(account, last, left)) as OtsSearchResult, older)
}

/** A transaction by its sender and nonce: before the fork are the nonces that the account had used there. */
function bySenderAndNonce(method: string): Search {
  return (_, fork, above, [account, nonce]: readonly [Address, bigint]) => {
    const used = fork.base.get(account)?.nonce ?? 0n
    return nonce < used ? fork.answer(method, [account, toQuantity(nonce)]) : above(account, nonce)
  }
}

const findCreator: Search = (_, fork, above, [account]: readonly [Address]) => {
  const isOld = (fork.base.get(account)?.code.bytes.length ?? 0) > 0
  return isOld ? fork.answer('ots_getContractCreator', [account]) : above(account)
}

const SEARCHES: Readonly<Record<string, Search>> = {
  trace_filter: filterTraces,
  ots_searchTransactionsBefore: searchBefore,
  ots_searchTransactionsAfter: searchAfter,
  eth_getTransactionBySenderAndNonce: bySenderAndNonce('eth_getTransactionBySenderAndNonce'),
  ots_getTransactionBySenderAndNonce: bySenderAndNonce('ots_getTransactionBySenderAndNonce'),
  ots_getContractCreator: findCreator,
}

/** The search of a method; `undefined` for methods that do not search. */
export function searchOnFork(method: string): Search | undefined {
  return Object.hasOwn(SEARCHES, method) ? SEARCHES[method] : undefined
}
