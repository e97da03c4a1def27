// The answers of the trace module.

import { traceCall } from '../../execution/call/trace-call.ts'
import { createBudget } from '../../execution/trace/budget.ts'
import { recordFrames } from '../../execution/trace/call-frames.ts'
import { combineObservers, type Observer } from '../../execution/trace/observer.ts'
import { recordOperations, type VmFrame, type VmOperation } from '../../execution/trace/vm-operations.ts'
import { isDelegated } from '../../execution/transaction/preconditions.ts'
import {
  type BlockSelector,
  findBlock,
  findIncluded,
  requireBlock,
  requireIncluded,
} from '../../node/lookup.ts'
import { type Replayed, replayTransactions } from '../../node/replay.ts'
import { decodeTransaction } from '../../pool/decode.ts'
import { failure } from '../../primitives/errors.ts'
import { type Address, bytesToHex, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import { NO_STATE_OVERRIDES } from '../../state/overrides.ts'
import { readAccount, type WorldState } from '../../state/world-state.ts'
import type { TraceType } from '../codecs/trace.ts'
import type { TransactionRequest } from '../codecs/transaction-request.ts'
import { callOf, type FlavoredCall } from '../flavor/calls.ts'
import { formatStateDiff, type RpcStateDiff } from '../format/state-diff.ts'
import {
  formatLocalizedTraces,
  formatRewards,
  formatTraces,
  type RpcLocalizedTrace,
  type RpcTrace,
} from '../format/trace.ts'
import type { RpcLimits } from '../options.ts'
import type { ReadContext } from '../read-context.ts'
import { opcodeName } from '../tracers/opcode-names.ts'
import { environmentOfCall, toCallMessage } from './call-message.ts'
import { type CallSite, callSiteAt } from './call-site.ts'
import { requestOf } from './fill-transaction.ts'
import { framesIn, framesOfTransaction, rewardsIn } from './trace-filter.ts'

interface RpcVmOperation {
  /** With the gas of the frame that it opened. */
  readonly cost: number
  /** Null for an operation that failed. */
  readonly ex: {
    readonly mem: { readonly data: Hex; readonly off: number } | null
    readonly push: readonly Hex[]
    readonly store: { readonly key: Hex; readonly val: Hex } | null
    /** The gas left after it, as in every implementation. */
    readonly used: number
  } | null
  readonly pc: number
  readonly sub: RpcVmTrace | null
  readonly op: string
  /** The place among the operations of its frame, after those of the operations that opened the frames around it. */
  readonly idx: string
}

interface RpcVmTrace {
  readonly code: Hex
  readonly ops: readonly RpcVmOperation[]
}

function formatEffects(effects: VmOperation['effects']): RpcVmOperation['ex'] {
  if (effects === undefined) return null
  const { gasLeft, pushed, memory, store } = effects
  return {
    mem: memory === undefined ? null : { data: bytesToHex(memory.data), off: memory.offset },
    push: pushed.map(toQuantity),
    store: store === undefined ? null : { key: toQuantity(store.slot), val: toQuantity(store.value) },
    used: gasLeft,
  }
}

/** The operations of a frame; `codeOf` is the code of an account that the execution did not deploy. */
function formatVmTrace(
  { start, code, operations }: VmFrame,
  codeOf: (address: Address) => Uint8Array,
  prefix = '',
): RpcVmTrace {
  return {
    code: bytesToHex(code ?? codeOf(start.to)),
    ops: operations.map(({ pc, opcode, cost, effects, sub }, place) => {
      const idx = `${prefix}${place}`
      return {
        cost,
        ex: formatEffects(effects),
        pc,
        sub: sub === undefined ? null : formatVmTrace(sub, codeOf, `${idx}-`),
        op: opcodeName(opcode),
        idx,
      }
    }),
  }
}

type Types = ReadonlySet<TraceType>

/** The results of the types that were asked for; others are null, and `trace` is empty. */
export interface RpcTraceResults {
  readonly output: Hex
  readonly stateDiff: RpcStateDiff | null
  readonly trace: readonly RpcTrace[]
  readonly vmTrace: RpcVmTrace | null
}

/** The outcome of an execution, besides what was observed. */
interface TracedOutcome {
  readonly returnData: Uint8Array
  readonly before: WorldState
  readonly after: WorldState
}

/** Records executions for trace types. */
interface TypeRecorder {
  readonly observer: Observer
  /** The answer; throws `traceTooLarge`. */
  readonly results: (outcome: TracedOutcome) => RpcTraceResults
}

/** Where the code of a delegated account is (EIP-7702): after the prefix of three bytes. */
const DELEGATE_AT = 3

/** The code that calls of an account ran. Authorizations are applied before the first of them, and stay. */
function codeIn({ before, after }: TracedOutcome, address: Address): Uint8Array {
  const [first, last] = [readAccount(before, address), readAccount(after, address)]
  if (isDelegated(last))
    return readAccount(after, bytesToHex(last.code.bytes.subarray(DELEGATE_AT))).code.bytes
  return isDelegated(first) ? last.code.bytes : first.code.bytes
}

/** Makes the recorder of an execution; the limit holds for all recorders together. */
function typeRecorders(limits: RpcLimits): (types: Types) => TypeRecorder {
  const budget = createBudget(limits.traceBytes)
  return (types) => {
    const frames = types.has('trace') ? recordFrames({ frames: 'all', logs: 'ignored' }, budget) : undefined
    const vm = types.has('vmTrace') ? recordOperations(budget) : undefined
    const recorders = [frames, vm].filter((recorder) => recorder !== undefined)
    return {
      observer: combineObservers(recorders.map(({ observer }) => observer)),
      results(outcome) {
        if (budget.isExceeded()) throw failure('traceTooLarge', budget)
        const { before, after, returnData } = outcome
        return {
          output: bytesToHex(returnData),
          stateDiff: types.has('stateDiff') ? formatStateDiff(before, after) : null,
          trace: frames === undefined ? [] : formatTraces(frames.root()),
          vmTrace: vm === undefined ? null : formatVmTrace(vm.root(), (address) => codeIn(outcome, address)),
        }
      },
    }
  }
}

/** The traces of a transaction; null for one that is in no block. */
export async function tracesOfTransaction(
  context: ReadContext,
  transactionHash: Hash,
): Promise<readonly RpcLocalizedTrace[] | null> {
  const found = findIncluded(context.state, transactionHash)
  if (found === undefined) return null
  const block = context.present(found.view)
  const traced = await framesOfTransaction(context, found)
  return traced.flatMap(({ root }) => formatLocalizedTraces(block, found.executed, root))
}

/** The traces and rewards of a block; null if there is none. */
export async function tracesOfBlock(
  context: ReadContext,
  selector: BlockSelector,
): Promise<readonly RpcLocalizedTrace[] | null> {
  const view = findBlock(context.config, context.state, selector)
  if (view === undefined) return null
  const presented = context.present(view)
  const traced = await framesIn(context, view)
  const traces = traced.flatMap(({ executed, root }) => formatLocalizedTraces(presented, executed, root))
  return [...traces, ...formatRewards(presented, rewardsIn(context, view))]
}

function resultsOf({ recorder, executed, before, after }: Replayed<TypeRecorder>): RpcTraceResults {
  return recorder.results({ returnData: executed.returnData, before, after })
}

/** Runs a transaction again; throws `transactionNotFound` for one that is in no block. */
export async function replayTransaction(
  { config, state, options }: ReadContext,
  transactionHash: Hash,
  types: Types,
): Promise<RpcTraceResults> {
  const { view, executed } = requireIncluded(state, transactionHash)
  const record = typeRecorders(options.limits)
  const range = { from: executed.index, to: executed.index + 1 }
  const [replayed] = await replayTransactions(config, state, view, range, () => record(types))
  return resultsOf(replayed as Replayed<TypeRecorder>)
}

/** Runs the transactions of a block again; null if there is none. */
export async function replayBlock(
  { config, state, options }: ReadContext,
  selector: BlockSelector,
  types: Types,
): Promise<readonly (RpcTraceResults & { readonly transactionHash: Hash })[] | null> {
  const view = findBlock(config, state, selector)
  if (view === undefined) return null
  if (view.executed.length === 0) return []
  const record = typeRecorders(options.limits)
  const range = { from: 0, to: view.executed.length }
  const replayed = await replayTransactions(config, state, view, range, () => record(types))
  return replayed.map((each) => ({ ...resultsOf(each), transactionHash: each.executed.transaction.hash }))
}

/** Runs each call on the state that the one before left. */
export async function traceInTurn(
  { options }: ReadContext,
  site: CallSite,
  calls: readonly (FlavoredCall & { readonly types: Types })[],
): Promise<RpcTraceResults[]> {
  const record = typeRecorders(options.limits)
  const results: RpcTraceResults[] = []
  let before = site.state
  for (const { message, environment, types } of calls) {
    const recorder = record(types)
    const run = () => recorder.observer
    const { result, after } = await traceCall(site.execution, before, environment, message, run)
    results.push(recorder.results({ returnData: result.returnData, before, after }))
    before = after
  }
  return results
}

/** Traces calls one after the other at the end of a block. */
export function traceCalls(
  context: ReadContext,
  calls: readonly (readonly [TransactionRequest, Types])[],
  selector: BlockSelector,
): Promise<RpcTraceResults[]> {
  const view = requireBlock(context.config, context.state, selector)
  const site = callSiteAt(context, view, NO_STATE_OVERRIDES, undefined)
  const prepared = calls.map(([request, types]) => ({
    ...callOf(context, site, request, undefined),
    types,
  }))
  return traceInTurn(context, site, prepared)
}

/** Traces a signed transaction at the end of a block. */
export async function traceRaw(
  context: ReadContext,
  raw: Uint8Array,
  types: Types,
  selector: BlockSelector,
): Promise<RpcTraceResults> {
  const { config, state, options } = context
  const site = callSiteAt(context, requireBlock(config, state, selector), NO_STATE_OVERRIDES, undefined)
  const message = toCallMessage(options.limits, site, requestOf(decodeTransaction(raw)))
  const environment = environmentOfCall(site, message, undefined)
  const [results] = await traceInTurn(context, site, [{ message, environment, types }])
  return results as RpcTraceResults
}
