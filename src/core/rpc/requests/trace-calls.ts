// Runs of debug_traceCall and debug_traceCallMany.

import type { BlockOverrides } from '../../execution/call/block-overrides.ts'
import type { CallMessage } from '../../execution/call/run-call.ts'
import { traceCall } from '../../execution/call/trace-call.ts'
import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import type { TraceBudget } from '../../execution/trace/budget.ts'
import { paidAccounts } from '../../execution/transaction/rollup-fees.ts'
import type { BlockSelector } from '../../node/lookup.ts'
import { overrideState } from '../../state/overrides.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { StateContext, TraceCallConfig, TracedBundle } from '../codecs/trace-config.ts'
import type { TracerChoice } from '../codecs/tracer.ts'
import type { TransactionRequest } from '../codecs/transaction-request.ts'
import { callOf } from '../flavor/calls.ts'
import type { ReadContext } from '../read-context.ts'
import type { Tracing } from '../tracers/tracer.ts'
import { startTracing } from '../tracers/tracers.ts'
import { type CallSite, callSiteAt } from './call-site.ts'
import { authoritiesOf, budgetOf, requireTracedBlock, stateAtIndex, traceResult } from './trace.ts'

/** A call that was traced. */
interface CallTrace {
  readonly result: unknown
  readonly after: WorldState
}

/** Traces a call at a site. */
async function traceCallAt(
  context: ReadContext,
  { execution, state }: Pick<CallSite, 'execution' | 'state'>,
  environment: BlockEnvironment,
  message: CallMessage,
  choice: TracerChoice,
  budget: TraceBudget,
): Promise<CallTrace> {
  let tracing: Tracing | undefined
  const traced = await traceCall(execution, state, environment, message, (reached) => {
    tracing = startTracing(choice, {
      from: message.from,
      gasLimit: message.gasLimit,
      paid: paidAccounts(execution.evmPool.rules, environment),
      authorities: authoritiesOf(message.authorizationList),
      place: undefined,
      blockNumber: environment.number,
      firstLogIndex: 0,
      before: state,
      state: reached,
      budget,
      flavor: context.options.flavor,
    })
    return tracing.observer
  })
  const { result, after } = traced
  const source = { origin: 'call', transactionHash: undefined, blockNumber: environment.number } as const
  context.tellConsole(result.consoleCalls, source)
  const reason = result.outcome === 'revert' ? 'execution reverted' : result.failure
  const outcome = { gasUsed: result.gasUsed, failure: reason, returnData: result.returnData, after }
  return { result: traceResult(tracing as Tracing, outcome, budget), after }
}

/** Traces a call on the state of a block, or before one of its transactions. */
export async function traceOneCall(
  context: ReadContext,
  request: TransactionRequest,
  selector: BlockSelector,
  { choice, accounts, block, txIndex }: TraceCallConfig,
): Promise<unknown> {
  const view = requireTracedBlock(context, selector)
  const { rules, environment: own } = view
  const state = await stateAtIndex(context, view, txIndex)
  const site = callSiteAt(context, { rules, environment: own, state }, accounts, block)
  const { message, environment } = callOf(context, site, request, block)
  const { result } = await traceCallAt(context, site, environment, message, choice, budgetOf(context))
  return result
}

const NO_BLOCK_OVERRIDES: BlockOverrides = {
  ...{ number: undefined, timestamp: undefined, coinbase: undefined, gasLimit: undefined },
  ...{ prevRandao: undefined, baseFeePerGas: undefined, blobBaseFee: undefined, difficulty: undefined },
}

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

/** Traces bundles of calls, each call on the state after the one before. */
export async function traceBundles(
  context: ReadContext,
  bundles: readonly TracedBundle[],
  { blockNumber: selector, transactionIndex: index }: StateContext,
  { choice, accounts, block, txIndex }: TraceCallConfig,
): Promise<unknown[][]> {
  const view = requireTracedBlock(context, selector)
  const { rules, environment: own } = view
  const budget = budgetOf(context)
  let state = overrideState(await stateAtIndex(context, view, index ?? txIndex), accounts)
  const traces: unknown[][] = []
  for (const [later, bundle] of bundles.entries()) {
    const overrides = fieldsOf(context, own, bundle.blockOverride ?? block, later)
    const results: unknown[] = []
    for (const request of bundle.transactions) {
      const place = { rules, environment: own, state }
      // The state has the overrides; precompiles have them at every call.
      const site = { ...callSiteAt(context, place, accounts, overrides), state }
      const { message, environment } = callOf(context, site, request, overrides)
      const { result, after } = await traceCallAt(context, site, environment, message, choice, budget)
      results.push(result)
      state = after
    }
    traces.push(results)
  }
  return traces
}
