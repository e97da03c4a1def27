// The search of trace_filter.

import { type BlockView, fullBlocks, viewOfSealed } from '../../chain/chain.ts'
import * as callFrames from '../../execution/trace/call-frames.ts'
import { isCreation } from '../../execution/trace/observer.ts'
import { blockRange, requireBlock } from '../../node/lookup.ts'
import type { ReplayRange } from '../../node/replay.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address } from '../../primitives/hex.ts'
import { type Reward, rewardsOf } from '../../rollup/difficulty.ts'
import type { TraceFilter } from '../codecs/trace-config.ts'
import { formatLocalizedTraces, formatRewards, isShown, type RpcLocalizedTrace } from '../format/trace.ts'
import type { ReadContext } from '../session.ts'
import { budgetOf, type TraceSubject, traceTransactions } from '../tracers/tracer.ts'

type Parties = { readonly from: Address | undefined; readonly to: Address | undefined }

/** The rewards of a block; none for one that is being built. */
export function rewardsIn({ state }: ReadContext, view: BlockView): readonly Reward[] {
  if (view.isPending || view.environment.difficulty === 0n) return []
  const { header, body, rules } = view.block()
  const uncles = body.uncles.map((uncle) => uncle.header)
  // Nobody earned the first block.
  return header.number === state.chain.first ? [] : rewardsOf(rules, header, uncles)
}

/** Runs transactions of a block again, all unless a range says which, and records their frames. */
export async function framesIn(context: ReadContext, view: BlockView, range?: ReplayRange) {
  const record = ({ budget }: TraceSubject) => {
    const { observer, root: result } = callFrames.recordFrames({ frames: 'all', logs: 'ignored' }, budget)
    return { observer, result }
  }
  const traced = await traceTransactions(context, view, record, range)
  return traced.map(({ executed, result: root }) => ({ executed, root }))
}

export function countReplays({ options }: ReadContext) {
  const most = options.limits.replayedTransactions
  let count = 0
  return {
    hasRoomFor: (transactions: number) => count + transactions <= most,
    add(transactions: number) {
      count += transactions
      if (count > most) throw failure('tooManyReplays', { most })
    },
  }
}

function matcherOf(filter: TraceFilter): (parties: Parties) => boolean {
  const { fromAddress: senders, toAddress: recipients, mode } = filter
  if (senders === undefined && recipients === undefined) return () => true
  const isIn = (set: ReadonlySet<Address> | undefined, address: Address | undefined, absent: boolean) =>
    set === undefined ? absent : address !== undefined && set.has(address)
  return mode === 'union'
    ? ({ from, to }) => isIn(senders, from, false) || isIn(recipients, to, false)
    : ({ from, to }) => isIn(senders, from, true) && isIn(recipients, to, true)
}

async function tracesIn(context: ReadContext, view: BlockView, matches: (parties: Parties) => boolean) {
  const block = context.present(view)
  const traces: RpcLocalizedTrace[] = []
  for (const { executed, root } of await framesIn(context, view)) {
    const frames = callFrames.listFrames(root, isShown)
    for (const [place, trace] of formatLocalizedTraces(block, executed, root).entries()) {
      const { kind, from, to, error } = (frames[place] as callFrames.LocatedFrame).frame
      // A creation that failed made nothing.
      const isNothing = error !== undefined && isCreation({ kind })
      if (matches({ from, to: isNothing ? undefined : to })) traces.push(trace)
    }
  }
  const rewards = rewardsIn(context, view).filter(({ author }) => matches({ from: undefined, to: author }))
  return [...traces, ...formatRewards(block, rewards)]
}

function* blocksOf({ state }: ReadContext, filter: TraceFilter): IterableIterator<BlockView> {
  const { toBlock } = filter
  const { from, to, head } = blockRange(state, filter)
  if (to > head && toBlock !== 'pending') throw failure('blockRangeBeyondHead')
  if (from > to) throw failure('blockRangeReversed')
  for (const block of fullBlocks(state.chain, from, Math.min(to, head))) yield viewOfSealed(block)
  if (toBlock === 'pending') yield requireBlock(state, 'pending')
}

/** A trace takes about this, besides its input and output. */
const TRACE_BYTES = 1000

/** The traces that match a filter, oldest first. Throws `tooManyReplays`, and `traceTooLarge`. */
export async function filterTraces(context: ReadContext, filter: TraceFilter): Promise<RpcLocalizedTrace[]> {
  const { after, count = Number.POSITIVE_INFINITY } = filter
  const matches = matcherOf(filter)
  const replays = countReplays(context)
  const budget = budgetOf(context)
  const found: RpcLocalizedTrace[] = []
  let skipped = 0
  for (const view of blocksOf(context, filter)) {
    if (found.length >= count) break
    replays.add(view.executed.length)
    const traces = await tracesIn(context, view, matches)
    const from = Math.min(traces.length, after - skipped)
    skipped += from
    for (const trace of traces.slice(from, from + count - found.length)) {
      const texts = [...Object.values(trace.action), ...Object.values(trace.result ?? {})]
      const bytes = texts.reduce((total, text: string) => total + text.length, TRACE_BYTES)
      if (!budget.take(bytes)) throw failure('traceTooLarge', budget)
      found.push(trace)
    }
  }
  return found
}
