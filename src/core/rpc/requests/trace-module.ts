// The answers of the trace module.

import { traceCall } from '../../execution/call/trace-call.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { type BlockSelector, findBlock, findTransaction, requireBlock } from '../../node/lookup.ts'
import { type Replayed, replay, replayFrames } from '../../node/replay.ts'
import { decodeTransaction } from '../../pool/decode.ts'
import { failure } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { NO_STATE_OVERRIDES } from '../../state/overrides.ts'
import type { TraceType, TypedCall } from '../codecs/trace.ts'
import type { TransactionRequest } from '../codecs/transaction-request.ts'
import { callOf, type FlavoredCall } from '../flavor/calls.ts'
import { formatLocalizedTraces, formatRewards, type RpcLocalizedTrace } from '../format/trace.ts'
import type { ReadContext } from '../read-context.ts'
import { environmentOfCall, toCallMessage } from './call-message.ts'
import { type CallSite, callSiteAt } from './call-site.ts'
import { rewardsIn } from './trace-filter.ts'
import { type RpcTraceResults, type TypeRecorder, typeRecorders } from './trace-types.ts'

type Types = ReadonlySet<TraceType>

/** The traces of a transaction; null for one that is in no block. */
export async function tracesOfTransaction(
  context: ReadContext,
  transactionHash: Hash,
): Promise<readonly RpcLocalizedTrace[] | null> {
  const found = findTransaction(context.state, transactionHash)
  if (found === undefined || 'pooled' in found) return null
  const { config, state, options } = context
  const { view, executed } = found
  const range = { from: executed.index, to: executed.index + 1 }
  const traced = await replayFrames(config, state, view, options.limits.traceBytes, range)
  return traced.flatMap(({ root }) => formatLocalizedTraces(context.present(view), executed, root))
}

/** The traces and rewards of a block; null if there is none. */
export async function tracesOfBlock(
  context: ReadContext,
  selector: BlockSelector,
): Promise<readonly RpcLocalizedTrace[] | null> {
  const { config, state, options, present } = context
  const view = findBlock(config, state, selector)
  if (view === undefined) return null
  const presented = present(view)
  const traced = await replayFrames(config, state, view, options.limits.traceBytes)
  const traces = traced.flatMap(({ executed, root }) => formatLocalizedTraces(presented, executed, root))
  return [...traces, ...formatRewards(presented, rewardsIn(context, view))]
}

function resultsOf(recorder: TypeRecorder, { executed, before, after }: Replayed): RpcTraceResults {
  return recorder.results({ returnData: executed.returnData, before, after })
}

/** Runs a transaction again; throws `transactionNotFound` for one that is in no block. */
export async function replayTransaction(
  { config, state, options }: ReadContext,
  transactionHash: Hash,
  types: Types,
): Promise<RpcTraceResults> {
  const found = findTransaction(state, transactionHash)
  if (found === undefined || 'pooled' in found)
    throw failure('transactionNotFound', { hash: transactionHash, isPooled: found !== undefined })
  const recorder = typeRecorders(options.limits)(types)
  const { index } = found.executed
  const range = { from: index, to: index + 1 }
  const replayed = await replay(config, state, found.view, range, () => recorder.observer)
  return resultsOf(recorder, replayed[0] as Replayed)
}

/** Runs the transactions of a block again; null if there is none. */
export async function replayBlock(
  { config, state, options }: ReadContext,
  selector: BlockSelector,
  types: Types,
): Promise<readonly (RpcTraceResults & { readonly transactionHash: Hash })[] | null> {
  const view = findBlock(config, state, selector)
  if (view === undefined) return null
  if (view.executed.length === 0) return []
  const record = typeRecorders(options.limits)
  const recorders: TypeRecorder[] = []
  const range = { from: 0, to: view.executed.length }
  const replayed = await replay(config, state, view, range, (index) => {
    recorders[index] = record(types)
    return recorders[index].observer
  })
  return replayed.map((each, index) => ({
    ...resultsOf(recorders[index] as TypeRecorder, each),
    transactionHash: each.executed.transaction.hash,
  }))
}

/** Runs each call on the state that the one before left. */
export async function traceInTurn(
  { options }: ReadContext,
  site: CallSite,
  calls: readonly (FlavoredCall & { readonly types: Types })[],
): Promise<RpcTraceResults[]> {
  const record = typeRecorders(options.limits)
  const results: RpcTraceResults[] = []
  let before = site.state
  for (const { message, environment, types } of calls) {
    const recorder = record(types)
    const run = () => recorder.observer
    const { result, after } = await traceCall(site.execution, before, environment, message, run)
    results.push(recorder.results({ returnData: result.returnData, before, after }))
    before = after
  }
  return results
}

/** Traces calls one after the other at the end of a block. */
export function traceCalls(
  context: ReadContext,
  calls: readonly TypedCall[],
  selector: BlockSelector,
): Promise<RpcTraceResults[]> {
  const view = requireBlock(context.config, context.state, selector)
  const site = callSiteAt(context, view, NO_STATE_OVERRIDES, undefined)
  const prepared = calls.map(({ request, types }) => ({
    ...callOf(context, site, request, undefined),
    types,
  }))
  return traceInTurn(context, site, prepared)
}

/** The call that a transaction makes. */
function requestOf(transaction: Transaction): TransactionRequest {
  const { sender, gasLimit, ...fields } = transaction
  return { ...fields, from: sender, gas: gasLimit, gasPrice: undefined }
}

/** Traces a signed transaction at the end of a block. */
export async function traceRaw(
  context: ReadContext,
  raw: Uint8Array,
  types: Types,
  selector: BlockSelector,
): Promise<RpcTraceResults> {
  const { config, state, options } = context
  const site = callSiteAt(context, requireBlock(config, state, selector), NO_STATE_OVERRIDES, undefined)
  const message = toCallMessage(options.limits, site, requestOf(decodeTransaction(raw)))
  const environment = environmentOfCall(site, message, undefined)
  const [results] = await traceInTurn(context, site, [{ message, environment, types }])
  return results as RpcTraceResults
}
