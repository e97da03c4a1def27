// Runs of debug_trace*: transactions of a block, and calls.

import { blockAt } from '../../chain/chain.ts'
import type { BlockView } from '../../chain/view.ts'
import type { CallMessage } from '../../execution/call/run-call.ts'
import { recoverAuthority } from '../../execution/evm/authorizations.ts'
import type { BlockEnvironment } from '../../execution/evm/environment.ts'
import { createBudget, type TraceBudget } from '../../execution/trace/budget.ts'
import type { Authorization, Transaction } from '../../execution/transaction/transaction.ts'
import { type BlockSelector, type FoundTransaction, findBlock } from '../../node/lookup.ts'
import { type Replayed, type ReplayRange, replay, stateBefore } from '../../node/replay.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import { load } from '../../primitives/loading.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { ReadContext } from '../read-context.ts'
import type { StartTracing, TraceOutcome, TraceSubject, Tracing } from '../tracers/tracer.ts'
import type { CallSite } from './call-site.ts'

/** The trace of one transaction of a block. */
export interface TransactionTrace {
  readonly txHash: Hash
  readonly result: unknown
}

/** The budget of one request. */
export function budgetOf({ options }: ReadContext): TraceBudget {
  return createBudget(options.limits.traceBytes)
}

/** The trace, unless it exceeds the budget. */
function resultOf(tracing: Tracing, outcome: TraceOutcome, budget: TraceBudget): unknown {
  if (budget.isExceeded()) throw failure('traceTooLarge', budget)
  return tracing.result(outcome)
}

/** The block of a trace; throws in geth's words if there is none. */
export function requireTracedBlock({ config, state }: ReadContext, selector: BlockSelector): BlockView {
  const view = findBlock(config, state, selector)
  if (view !== undefined) return view
  // A tag always names a block.
  throw failure('tracedBlockNotFound', {
    block: typeof selector === 'object' ? selector.blockHash : Number(selector),
  })
}

/** The first block of the chain has no parent, on whose state it could run. */
function expectTraceable({ state }: ReadContext, view: BlockView): void {
  const isFirst = view.open === undefined && blockAt(state.chain, view.environment.number - 1) === undefined
  if (isFirst) throw failure('genesisNotTraceable')
}

function authoritiesOf(list: readonly Authorization[]): Address[] {
  return list.map(recoverAuthority).filter((authority) => authority !== undefined)
}

function subjectOf(
  { options, present }: ReadContext,
  view: BlockView,
  index: number,
  { sender, gasLimit, authorizationList, hash }: Transaction,
  state: () => WorldState,
  budget: TraceBudget,
): TraceSubject {
  const { environment } = view
  return {
    from: sender,
    gasLimit,
    coinbase: environment.coinbase,
    authorities: authoritiesOf(authorizationList),
    place: {
      // Of a partial block, the hash needs its tries.
      get blockHash() {
        return present(view).hash()
      },
      transactionHash: hash,
      transactionPosition: index,
    },
    blockNumber: environment.number,
    before: state(),
    state,
    budget,
    flavor: options.flavor,
  }
}

function outcomeOf({ executed: { receipt, failure: reason, returnData }, after }: Replayed): TraceOutcome {
  return { gasUsed: receipt.gasUsed, failure: reason, returnData, after }
}

/** Traces transactions of a block, one after another. */
export async function traceTransactions(
  context: ReadContext,
  view: BlockView,
  range: ReplayRange,
  start: StartTracing,
): Promise<TransactionTrace[]> {
  expectTraceable(context, view)
  const budget = budgetOf(context)
  const tracings: Tracing[] = []
  const replayed = await replay(context.config, context.state, view, range, (index, state) => {
    const { transaction } = view.executed[index] as Replayed['executed']
    const tracing = start(subjectOf(context, view, index, transaction, state, budget))
    tracings.push(tracing)
    return tracing.observer
  })
  return replayed.map((each, position) => ({
    txHash: each.executed.transaction.hash,
    result: resultOf(tracings[position] as Tracing, outcomeOf(each), budget),
  }))
}

/** Traces all transactions of a block. */
export function traceBlock(
  context: ReadContext,
  view: BlockView,
  start: StartTracing,
): Promise<TransactionTrace[]> {
  return traceTransactions(context, view, { from: 0, to: view.executed.length }, start)
}

/** Traces a transaction that was found; throws in geth's words if it is in no block. */
export async function traceFound(
  context: ReadContext,
  hash: Hash,
  found: FoundTransaction | undefined,
  start: StartTracing,
): Promise<unknown> {
  if (found === undefined || 'pooled' in found)
    throw failure('transactionNotFound', { hash, isPooled: found !== undefined })
  const { index } = found.executed
  const range = { from: index, to: index + 1 }
  const [traced] = await traceTransactions(context, found.view, range, start)
  return traced?.result
}

/** The state in a block before the transaction at a position; `undefined` stands for its end. */
export async function stateAtIndex(
  context: ReadContext,
  view: BlockView,
  index: number | undefined,
): Promise<WorldState> {
  if (index === undefined) return view.state
  if (index > view.executed.length)
    throw failure('transactionIndexOutOfRange', { index, block: view.block().hash })
  expectTraceable(context, view)
  return stateBefore(context.config, context.state, view, index)
}

/** A call that was traced. */
export interface CallTrace {
  readonly result: unknown
  readonly after: WorldState
}

/** Traces a call at a site. */
export async function traceCallAt(
  context: ReadContext,
  { execution, state }: Pick<CallSite, 'execution' | 'state'>,
  environment: BlockEnvironment,
  message: CallMessage,
  start: StartTracing,
  budget: TraceBudget,
): Promise<CallTrace> {
  const { traceCall } = await load(import('../../execution/call/trace-call.ts'))
  let tracing: Tracing | undefined
  const traced = await traceCall(execution, state, environment, message, (reached) => {
    tracing = start({
      from: message.from,
      gasLimit: message.gasLimit,
      coinbase: environment.coinbase,
      authorities: authoritiesOf(message.authorizationList),
      place: undefined,
      blockNumber: environment.number,
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
  return { result: resultOf(tracing as Tracing, outcome, budget), after }
}
