// Tracers: what they are told, and transactions and calls run under them.

import type { BlockView } from '../../chain/chain.ts'
import { type CallResult, type PlacedCall, traceCall } from '../../execution/call/run-call.ts'
import { createBudget, type TraceBudget } from '../../execution/trace/call-frames.ts'
import type { Observer } from '../../execution/trace/observer.ts'
import type { Authorization, ExecutedTransaction } from '../../execution/transaction/transaction.ts'
import { type ReplayRange, replayTransactions } from '../../node/replay.ts'
import { failure } from '../../primitives/errors.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import type { BlockEnvironment } from '../../rollup/header.ts'
import type { Rules } from '../../rollup/rules.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { Flavor } from '../flavor/flavor.ts'
import type { ReadContext } from '../session.ts'

export interface TraceSubject {
  readonly from: Address
  readonly gasLimit: bigint
  readonly authorizationList: readonly Authorization[]
  readonly rules: Rules
  readonly environment: BlockEnvironment
  /** The place of a transaction; `undefined` for a call. */
  readonly place:
    | {
        readonly blockHash: Hash | null
        readonly transactionHash: Hash
        readonly transactionPosition: number
      }
    | undefined
  /** Logs of its block before it; zero for a call. */
  readonly firstLogIndex: number
  readonly before: WorldState
  readonly state: () => WorldState
  readonly budget: TraceBudget
  readonly flavor: Flavor
}

export interface TraceOutcome {
  readonly gasUsed: bigint
  /** Why it failed, in geth's words; `undefined` for a success. */
  readonly failure: string | undefined
  readonly returnData: Uint8Array
  readonly after: WorldState
}

export interface Tracing<Result = unknown> {
  readonly observer: Observer
  readonly result: (outcome: TraceOutcome) => Result
}

/** Starts a tracer for a transaction or call; its results are JSON. */
export type StartTracing<Options> = (options: Options, subject: TraceSubject) => Tracing

type Start<Result> = (subject: TraceSubject) => Tracing<Result>

export function budgetOf({ options }: ReadContext): TraceBudget {
  return createBudget(options.limits.traceBytes)
}

function resultOf<Result>(tracing: Tracing<Result>, outcome: TraceOutcome, budget: TraceBudget): Result {
  if (budget.isExceeded()) throw failure('traceTooLarge', budget)
  return tracing.result(outcome)
}

/** Runs transactions of a block again; throws what `replayTransactions` throws, and `traceTooLarge`. */
export async function traceTransactions<Result>(
  context: ReadContext,
  view: BlockView,
  start: Start<Result>,
  range: ReplayRange = { from: 0, to: view.executed.length },
): Promise<{ readonly executed: ExecutedTransaction; readonly result: Result }[]> {
  if (range.to === range.from) return []
  const budget = budgetOf(context)
  const { rules, environment } = view
  const { state: current, present, options } = context
  const replayed = await replayTransactions(current, view, range, (index, state) => {
    const { transaction, firstLogIndex } = view.executed[index] as ExecutedTransaction
    const { sender, gasLimit, authorizationList, hash } = transaction
    const place = {
      // Of a partial block, the hash needs its tries.
      get blockHash() {
        return present(view).hash()
      },
      transactionHash: hash,
      transactionPosition: index,
    }
    const run = { rules, environment, place, firstLogIndex, before: state(), state, budget }
    return start({ from: sender, gasLimit, authorizationList, ...run, flavor: options.flavor })
  })
  return replayed.map(({ recorder, executed, after }) => {
    const { receipt, failure: reason, returnData } = executed
    const outcome = { gasUsed: receipt.gasUsed, failure: reason, returnData, after }
    return { executed, result: resultOf(recorder, outcome, budget) }
  })
}

export function onlyOf({ index }: ExecutedTransaction): ReplayRange {
  return { from: index, to: index + 1 }
}

export async function traceCallAt<Result>(
  { options: { flavor } }: ReadContext,
  call: PlacedCall,
  start: Start<Result>,
  budget: TraceBudget,
  tell: (calls: CallResult['consoleCalls']) => void = () => {},
): Promise<{ readonly result: Result; readonly after: WorldState }> {
  const { execution, state: before, environment, message } = call
  const { from, gasLimit, authorizationList } = message
  const { rules } = execution.evmPool
  let tracing: Tracing<Result> | undefined
  const { result: ran, after } = await traceCall(call, (state) => {
    const run = { rules, environment, place: undefined, firstLogIndex: 0, before, state, budget, flavor }
    tracing = start({ from, gasLimit, authorizationList, ...run })
    return tracing.observer
  })
  tell(ran.consoleCalls)
  const reason = ran.outcome === 'revert' ? 'execution reverted' : ran.failure
  const outcome = { gasUsed: ran.gasUsed, failure: reason, returnData: ran.returnData, after }
  return { result: resultOf(tracing as Tracing<Result>, outcome, budget), after }
}
