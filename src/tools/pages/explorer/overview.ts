// The state of a chain in short: `latest`, `pending`, the clock and the pool, and what is new from one to the next.

import { type BlockShape, fieldsIn, isFields, listIn, numberOf, readBlock } from './shapes.ts'
import { type Ask, ifKnown } from './source.ts'
import { countText } from './text.ts'

export interface Overview {
  readonly latest: BlockShape & { readonly number: number }
  readonly pending: BlockShape & { readonly number: number }
  readonly earliest: number
  /** True if transactions are pre-confirmed before their block is sealed. */
  readonly preconfirms: boolean
  readonly chainId: number | undefined
  /** `undefined` if the provider does not tell. */
  readonly clock: ReturnType<typeof clockOf>
  readonly pool: { readonly pending: number; readonly queued: number } | undefined
}

/** State that only the chain's own methods tell. */
function clockOf(value: unknown) {
  if (!isFields(value) || typeof value['now'] !== 'number') return undefined
  const { nextDueAt, partialBlocksClosed, partialBlocks, blockTimeMs, partialBlockTimeMs } = value
  return {
    nowMs: value['now'],
    /** `undefined` if nothing falls due. */
    nextDueMs: typeof nextDueAt === 'number' ? nextDueAt : undefined,
    /** True if a block has several. */
    hasPartials: Number(partialBlockTimeMs) < Number(blockTimeMs),
    partialsClosed: typeof partialBlocksClosed === 'number' ? partialBlocksClosed : 0,
    partials: listIn(partialBlocks)
      .filter(isFields)
      .map(({ index, transactionHashes }) => ({
        index: Number(index),
        transactionHashes: listIn(transactionHashes).map(String),
      })),
  }
}

/** Methods that one provider has and another has not are asked for once. */
export function createOverviewReader(): (ask: Ask) => Promise<Overview> {
  const unknown = new Set<string>()
  return async (ask) => {
    const optional = async (method: string): Promise<unknown> => {
      if (unknown.has(method)) return undefined
      const answer = await ifKnown(ask(method, []))
      if (answer === undefined) unknown.add(method)
      return answer
    }
    const [latest, pending, earliest, chainId, status, pool] = await Promise.all([
      ask('eth_getBlockByNumber', ['latest', false]).then(readBlock),
      ask('eth_getBlockByNumber', ['pending', true]).then(readBlock),
      ask('eth_getBlockByNumber', ['earliest', false]).then(readBlock),
      optional('eth_chainId'),
      optional('tickchain_status'),
      optional('txpool_status'),
    ])
    const number = latest.number ?? 0
    const clock = clockOf(status)
    const pooled = fieldsIn(pool)
    const waiting = numberOf(pooled['pending'])
    const preconfirms = clock?.hasPartials ?? !latest.hasSlots
    // A block that is being built tells no milliseconds.
    const timeMs = preconfirms ? pending.timeMs : (clock?.nextDueMs ?? pending.timeMs)
    return {
      latest: { ...latest, number },
      pending: { ...pending, timeMs, number: pending.number ?? number + 1 },
      earliest: earliest.number ?? 0,
      preconfirms,
      chainId: numberOf(chainId),
      clock,
      pool: waiting === undefined ? undefined : { pending: waiting, queued: numberOf(pooled['queued']) ?? 0 },
    }
  }
}

/** A text that is the same for overviews of the same state. */
export function fingerprintOf(overview: Overview): string {
  return JSON.stringify(overview, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))
}

/** The news in a sentence for a screen reader; empty for nothing. */
export function newsBetween(before: Overview | undefined, after: Overview): string {
  if (before === undefined) return ''
  const [from, to] = [before.latest, after.latest]
  if (to.number > from.number + 1) return `Blocks ${from.number + 1} to ${to.number} are sealed.`
  if (to.number > from.number)
    return `Block ${to.number} is sealed with ${countText(to.transactionCount, 'transaction')}.`
  if (to.number < from.number) return `The chain went back: block ${to.number} is the latest.`
  if (to.hash !== from.hash) return `The chain was reorganised: block ${to.number} is another one now.`
  const [had, has] = [before.pending.transactionCount, after.pending.transactionCount]
  if (has > had) {
    const index = after.clock?.partials.at(-1)?.index
    const where = index === undefined ? 'The block being built' : `Partial block ${index}`
    return `${where} has ${countText(has - had, 'new transaction')}.`
  }
  if (has < had) return `${countText(had - has, 'pre-confirmed transaction')} dropped.`
  const waiting = (pool: Overview['pool']): number => (pool?.pending ?? 0) + (pool?.queued ?? 0)
  const pooled = waiting(after.pool)
  return pooled === waiting(before.pool) ? '' : `${countText(pooled, 'transaction')} in the pool.`
}
