// Runs of debug_trace*: transactions of a block, and calls on its state.

import { openBlock } from '../../chain/block/block.ts'
import { executeTransactions } from '../../chain/block/execute-block.ts'
import { type BlockView, blockAt, blockByHash, viewOfOpen, viewOfSealed } from '../../chain/chain.ts'
import { decodeBlocks } from '../../chain/import/decode-block.ts'
import type { BlockOverrides, CallSite } from '../../execution/call/run-call.ts'
import type { TraceBudget } from '../../execution/trace/call-frames.ts'
import { type BlockSelector, findBlock, requireIncluded } from '../../node/lookup.ts'
import { executionContext, scheduleIn } from '../../node/node-state.ts'
import { type ReplayRange, stateBefore } from '../../node/replay.ts'
import { failure } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { type BlockEnvironment, completeHeader, hashHeader } from '../../rollup/header.ts'
import { overrideState } from '../../state/overrides.ts'
import { blockOverrides, type TransactionRequest } from '../codecs/overrides.ts'
import type { StateContext, TraceCallConfig, TracedBundle, TracerChoice } from '../codecs/trace-config.ts'
import { callOf } from '../flavor/chain.ts'
import { type ReadContext, tellCall } from '../session.ts'
import { budgetOf, onlyOf, type TraceSubject, traceCallAt, traceTransactions } from '../tracers/tracer.ts'
import { startTracing } from '../tracers/tracers.ts'
import { callSiteAt } from './call-message.ts'

/** The block of a trace; throws in geth's words if there is none. */
function requireTracedBlock({ state }: ReadContext, selector: BlockSelector): BlockView {
  const view = findBlock(state, selector)
  if (view !== undefined) return view
  // A tag always names a block.
  const block = typeof selector === 'object' ? selector.blockHash : Number(selector)
  throw failure('tracedBlockNotFound', { block })
}

/** The first block of the chain has no parent, on whose state it could run. */
function expectTraceable({ state }: ReadContext, view: BlockView): void {
  const isFirst = view.open === undefined && blockAt(state.chain, view.environment.number - 1) === undefined
  if (isFirst) throw failure('genesisNotTraceable')
}

async function traceBlock(context: ReadContext, view: BlockView, choice: TracerChoice, range?: ReplayRange) {
  expectTraceable(context, view)
  const traced = await traceTransactions(context, view, (subject) => startTracing(choice, subject), range)
  return traced.map(({ executed, result }) => ({ txHash: executed.transaction.hash, result }))
}

export async function traceBlockAt(context: ReadContext, selector: BlockSelector, choice: TracerChoice) {
  return traceBlock(context, requireTracedBlock(context, selector), choice)
}

export async function traceTransaction(context: ReadContext, hash: Hash, choice: TracerChoice) {
  const { view, executed } = requireIncluded(context.state, hash)
  const [traced] = await traceBlock(context, view, choice, onlyOf(executed))
  return traced?.result
}

/** The state in a block before the transaction at a position; `undefined` stands for its end. */
async function stateAtIndex(context: ReadContext, view: BlockView, index: number | undefined) {
  if (index === undefined) return view.state
  if (index > view.executed.length)
    throw failure('transactionIndexOutOfRange', { index, block: view.block().hash })
  expectTraceable(context, view)
  return stateBefore(context.state, view, index)
}

function traceRequest(
  context: ReadContext,
  site: CallSite,
  request: TransactionRequest,
  block: BlockOverrides | undefined,
  choice: TracerChoice,
  budget: TraceBudget,
) {
  const call = callOf(context, site, request, block)
  const start = (subject: TraceSubject) => startTracing(choice, subject)
  return traceCallAt(context, call, start, budget, (calls) =>
    tellCall(context, 'call', calls, call.environment),
  )
}

export async function traceOneCall(
  context: ReadContext,
  request: TransactionRequest,
  selector: BlockSelector,
  { choice, accounts, block, txIndex }: TraceCallConfig,
): Promise<unknown> {
  const view = requireTracedBlock(context, selector)
  const { rules, environment } = view
  const state = await stateAtIndex(context, view, txIndex)
  const site = callSiteAt(context, { rules, environment, state }, accounts, block)
  return (await traceRequest(context, site, request, block, choice, budgetOf(context))).result
}

const NO_BLOCK_OVERRIDES = blockOverrides.decode({}, '')

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

export async function traceBundles(
  context: ReadContext,
  bundles: readonly TracedBundle[],
  { blockNumber: selector, transactionIndex: index }: StateContext,
  { choice, accounts, block, txIndex }: TraceCallConfig,
): Promise<unknown[][]> {
  const view = requireTracedBlock(context, selector)
  const { rules, environment } = view
  const budget = budgetOf(context)
  let state = overrideState(await stateAtIndex(context, view, index ?? txIndex), accounts)
  const traces: unknown[][] = []
  for (const [later, bundle] of bundles.entries()) {
    const overrides = fieldsOf(context, environment, bundle.blockOverride ?? block, later)
    const results: unknown[] = []
    for (const request of bundle.transactions) {
      // The state has the overrides; precompiles have them at every call.
      const site = { ...callSiteAt(context, { rules, environment, state }, accounts, overrides), state }
      const { result, after } = await traceRequest(context, site, request, overrides, choice, budget)
      results.push(result)
      state = after
    }
    traces.push(results)
  }
  return traces
}

/** The block of these bytes; a foreign one is executed on its parent. As in geth, its header is not checked. */
async function decodedBlock({ state }: ReadContext, rlp: Uint8Array): Promise<BlockView> {
  const { chain } = state
  const blocks = decodeBlocks(rlp)
  const [decoded] = blocks
  if (decoded === undefined || blocks.length > 1)
    throw failure('undecodableBlocks', { reason: `expected one block, got ${blocks.length}` })
  const { header, transactions } = decoded
  const rules = scheduleIn(state).rulesAt(header)
  const environment = completeHeader(rules, header)
  const hash = hashHeader(rules, header)
  const known = blockByHash(chain, hash)
  if (known !== undefined) return viewOfSealed(known)
  const parent = blockByHash(chain, header.parentHash)
  if (parent === undefined) throw failure('tracedBlockNotFound', { block: header.parentHash })
  const execution = executionContext(state, rules)
  const open = await executeTransactions(execution, openBlock(rules, parent, environment), transactions)
  const view = viewOfOpen(open)
  const block = { value: () => ({ ...view.block(), hash }) }
  return Object.create(view, { isPending: { value: false }, block })
}

export async function traceDecoded(context: ReadContext, rlp: Uint8Array, choice: TracerChoice) {
  return traceBlock(context, await decodedBlock(context, rlp), choice)
}
