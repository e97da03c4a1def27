// Blocks, headers, receipts and transactions as RLP or EIP-2718 bytes.

import { encodeSealedBlock } from '../../chain/block/block.ts'
import { encodeReceipt } from '../../execution/transaction/receipt.ts'
import { requireBlock } from '../../node/lookup.ts'
import { bytesToHex } from '../../primitives/hex.ts'
import { loadOnce } from '../../primitives/loading.ts'
import { encodeHeader } from '../../rollup/header.ts'
import { data, hash } from '../codecs/basic.ts'
import { block, blockTagOrNumber } from '../codecs/block.ts'
import { optional, required } from '../codecs/codec.ts'
import {
  callBundles,
  DEFAULT_CALL_TRACE,
  DEFAULT_TRACE,
  LATEST_END,
  stateContext,
  traceCallConfig,
  traceConfig,
} from '../codecs/trace-config.ts'
import { transactionRequest } from '../codecs/transaction-request.ts'
import { defineRead } from '../method.ts'
import { traceCallsBefore } from '../search-on-fork.ts'
import { TRANSFER, ZEROS } from './examples.ts'
import { eth_getRawTransactionByHash } from './transaction.ts'

export const debug_getRawBlock = defineRead({
  summary: 'A block as RLP.',
  params: [required('block', block, 'block')],
  result: 'data',
  example: { params: ['latest'] },
  handle: ({ config, state }, selector) =>
    bytesToHex(encodeSealedBlock(requireBlock(config, state, selector).block())),
})

export const debug_getRawHeader = defineRead({
  summary: 'The header of a block as RLP. Its keccak-256 is the hash of the block.',
  params: [required('block', block, 'block')],
  result: 'data',
  example: { params: ['latest'] },
  handle({ config, state }, selector) {
    const { rules, header } = requireBlock(config, state, selector).block()
    return bytesToHex(encodeHeader(rules, header))
  },
})

export const debug_getRawReceipts = defineRead({
  summary: 'The receipts of a block as EIP-2718 bytes, as in the receipts trie.',
  params: [required('block', block, 'block')],
  result: 'array of data',
  example: { params: ['latest'] },
  handle: ({ config, state }, selector) =>
    requireBlock(config, state, selector).executed.map((executed) => bytesToHex(encodeReceipt(executed))),
})

export const debug_getRawTransaction = defineRead({
  ...eth_getRawTransactionByHash,
  summary: 'The same as eth_getRawTransactionByHash.',
})

const config = optional('config', traceConfig, DEFAULT_TRACE)
const callConfig = optional('config', traceCallConfig, DEFAULT_CALL_TRACE)

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
  async handle(context, selector, choice) {
    const { requireTracedBlock, traceBlock } = await tracing()
    return traceBlock(context, requireTracedBlock(context, selector), choice)
  },
})

export const debug_traceBlockByHash = defineRead({
  summary: 'The same as debug_traceBlockByNumber, for the block with a hash.',
  params: [required('blockHash', hash, 'block'), config],
  result: BLOCK_RESULT,
  example: { params: [ZEROS], error: 'tracedBlockNotFound' },
  async handle(context, blockHash, choice) {
    const { requireTracedBlock, traceBlock } = await tracing()
    return traceBlock(context, requireTracedBlock(context, { blockHash }), choice)
  },
})

export const debug_traceBlock = defineRead({
  summary:
    'The same as debug_traceBlockByNumber, for a block as RLP. It need not be of this chain, but its parent must be.',
  params: [required('block', data), config],
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
  params: [required('bundles', callBundles), optional('stateContext', stateContext, LATEST_END), callConfig],
  beforeFork: traceCallsBefore,
  result: 'array of arrays of traces, as of debug_traceTransaction',
  example: {
    params: [[{ transactions: [TRANSFER] }], { blockNumber: 'latest' }, { tracer: 'callTracer' }],
  },
  handle: async (...asked) => (await tracing()).traceBundles(...asked),
})
