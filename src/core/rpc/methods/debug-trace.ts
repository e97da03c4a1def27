// Traces of transactions, blocks and calls, by geth's tracers.

import { loadOnce } from '../../primitives/loading.ts'
import { data, hash } from '../codecs/basic.ts'
import { block, blockTagOrNumber } from '../codecs/block.ts'
import { optional, required } from '../codecs/codec.ts'
import { callBundles, LATEST_END, stateContext } from '../codecs/trace-bundle.ts'
import { DEFAULT_CALL_TRACE, DEFAULT_TRACE, traceCallConfig, traceConfig } from '../codecs/trace-config.ts'
import { transactionRequest } from '../codecs/transaction-request.ts'
import { defineRead } from '../method.ts'
import { traceCallsBefore } from '../search-on-fork.ts'

const EXAMPLE_CALL = {
  from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  value: '0x1',
}

const config = optional('config', traceConfig, DEFAULT_TRACE)
const callConfig = optional('config', traceCallConfig, DEFAULT_CALL_TRACE)

const BLOCK_RESULT = 'array of objects with txHash and result'

// Loaded with the first trace.
const tracing = loadOnce(() => import('../requests/trace.ts'))
const callTracing = loadOnce(() => import('../requests/trace-calls.ts'))

export const debug_traceTransaction = defineRead({
  summary:
    'Runs a transaction again and returns its trace: its steps, or what the named tracer tells. Pre-confirmed transactions have one, too.',
  params: [required('transactionHash', hash), config],
  beforeFork: ['transaction', 0],
  result: 'by tracer; without one, object with gas, failed, returnValue and structLogs',
  example: { params: [`0x${'00'.repeat(32)}`], error: 'transactionNotFound' },
  async handle(context, transactionHash, choice) {
    const { traceTransaction } = await tracing()
    return traceTransaction(context, transactionHash, choice)
  },
})

export const debug_traceBlockByNumber = defineRead({
  summary: 'Runs the transactions of a block again and returns their traces.',
  params: [required('block', blockTagOrNumber), config],
  beforeFork: ['block', 0],
  result: BLOCK_RESULT,
  example: { params: ['pending', { tracer: 'callTracer' }] },
  async handle(context, selector, choice) {
    const { requireTracedBlock, traceBlock } = await tracing()
    return traceBlock(context, requireTracedBlock(context, selector), choice)
  },
})

export const debug_traceBlockByHash = defineRead({
  summary: 'The same as debug_traceBlockByNumber, for the block with a hash.',
  params: [required('blockHash', hash), config],
  beforeFork: ['block', 0],
  result: BLOCK_RESULT,
  example: { params: [`0x${'00'.repeat(32)}`], error: 'tracedBlockNotFound' },
  async handle(context, blockHash, choice) {
    const { requireTracedBlock, traceBlock } = await tracing()
    return traceBlock(context, requireTracedBlock(context, { blockHash }), choice)
  },
})

export const debug_traceBlock = defineRead({
  summary:
    'The same as debug_traceBlockByNumber, for a block as RLP. It need not be of this chain, but its parent must be.',
  params: [required('block', data), config],
  beforeFork: 'handler',
  result: BLOCK_RESULT,
  example: { params: ['0xc0'], error: 'undecodableBlocks' },
  async handle(context, rlp, choice) {
    const { decodedBlock, traceBlock } = await tracing()
    return traceBlock(context, await decodedBlock(context, rlp), choice)
  },
})

export const debug_traceCall = defineRead({
  summary:
    'Executes a call on the state of a block, or before one of its transactions (`txIndex`), with overrides if given, and returns its trace. Changes nothing.',
  params: [required('transaction', transactionRequest), optional('block', block, 'latest'), callConfig],
  beforeFork: ['state', 1],
  result: 'as of debug_traceTransaction',
  example: { params: [EXAMPLE_CALL, 'latest', { tracer: 'callTracer' }] },
  async handle(context, request, selector, given) {
    const { traceOneCall } = await callTracing()
    return traceOneCall(context, request, selector, given)
  },
})

export const debug_traceCallMany = defineRead({
  summary:
    'Executes bundles of calls, each call on the state after the one before, and returns their traces. As in reth, state overrides apply before the first call, and each further bundle is in the next block. Changes nothing.',
  params: [required('bundles', callBundles), optional('stateContext', stateContext, LATEST_END), callConfig],
  beforeFork: traceCallsBefore,
  result: 'array of arrays of traces, as of debug_traceTransaction',
  example: {
    params: [[{ transactions: [EXAMPLE_CALL] }], { blockNumber: 'latest' }, { tracer: 'callTracer' }],
  },
  async handle(context, bundles, place, given) {
    const { traceBundles } = await callTracing()
    return traceBundles(context, bundles, place, given)
  },
})
