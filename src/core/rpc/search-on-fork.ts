// Searches that go through blocks on both sides of a fork: what the upstream finds up to it, and what is found above.

import type { Fork } from '../fork/fork.ts'
import { type BlockSelector, blockRange, numberUpToFork } from '../node/lookup.ts'
import { failure } from '../primitives/errors.ts'
import { type Address, type Hash, isHexBytes, toQuantity } from '../primitives/hex.ts'
import type { StateContext, TraceFilter } from './codecs/trace-config.ts'
import type { AcrossFork } from './method.ts'
import type { OtsSearchResult } from './requests/otterscan.ts'

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

export const filterTracesBefore: AcrossFork = async (
  { state },
  fork,
  { name, above },
  [filter]: readonly [TraceFilter],
) => {
  const { toBlock, after, count, fromAddress: senders, toAddress: recipients, mode } = filter
  const { number: last } = fork.header
  const { from, to, head } = blockRange(state, filter)
  // Ranges that are wrong are refused as ever.
  if (from > last || from > to || (to > head && toBlock !== 'pending')) return above(filter)
  // Upstreams disagree on how `after` and `count` work together, so all up to both are asked for.
  const asked = {
    fromBlock: toQuantity(from),
    toBlock: toQuantity(Math.min(to, last)),
    ...(senders && { fromAddress: [...senders] }),
    ...(recipients && { toAddress: [...recipients] }),
    ...(mode === 'intersection' && { mode }),
    ...(count !== undefined && { count: after + count }),
  }
  const before = answered<unknown[]>(fork, name, [asked], Array.isArray)
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

type Search = readonly [account: Address, number: number, size: number]

export const searchBack: AcrossFork = async (_, fork, { name, above }, [account, number, size]: Search) => {
  const { number: last } = fork.header
  const below = (before: number, most: number) =>
    answered<OtsSearchResult>(fork, name, [account, before, most], isPage)
  if (number > 0 && number <= last + 1) return below(number, size)
  const newer = (await above(account, number, size)) as OtsSearchResult
  if (!newer.lastPage) return newer
  const left = size - newer.txs.length
  return left > 0 ? joined(newer, below(last + 1, left)) : { ...newer, lastPage: false }
}

export const searchForth: AcrossFork = async (_, fork, { name, above }, [account, number, size]: Search) => {
  const { number: last } = fork.header
  if (number >= last) return above(account, number, size)
  const page = answered<OtsSearchResult>(fork, name, [account, number, size], isPage)
  // Without what the upstream has above the fork.
  const old = page.txs.map(({ blockNumber }) => Number(blockNumber) <= last)
  const [txs, receipts] = [page.txs.filter((_, at) => old[at]), page.receipts.filter((_, at) => old[at])]
  const older = { ...page, txs, receipts, firstPage: page.firstPage || old.includes(false) }
  if (!older.firstPage) return older
  const left = size - older.txs.length
  if (left <= 0) return { ...older, firstPage: false }
  return joined((await above(account, last, left)) as OtsSearchResult, older)
}

/** A transaction by its sender and nonce: before the fork are the nonces that the account had used there. */
export const bySenderAndNonce: AcrossFork = (
  _,
  fork,
  { name, above },
  [account, nonce]: readonly [Address, bigint],
) => {
  const used = fork.base.get(account)?.nonce ?? 0n
  return nonce < used ? fork.answer(name, [account, toQuantity(nonce)]) : above(account, nonce)
}

export const creatorBefore: AcrossFork = (_, fork, { name, above }, [account]: readonly [Address]) => {
  const isOld = (fork.base.get(account)?.code.bytes.length ?? 0) > 0
  return isOld ? fork.answer(name, [account]) : above(account)
}

/** Calls in a place of a block; the state after the block of the fork is the chain's own. */
export const traceCallsBefore: AcrossFork = (
  { state },
  fork,
  { name, params: [bundles, place, ...rest], above },
  values: readonly [unknown, StateContext, ...unknown[]],
) => {
  const [, { blockNumber, transactionIndex }] = values
  const number = numberUpToFork(state, blockNumber)
  const isOwn = number === undefined || (number === fork.header.number && transactionIndex === undefined)
  if (isOwn) return above(...values)
  const numbered = { ...(place as object), blockNumber: toQuantity(number) }
  return fork.answer(name, [bundles, numbered, ...rest])
}

/** The accounts that changed between two blocks, or in one; across the fork nobody knows all of it. */
export const modifiedBefore: AcrossFork = (
  { state },
  fork,
  { name, params, above },
  values: readonly (BlockSelector | Hash | undefined)[],
) => {
  const named = values.filter((value) => value !== undefined)
  const numbers = named.map((value) =>
    numberUpToFork(state, isHexBytes(value, 32) ? { blockHash: value } : (value as BlockSelector)),
  )
  if (numbers.includes(undefined)) return above(...values)
  return fork.answer(
    name,
    numbers.map((number, index) =>
      isHexBytes(named[index], 32) ? params[index] : toQuantity(number as number),
    ),
  )
}
