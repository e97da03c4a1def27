// The search of trace_filter.

import { fullBlocks } from '../../chain/chain.ts'
import { type BlockView, viewOfSealed } from '../../chain/view.ts'
import { createBudget } from '../../execution/trace/budget.ts'
import {
  type CallFrame,
  type LocatedFrame,
  listFrames,
  recordFrames,
} from '../../execution/trace/call-frames.ts'
import { isCreation } from '../../execution/trace/observer.ts'
import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import { blockRange, type IncludedTransaction, requireBlock } from '../../node/lookup.ts'
import { type ReplayRange, replayTransactions } from '../../node/replay.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address } from '../../primitives/hex.ts'
import { type Reward, rewardsOf } from '../../rollup/rewards.ts'
import type { TraceFilter } from '../codecs/trace.ts'
import { formatLocalizedTraces, formatRewards, isShown, type RpcLocalizedTrace } from '../format/trace.ts'
import type { ReadContext } from '../read-context.ts'

type Parties = { readonly from: Address | undefined; readonly to: Address | undefined }

/** The rewards of a block; none for one that is being built. */
export function rewardsIn({ state }: ReadContext, view: BlockView): readonly Reward[] {
  if (view.isPending || view.environment.difficulty === 0n) return []
  const { header, body, rules } = view.block()
  const uncles = body.uncles.map((uncle) => uncle.header)
  // Nobody earned the first block.
  return header.number === state.chain.first ? [] : rewardsOf(rules, header, uncles)
}

export interface TracedTransaction {
  readonly executed: ExecutedTransaction
  readonly root: CallFrame
}

/**
 * Runs transactions of a block again, all unless a range says which. Throws what `replayTransactions` throws, and
 * `traceTooLarge`.
 */
export async function framesIn(
  { config, state, options }: ReadContext,
  view: BlockView,
  range: ReplayRange = { from: 0, to: view.executed.length },
): Promise<readonly TracedTransaction[]> {
  if (range.to === range.from) return []
  const budget = createBudget(options.limits.traceBytes)
  const replayed = await replayTransactions(config, state, view, range, () =>
    recordFrames({ frames: 'all', logs: 'ignored' }, budget),
  )
  if (budget.isExceeded()) throw failure('traceTooLarge', budget)
  return replayed.map(({ executed, recorder }) => ({ executed, root: recorder.root() }))
}

/** The frames of a transaction in a block. */
export function framesOfTransaction(
  context: ReadContext,
  { view, executed: { index } }: IncludedTransaction,
) {
  return framesIn(context, view, { from: index, to: index + 1 })
}

/** Counts the transactions that a request executes again, under the limit. */
export function countReplays({ options }: ReadContext) {
  const most = options.limits.replayedTransactions
  let count = 0
  return {
    hasRoomFor: (transactions: number) => count + transactions <= most,
    /** Throws `tooManyReplays`. */
    add(transactions: number) {
      count += transactions
      if (count > most) throw failure('tooManyReplays', { most })
    },
  }
}

function matcherOf({
  fromAddress: senders,
  toAddress: recipients,
  mode,
}: TraceFilter): (parties: Parties) => boolean {
  if (senders === undefined && recipients === undefined) return () => true
  const isIn = (set: ReadonlySet<Address> | undefined, address: Address | undefined, absent: boolean) =>
    set === undefined ? absent : address !== undefined && set.has(address)
  return mode === 'union'
    ? ({ from, to }) => isIn(senders, from, false) || isIn(recipients, to, false)
    : ({ from, to }) => isIn(senders, from, true) && isIn(recipients, to, true)
}

/** The frame's parties. A creation that failed made nothing. */
function partiesOf({ kind, from, to, error }: CallFrame): Parties {
  const isNothing = error !== undefined && isCreation({ kind })
  return { from, to: isNothing ? undefined : to }
}

async function tracesIn(
  context: ReadContext,
  view: BlockView,
  matches: (parties: Parties) => boolean,
): Promise<RpcLocalizedTrace[]> {
  const block = context.present(view)
  const traces: RpcLocalizedTrace[] = []
  for (const { executed, root } of await framesIn(context, view)) {
    const frames = listFrames(root, isShown)
    for (const [place, trace] of formatLocalizedTraces(block, executed, root).entries()) {
      if (matches(partiesOf((frames[place] as LocatedFrame).frame))) traces.push(trace)
    }
  }
  const rewards = rewardsIn(context, view).filter(({ author }) => matches({ from: undefined, to: author }))
  return [...traces, ...formatRewards(block, rewards)]
}

/** The blocks of a range that may hold traces, in their order. */
function* blocksOf({ config, state }: ReadContext, filter: TraceFilter): IterableIterator<BlockView> {
  const { toBlock } = filter
  const { from, to, head } = blockRange(state, filter)
  if (to > head && toBlock !== 'pending') throw failure('blockRangeBeyondHead')
  if (from > to) throw failure('blockRangeReversed')
  for (const block of fullBlocks(state.chain, from, Math.min(to, head))) yield viewOfSealed(block)
  if (toBlock === 'pending') yield requireBlock(config, state, 'pending')
}

/** A trace takes about this, besides its input and output. */
const TRACE_BYTES = 1000

function bytesOf({ action, result }: RpcLocalizedTrace): number {
  const texts = [...Object.values(action), ...Object.values(result ?? {})]
  return TRACE_BYTES + texts.reduce((total, text: string) => total + text.length, 0)
}

/** The traces that match a filter, oldest first. Throws `tooManyReplays`, and `traceTooLarge`. */
export async function filterTraces(context: ReadContext, filter: TraceFilter): Promise<RpcLocalizedTrace[]> {
  const { after, count = Number.POSITIVE_INFINITY } = filter
  const matches = matcherOf(filter)
  const replays = countReplays(context)
  const budget = createBudget(context.options.limits.traceBytes)
  const found: RpcLocalizedTrace[] = []
  let skipped = 0
  for (const view of blocksOf(context, filter)) {
    if (found.length >= count) break
    replays.add(view.executed.length)
    const traces = await tracesIn(context, view, matches)
    const from = Math.min(traces.length, after - skipped)
    skipped += from
    for (const trace of traces.slice(from, from + count - found.length)) {
      if (!budget.take(bytesOf(trace))) throw failure('traceTooLarge', budget)
      found.push(trace)
    }
  }
  return found
}
