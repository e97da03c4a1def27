// Traces of transactions, blocks and calls, by geth's tracers.

import { openBlock } from '../../chain/block/block.ts'
import { executeTransactions } from '../../chain/block/execute-block.ts'
import { hashHeader } from '../../chain/block/header.ts'
import { blockByHash } from '../../chain/chain.ts'
import { decodeBlocks } from '../../chain/import/decode-block.ts'
import { environmentOf } from '../../chain/import/import-block.ts'
import { type BlockView, viewOfOpen, viewOfSealed } from '../../chain/view.ts'
import type { BlockOverrides } from '../../execution/call/block-overrides.ts'
import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import { findTransaction } from '../../node/lookup.ts'
import { executionContext, scheduleIn } from '../../node/node-state.ts'
import { failure } from '../../primitives/errors.ts'
import { overrideState } from '../../state/overrides.ts'
import { data, hash } from '../codecs/basic.ts'
import { block, blockTagOrNumber } from '../codecs/block.ts'
import { optional, required } from '../codecs/codec.ts'
import { callBundles, LATEST_END, stateContext } from '../codecs/trace-bundle.ts'
import { DEFAULT_CALL_TRACE, DEFAULT_TRACE, traceCallConfig, traceConfig } from '../codecs/trace-config.ts'
import { transactionRequest } from '../codecs/transaction-request.ts'
import { callOf } from '../flavor/calls.ts'
import { defineRead } from '../method.ts'
import type { ReadContext } from '../read-context.ts'
import { callSiteAt } from '../requests/call-site.ts'
import {
  budgetOf,
  requireTracedBlock,
  stateAtIndex,
  traceBlock,
  traceCallAt,
  traceFound,
} from '../requests/trace.ts'

const EXAMPLE_CALL = {
  from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  value: '0x1',
}

const config = optional('config', traceConfig, DEFAULT_TRACE)
const callConfig = optional('config', traceCallConfig, DEFAULT_CALL_TRACE)

const NO_BLOCK_OVERRIDES: BlockOverrides = {
  ...{ number: undefined, timestamp: undefined, coinbase: undefined, gasLimit: undefined },
  ...{ prevRandao: undefined, baseFeePerGas: undefined, blobBaseFee: undefined, difficulty: undefined },
}

const BLOCK_RESULT = 'array of objects with txHash and result'

export const debug_traceTransaction = defineRead({
  summary:
    'Runs a transaction again and returns its trace: its steps, or what the named tracer tells. Pre-confirmed transactions have one, too.',
  params: [required('transactionHash', hash), config],
  result: 'by tracer; without one, object with gas, failed, returnValue and structLogs',
  example: { params: [`0x${'00'.repeat(32)}`], error: 'transactionNotFound' },
  handle: (context, transactionHash, start) =>
    traceFound(context, transactionHash, findTransaction(context.state, transactionHash), start),
})

export const debug_traceBlockByNumber = defineRead({
  summary: 'Runs the transactions of a block again and returns their traces.',
  params: [required('block', blockTagOrNumber), config],
  result: BLOCK_RESULT,
  example: { params: ['pending', { tracer: 'callTracer' }] },
  handle: (context, selector, start) => traceBlock(context, requireTracedBlock(context, selector), start),
})

export const debug_traceBlockByHash = defineRead({
  summary: 'The same as debug_traceBlockByNumber, for the block with a hash.',
  params: [required('blockHash', hash), config],
  result: BLOCK_RESULT,
  example: { params: [`0x${'00'.repeat(32)}`], error: 'tracedBlockNotFound' },
  handle: (context, blockHash, start) =>
    traceBlock(context, requireTracedBlock(context, { blockHash }), start),
})

/** The block of these bytes; a foreign one is executed on its parent. As in geth, its header is not checked. */
async function blockOf({ config, state }: ReadContext, rlp: Uint8Array): Promise<BlockView> {
  const { chain } = state
  const [decoded, ...others] = decodeBlocks(rlp)
  if (decoded === undefined || others.length > 0) {
    const count = decoded === undefined ? 0 : others.length + 1
    throw failure('undecodableBlocks', { reason: `expected one block, got ${count}` })
  }
  const { header, transactions } = decoded
  const rules = scheduleIn(config, state).rulesAt(header)
  const environment = environmentOf(rules, header)
  const hash = hashHeader(rules, { ...environment, ...header })
  const known = blockByHash(chain, hash)
  if (known !== undefined) return viewOfSealed(known)
  const parent = blockByHash(chain, header.parentHash)
  if (parent === undefined) throw failure('tracedBlockNotFound', { block: header.parentHash })
  const execution = executionContext(config, state, rules)
  const open = await executeTransactions(execution, openBlock(rules, parent, environment), transactions)
  const view = viewOfOpen(open)
  return { ...view, isPending: false, block: () => ({ ...view.block(), hash }) }
}

export const debug_traceBlock = defineRead({
  summary:
    'The same as debug_traceBlockByNumber, for a block as RLP. It need not be of this chain, but its parent must be.',
  params: [required('block', data), config],
  result: BLOCK_RESULT,
  example: { params: ['0xc0'], error: 'undecodableBlocks' },
  handle: async (context, rlp, start) => traceBlock(context, await blockOf(context, rlp), start),
})

export const debug_traceCall = defineRead({
  summary:
    'Executes a call on the state of a block, or before one of its transactions (`txIndex`), with overrides if given, and returns its trace. Changes nothing.',
  params: [required('transaction', transactionRequest), optional('block', block, 'latest'), callConfig],
  result: 'as of debug_traceTransaction',
  example: { params: [EXAMPLE_CALL, 'latest', { tracer: 'callTracer' }] },
  async handle(context, request, selector, { start, accounts, block: fields, txIndex }) {
    const view = requireTracedBlock(context, selector)
    const { rules, environment: own } = view
    const state = await stateAtIndex(context, view, txIndex)
    const site = callSiteAt(context, { rules, environment: own, state }, accounts, fields)
    const { message, environment } = callOf(context, site, request, fields)
    const { result } = await traceCallAt(context, site, environment, message, start, budgetOf(context))
    return result
  },
})

/** The fields of a bundle's block: those of its own, or the block's so many blocks later. */
function fieldsOf(
  { state }: ReadContext,
  { number, timestamp }: BlockEnvironment,
  own: BlockOverrides | undefined,
  later: number,
): BlockOverrides | undefined {
  if (later === 0) return own
  const seconds = Math.max(1, Math.ceil(state.settings.blockTimeMs / 1000))
  return {
    ...(own ?? NO_BLOCK_OVERRIDES),
    number: own?.number ?? number + later,
    timestamp: own?.timestamp ?? timestamp + later * seconds,
  }
}

export const debug_traceCallMany = defineRead({
  summary:
    'Executes bundles of calls, each call on the state after the one before, and returns their traces. As in reth, state overrides apply before the first call, and each further bundle is in the next block. Changes nothing.',
  params: [required('bundles', callBundles), optional('stateContext', stateContext, LATEST_END), callConfig],
  result: 'array of arrays of traces, as of debug_traceTransaction',
  example: {
    params: [[{ transactions: [EXAMPLE_CALL] }], { blockNumber: 'latest' }, { tracer: 'callTracer' }],
  },
  async handle(context, bundles, { block: selector, index }, { start, accounts, block: fields, txIndex }) {
    const view = requireTracedBlock(context, selector)
    const { rules, environment: own } = view
    const budget = budgetOf(context)
    let state = overrideState(await stateAtIndex(context, view, index ?? txIndex), accounts)
    const traces: unknown[][] = []
    for (const [later, bundle] of bundles.entries()) {
      const overrides = fieldsOf(context, own, bundle.block ?? fields, later)
      const results: unknown[] = []
      for (const request of bundle.calls) {
        const place = { rules, environment: own, state }
        // The state has the overrides; precompiles have them at every call.
        const site = { ...callSiteAt(context, place, accounts, overrides), state }
        const { message, environment } = callOf(context, site, request, overrides)
        const { result, after } = await traceCallAt(context, site, environment, message, start, budget)
        results.push(result)
        state = after
      }
      traces.push(results)
    }
    return traces
  },
})
