// Call traces, state differences and operations, in the shapes of OpenEthereum's trace module.

import { requireBlock } from '../../node/lookup.ts'
import { load, loadOnce } from '../../primitives/loading.ts'
import { NO_STATE_OVERRIDES } from '../../state/overrides.ts'
import { arrayOf, data, hash } from '../codecs/basic.ts'
import { block } from '../codecs/block.ts'
import { optional, required } from '../codecs/codec.ts'
import { integer } from '../codecs/numbers.ts'
import { blockOverrides, stateOverrides } from '../codecs/overrides.ts'
import { traceFilter, traceTypes, typedCalls } from '../codecs/trace.ts'
import { transactionRequest } from '../codecs/transaction-request.ts'
import { callOf } from '../flavor/calls.ts'
import { defineRead } from '../method.ts'
import { callSiteAt } from '../requests/call-site.ts'
import { filterTraces } from '../search-on-fork.ts'

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

// Loaded with their first use, as few tests ask these methods.
const loadModule = loadOnce(() => import('../requests/trace-module.ts'))

export const trace_transaction = defineRead({
  summary: 'The call traces of a transaction, sealed or pre-confirmed.',
  params: [hashParameter],
  beforeFork: ['transaction', 0],
  result: 'array of traces, or null if the transaction is in no block',
  example: { params: [EXAMPLE_HASH] },
  async handle(context, transactionHash) {
    const { tracesOfTransaction } = await loadModule()
    return tracesOfTransaction(context, transactionHash)
  },
})

export const trace_get = defineRead({
  summary:
    'One call trace of a transaction, by its trace address: `[]` is the transaction itself, `["0x0"]` its first call.',
  params: [hashParameter, required('traceAddress', arrayOf(integer, 1024))],
  beforeFork: ['transaction', 0],
  result: 'trace, or null if there is none',
  example: { params: [EXAMPLE_HASH, ['0x0']] },
  async handle(context, transactionHash, address) {
    const { tracesOfTransaction } = await loadModule()
    const traces = await tracesOfTransaction(context, transactionHash)
    return traces?.find(({ traceAddress }) => `${traceAddress}` === `${address}`) ?? null
  },
})

export const trace_block = defineRead({
  summary:
    'The call traces of all transactions of a block, and the rewards of proof of work; with `pending`, of those pre-confirmed so far.',
  params: [required('block', block)],
  beforeFork: ['block', 0],
  result: 'array of traces, or null if there is no such block',
  example: { params: ['latest'] },
  async handle(context, selector) {
    const { tracesOfBlock } = await loadModule()
    return tracesOfBlock(context, selector)
  },
})

export const trace_filter = defineRead({
  summary:
    'The call traces of a range of blocks, by sender and recipient: of either (`mode` union, the default) or of both (intersection).',
  params: [required('filter', traceFilter)],
  beforeFork: filterTraces,
  result: 'array of traces',
  example: { params: [{ fromBlock: '0x0', toBlock: 'latest', count: 10 }] },
  async handle(context, filter) {
    const { filterTraces } = await load(import('../requests/trace-filter.ts'))
    return filterTraces(context, filter)
  },
})

export const trace_replayTransaction = defineRead({
  summary: 'Runs a transaction again on the state before it, and answers with traces of the types asked for.',
  params: [hashParameter, typesParameter],
  beforeFork: ['transaction', 0],
  result: RESULTS,
  example: { params: [EXAMPLE_HASH, ['trace']], error: 'transactionNotFound' },
  async handle(context, transactionHash, types) {
    const { replayTransaction } = await loadModule()
    return replayTransaction(context, transactionHash, types)
  },
})

export const trace_replayBlockTransactions = defineRead({
  summary:
    'Runs the transactions of a block again, and answers with traces of the types asked for; with `pending`, those pre-confirmed so far.',
  params: [required('block', block), typesParameter],
  beforeFork: ['block', 0],
  result: `array of ${RESULTS}; each with its transactionHash; null if there is no such block`,
  example: { params: ['latest', ['trace', 'stateDiff']] },
  async handle(context, selector, types) {
    const { replayBlock } = await loadModule()
    return replayBlock(context, selector, types)
  },
})

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
  beforeFork: ['state', 2],
  result: RESULTS,
  example: { params: [EXAMPLE_CALL, ['trace', 'stateDiff']] },
  async handle(context, request, types, selector, accounts, blockFields) {
    const view = requireBlock(context.config, context.state, selector)
    const site = callSiteAt(context, view, accounts, blockFields)
    const call = { ...callOf(context, site, request, blockFields), types }
    const { traceInTurn } = await loadModule()
    const [results] = await traceInTurn(context, site, [call])
    return results
  },
})

export const trace_callMany = defineRead({
  summary:
    'The same for several calls, each on the state that the calls before it left. Each is given with the types of its traces.',
  params: [required('calls', typedCalls), blockParameter],
  beforeFork: ['state', 1],
  result: `array of ${RESULTS}`,
  example: {
    params: [
      [
        [EXAMPLE_CALL, ['trace']],
        [EXAMPLE_CALL, ['stateDiff']],
      ],
    ],
  },
  async handle(context, calls, selector) {
    const { traceCalls } = await loadModule()
    return traceCalls(context, calls, selector)
  },
})

export const trace_rawTransaction = defineRead({
  summary:
    'Executes a signed transaction without submitting it, whatever its nonce, and answers with traces of the types asked for.',
  params: [required('data', data), typesParameter, blockParameter],
  beforeFork: ['state', 2],
  result: RESULTS,
  example: { params: [EXAMPLE_RAW, ['trace', 'stateDiff']] },
  async handle(context, raw, types, selector) {
    const { traceRaw } = await loadModule()
    return traceRaw(context, raw, types, selector)
  },
})
