// Blocks, headers, receipts and transactions as bytes; traces of geth's tracers and of OpenEthereum's module.

import { encodeSealedBlock } from '../../chain/block/block.ts'
import { encodeReceipt } from '../../execution/transaction/transaction.ts'
import { requireBlock } from '../../node/lookup.ts'
import { bytesToHex } from '../../primitives/hex.ts'
import { load, loadOnce } from '../../primitives/loading.ts'
import { encodeHeader } from '../../rollup/header.ts'
import { NO_STATE_OVERRIDES } from '../../state/overrides.ts'
import { arrayOf, block, blockTagOrNumber, data, hash } from '../codecs/basic.ts'
import { integer, optional, required } from '../codecs/codec.ts'
import { blockOverrides, stateOverrides, transactionRequest } from '../codecs/overrides.ts'
import * as traceCodecs from '../codecs/trace-config.ts'
import { callOf } from '../flavor/chain.ts'
import { defineRead } from '../method.ts'
import { callSiteIn } from '../requests/call-message.ts'
import { filterTracesBefore, traceCallsBefore } from '../search-on-fork.ts'
import { NO_HASH, RAW_TRANSFER, TRANSFER, ZEROS } from './examples.ts'
import { eth_getRawTransactionByHash } from './transaction.ts'

export const debug_getRawBlock = defineRead({
  summary: 'A block as RLP.',
  params: [required('block', block, 'block')],
  result: 'data',
  handle: ({ state }, selector) => bytesToHex(encodeSealedBlock(requireBlock(state, selector).block())),
})

export const debug_getRawHeader = defineRead({
  summary: 'The header of a block as RLP. Its keccak-256 is the hash of the block.',
  params: [required('block', block, 'block')],
  result: 'data',
  handle({ state }, selector) {
    const { rules, header } = requireBlock(state, selector).block()
    return bytesToHex(encodeHeader(rules, header))
  },
})

export const debug_getRawReceipts = defineRead({
  summary: 'The receipts of a block as EIP-2718 bytes, as in the receipts trie.',
  params: [required('block', block, 'block')],
  result: 'array of data',
  handle: ({ state }, selector) =>
    requireBlock(state, selector).executed.map((executed) => bytesToHex(encodeReceipt(executed))),
})

export const debug_getRawTransaction = defineRead({
  ...eth_getRawTransactionByHash,
  summary: 'The same as eth_getRawTransactionByHash.',
})

const config = optional('config', traceCodecs.traceConfig, traceCodecs.DEFAULT_TRACE)
const callConfig = optional('config', traceCodecs.traceCallConfig, traceCodecs.DEFAULT_CALL_TRACE)

const BLOCK_RESULT = 'array of objects with txHash and result'

// Loaded with the first trace.
const tracing = loadOnce(() => import('../requests/trace.ts'))

export const debug_traceTransaction = defineRead({
  summary:
    'Runs a transaction again and returns its trace: its steps, or what the named tracer tells. Pre-confirmed transactions have one, too.',
  params: [required('transactionHash', hash, 'transaction'), config],
  result: 'by tracer; without one, object with gas, failed, returnValue and structLogs',
  example: { params: [ZEROS], error: 'transactionNotFound' },
  handle: async (...asked) => (await tracing()).traceTransaction(...asked),
})

export const debug_traceBlockByNumber = defineRead({
  summary: 'Runs the transactions of a block again and returns their traces.',
  params: [required('block', blockTagOrNumber, 'block'), config],
  result: BLOCK_RESULT,
  example: { params: ['pending', { tracer: 'callTracer' }] },
  handle: async (...asked) => (await tracing()).traceBlockAt(...asked),
})

export const debug_traceBlockByHash = defineRead({
  summary: 'The same as debug_traceBlockByNumber, for the block with a hash.',
  params: [required('blockHash', hash, 'block'), config],
  result: BLOCK_RESULT,
  example: { params: [ZEROS], error: 'tracedBlockNotFound' },
  handle: async (context, blockHash, choice) =>
    (await tracing()).traceBlockAt(context, { blockHash }, choice),
})

export const debug_traceBlock = defineRead({
  summary:
    'The same as debug_traceBlockByNumber, for a block as RLP. It need not be of this chain, but its parent must be.',
  params: [required('block', data), config],
  result: BLOCK_RESULT,
  example: { params: ['0xc0'], error: 'undecodableBlocks' },
  handle: async (...asked) => (await tracing()).traceDecoded(...asked),
})

export const debug_traceCall = defineRead({
  summary:
    'Executes a call on the state of a block, or before one of its transactions (`txIndex`), with overrides if given, and returns its trace. Changes nothing.',
  params: [
    required('transaction', transactionRequest),
    optional('block', block, 'latest', 'state'),
    callConfig,
  ],
  result: 'as of debug_traceTransaction',
  example: { params: [TRANSFER, 'latest', { tracer: 'callTracer' }] },
  handle: async (...asked) => (await tracing()).traceOneCall(...asked),
})

export const debug_traceCallMany = defineRead({
  summary:
    'Executes bundles of calls, each call on the state after the one before, and returns their traces. As in reth, state overrides apply before the first call, and each further bundle is in the next block. Changes nothing.',
  params: [
    required('bundles', traceCodecs.callBundles),
    optional('stateContext', traceCodecs.stateContext, traceCodecs.LATEST_END),
    callConfig,
  ],
  beforeFork: traceCallsBefore,
  result: 'array of arrays of traces, as of debug_traceTransaction',
  example: {
    params: [[{ transactions: [TRANSFER] }], { blockNumber: 'latest' }, { tracer: 'callTracer' }],
  },
  handle: async (...asked) => (await tracing()).traceBundles(...asked),
})

const hashParameter = required('transactionHash', hash, 'transaction')
const typesParameter = required('traceTypes', traceCodecs.traceTypes)
const blockParameter = optional('block', block, 'latest', 'state')
const RESULTS = 'object with output, stateDiff, trace and vmTrace; null or empty for what was not asked for'

// Loaded with their first use, as few tests ask these methods.
const loadModule = loadOnce(() => import('../requests/trace-module.ts'))

export const trace_transaction = defineRead({
  summary: 'The call traces of a transaction, sealed or pre-confirmed.',
  params: [hashParameter],
  result: 'array of traces, or null if the transaction is in no block',
  handle: async (...asked) => (await loadModule()).tracesOfTransaction(...asked),
})

export const trace_get = defineRead({
  summary:
    'One call trace of a transaction, by its trace address: `[]` is the transaction itself, `["0x0"]` its first call.',
  params: [hashParameter, required('traceAddress', arrayOf(integer, 1024))],
  result: 'trace, or null if there is none',
  example: { params: [NO_HASH, ['0x0']] },
  async handle(context, transactionHash, address) {
    const traces = await (await loadModule()).tracesOfTransaction(context, transactionHash)
    return traces?.find(({ traceAddress }) => `${traceAddress}` === `${address}`) ?? null
  },
})

export const trace_block = defineRead({
  summary:
    'The call traces of all transactions of a block, and the rewards of proof of work; with `pending`, of those pre-confirmed so far.',
  params: [required('block', block, 'block')],
  result: 'array of traces, or null if there is no such block',
  handle: async (...asked) => (await loadModule()).tracesOfBlock(...asked),
})

export const trace_filter = defineRead({
  summary:
    'The call traces of a range of blocks, by sender and recipient: of either (`mode` union, the default) or of both (intersection).',
  params: [required('filter', traceCodecs.traceFilter)],
  beforeFork: filterTracesBefore,
  result: 'array of traces',
  example: { params: [{ fromBlock: '0x0', toBlock: 'latest', count: 10 }] },
  handle: async (...asked) => (await load(import('../requests/trace-filter.ts'))).filterTraces(...asked),
})

export const trace_replayTransaction = defineRead({
  summary: 'Runs a transaction again on the state before it, and answers with traces of the types asked for.',
  params: [hashParameter, typesParameter],
  result: RESULTS,
  example: { params: [NO_HASH, ['trace']], error: 'transactionNotFound' },
  handle: async (...asked) => (await loadModule()).replayTransaction(...asked),
})

export const trace_replayBlockTransactions = defineRead({
  summary:
    'Runs the transactions of a block again, and answers with traces of the types asked for; with `pending`, those pre-confirmed so far.',
  params: [required('block', block, 'block'), typesParameter],
  result: `array of ${RESULTS}; each with its transactionHash; null if there is no such block`,
  example: { params: ['latest', ['trace', 'stateDiff']] },
  handle: async (...asked) => (await loadModule()).replayBlock(...asked),
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
  result: RESULTS,
  example: { params: [TRANSFER, ['trace', 'stateDiff']] },
  async handle(context, request, types, selector, accounts, blockFields) {
    const site = callSiteIn(context, selector, accounts, blockFields)
    const call = { ...callOf(context, site, request, blockFields), types }
    const [results] = await (await loadModule()).traceInTurn(context, [call])
    return results
  },
})

export const trace_callMany = defineRead({
  summary:
    'The same for several calls, each on the state that the calls before it left. Each is given with the types of its traces.',
  params: [required('calls', traceCodecs.typedCalls), blockParameter],
  result: `array of ${RESULTS}`,
  example: {
    params: [
      [
        [TRANSFER, ['trace']],
        [TRANSFER, ['stateDiff']],
      ],
    ],
  },
  handle: async (...asked) => (await loadModule()).traceCalls(...asked),
})

export const trace_rawTransaction = defineRead({
  summary:
    'Executes a signed transaction without submitting it, whatever its nonce, and answers with traces of the types asked for.',
  params: [required('data', data), typesParameter, blockParameter],
  result: RESULTS,
  example: { params: [RAW_TRANSFER, ['trace', 'stateDiff']] },
  handle: async (...asked) => (await loadModule()).traceRaw(...asked),
})
