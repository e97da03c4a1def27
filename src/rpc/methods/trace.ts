// Call traces, state differences and operations, in the shapes of OpenEthereum's trace module.

import type { CallMessage } from '../../execution/call/run-call.ts'
import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { findBlock, findTransaction, requireBlock } from '../../node/lookup.ts'
import { type Replayed, replay } from '../../node/replay.ts'
import { replayFrames } from '../../node/replay-frames.ts'
import { decodeTransaction } from '../../pool/decode.ts'
import { failure } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { load } from '../../primitives/loading.ts'
import { NO_STATE_OVERRIDES } from '../../state/overrides.ts'
import { arrayOf, data, hash } from '../codecs/basic.ts'
import { block } from '../codecs/block.ts'
import { optional, required } from '../codecs/codec.ts'
import { integer } from '../codecs/numbers.ts'
import { blockOverrides, stateOverrides } from '../codecs/overrides.ts'
import { traceFilter, traceTypes, typedCalls } from '../codecs/trace.ts'
import { type TransactionRequest, transactionRequest } from '../codecs/transaction-request.ts'
import { callOf } from '../flavor/calls.ts'
import { formatLocalizedTraces, formatRewards, type RpcLocalizedTrace } from '../format/trace.ts'
import { defineRead } from '../method.ts'
import type { ReadContext } from '../read-context.ts'
import { environmentOfCall, toCallMessage } from '../requests/call-message.ts'
import { type CallSite, callSiteAt } from '../requests/call-site.ts'
import { filterTraces, rewardsIn } from '../requests/trace-filter.ts'
import { type RpcTraceResults, type TypeRecorder, typeRecorders } from '../requests/trace-types.ts'

const EXAMPLE_HASH = `0x${'11'.repeat(32)}`
/** The first account's transaction with nonce 0: 1 wei to the second, at up to 3 gwei, of which 1 is the tip. */
const EXAMPLE_RAW =
  '0x02f86c827a6980843b9aca0084b2d05e008252089470997970c51812dc3a010c7d01b50e0d17dc79c80180c001a0d88980f37a89' +
  '35c23f1c351cc55f4ed8641bf9d83b653de340f6cd516725197ea02c92763070333bf460cf77eb3f613d5177b7a63b37d324c744a9' +
  '4a1946edc0db'
const EXAMPLE_CALL = {
  from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  value: '0x1',
}

const hashParameter = required('transactionHash', hash)
const typesParameter = required('traceTypes', traceTypes)
const blockParameter = optional('block', block, 'latest')
const RESULTS = 'object with output, stateDiff, trace and vmTrace; null or empty for what was not asked for'

async function tracesOf(
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

export const trace_transaction = defineRead({
  summary: 'The call traces of a transaction, sealed or pre-confirmed.',
  params: [hashParameter],
  result: 'array of traces, or null if the transaction is in no block',
  example: { params: [EXAMPLE_HASH] },
  handle: tracesOf,
})

export const trace_get = defineRead({
  summary:
    'One call trace of a transaction, by its trace address: `[]` is the transaction itself, `["0x0"]` its first call.',
  params: [hashParameter, required('traceAddress', arrayOf(integer, 1024))],
  result: 'trace, or null if there is none',
  example: { params: [EXAMPLE_HASH, ['0x0']] },
  async handle(context, transactionHash, address) {
    const traces = await tracesOf(context, transactionHash)
    return traces?.find(({ traceAddress }) => `${traceAddress}` === `${address}`) ?? null
  },
})

export const trace_block = defineRead({
  summary:
    'The call traces of all transactions of a block, and the rewards of proof of work; with `pending`, of those pre-confirmed so far.',
  params: [required('block', block)],
  result: 'array of traces, or null if there is no such block',
  example: { params: ['latest'] },
  async handle({ config, state, options, present }, selector) {
    const view = findBlock(config, state, selector)
    if (view === undefined) return null
    const presented = present(view)
    const traced = await replayFrames(config, state, view, options.limits.traceBytes)
    const traces = traced.flatMap(({ executed, root }) => formatLocalizedTraces(presented, executed, root))
    return [...traces, ...formatRewards(presented, rewardsIn(view))]
  },
})

export const trace_filter = defineRead({
  summary:
    'The call traces of a range of blocks, by sender and recipient: of either (`mode` union, the default) or of both (intersection).',
  params: [required('filter', traceFilter)],
  result: 'array of traces',
  example: { params: [{ fromBlock: '0x0', toBlock: 'latest', count: 10 }] },
  handle: filterTraces,
})

function resultsOf(recorder: TypeRecorder, { executed, before, after }: Replayed): RpcTraceResults {
  return recorder.results({ returnData: executed.returnData, before, after })
}

export const trace_replayTransaction = defineRead({
  summary: 'Runs a transaction again on the state before it, and answers with traces of the types asked for.',
  params: [hashParameter, typesParameter],
  result: RESULTS,
  example: { params: [EXAMPLE_HASH, ['trace']], error: 'transactionNotFound' },
  async handle(context, transactionHash, types) {
    const { config, state, options } = context
    const found = findTransaction(state, transactionHash)
    if (found === undefined || 'pooled' in found)
      throw failure('transactionNotFound', { hash: transactionHash, isPooled: found !== undefined })
    const recorder = typeRecorders(options.limits)(types)
    const { index } = found.executed
    const range = { from: index, to: index + 1 }
    const replayed = await replay(config, state, found.view, range, () => recorder.observer)
    return resultsOf(recorder, replayed[0] as Replayed)
  },
})

export const trace_replayBlockTransactions = defineRead({
  summary:
    'Runs the transactions of a block again, and answers with traces of the types asked for; with `pending`, those pre-confirmed so far.',
  params: [required('block', block), typesParameter],
  result: `array of ${RESULTS}; each with its transactionHash; null if there is no such block`,
  example: { params: ['latest', ['trace', 'stateDiff']] },
  async handle({ config, state, options }, selector, types) {
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
  },
})

interface Prepared {
  readonly message: CallMessage
  readonly environment: BlockEnvironment
  readonly recorder: TypeRecorder
}

/** Runs each call on the state that the one before left. */
async function traceInTurn(site: CallSite, calls: readonly Prepared[]): Promise<RpcTraceResults[]> {
  const { traceCall } = await load(import('../../execution/call/trace-call.ts'))
  const results: RpcTraceResults[] = []
  let before = site.state
  for (const { message, environment, recorder } of calls) {
    const { result, after } = await traceCall(
      site.execution,
      before,
      environment,
      message,
      () => recorder.observer,
    )
    results.push(recorder.results({ returnData: result.returnData, before, after }))
    before = after
  }
  return results
}

export const trace_call = defineRead({
  summary:
    'Executes a call as eth_call does, with overrides if given, and answers with traces of the types asked for. Changes nothing.',
  params: [
    required('transaction', transactionRequest),
    typesParameter,
    blockParameter,
    optional('stateOverrides', stateOverrides, NO_STATE_OVERRIDES),
    optional('blockOverrides', blockOverrides, undefined),
  ],
  result: RESULTS,
  example: { params: [EXAMPLE_CALL, ['trace', 'stateDiff']] },
  async handle(context, request, types, selector, accounts, blockFields) {
    const view = requireBlock(context.config, context.state, selector)
    const site = callSiteAt(context, view, accounts, blockFields)
    const recorder = typeRecorders(context.options.limits)(types)
    const call = { ...callOf(context, site, request, blockFields), recorder }
    const [results] = await traceInTurn(site, [call])
    return results as RpcTraceResults
  },
})

export const trace_callMany = defineRead({
  summary:
    'The same for several calls, each on the state that the calls before it left. Each is given with the types of its traces.',
  params: [required('calls', typedCalls), blockParameter],
  result: `array of ${RESULTS}`,
  example: {
    params: [
      [
        [EXAMPLE_CALL, ['trace']],
        [EXAMPLE_CALL, ['stateDiff']],
      ],
    ],
  },
  handle(context, calls, selector) {
    const view = requireBlock(context.config, context.state, selector)
    const site = callSiteAt(context, view, NO_STATE_OVERRIDES, undefined)
    const record = typeRecorders(context.options.limits)
    const prepared = calls.map(({ request, types }) => ({
      ...callOf(context, site, request, undefined),
      recorder: record(types),
    }))
    return traceInTurn(site, prepared)
  },
})

/** The call that a transaction makes. */
function requestOf(transaction: Transaction): TransactionRequest {
  const { sender, gasLimit, ...fields } = transaction
  return { ...fields, from: sender, gas: gasLimit, gasPrice: undefined }
}

export const trace_rawTransaction = defineRead({
  summary:
    'Executes a signed transaction without submitting it, whatever its nonce, and answers with traces of the types asked for.',
  params: [required('data', data), typesParameter, blockParameter],
  result: RESULTS,
  example: { params: [EXAMPLE_RAW, ['trace', 'stateDiff']] },
  async handle(context, raw, types, selector) {
    const { config, state, options } = context
    const site = callSiteAt(context, requireBlock(config, state, selector), NO_STATE_OVERRIDES, undefined)
    const message = toCallMessage(options.limits, site, requestOf(decodeTransaction(raw)))
    const environment = environmentOfCall(site, message, undefined)
    const recorder = typeRecorders(options.limits)(types)
    const [results] = await traceInTurn(site, [{ message, environment, recorder }])
    return results as RpcTraceResults
  },
})
