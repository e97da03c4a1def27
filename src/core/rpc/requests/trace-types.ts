// The trace types of a request: what is recorded for them, and the answer.

import { createBudget } from '../../execution/trace/budget.ts'
import { recordFrames } from '../../execution/trace/call-frames.ts'
import { combineObservers } from '../../execution/trace/combine.ts'
import type { Observer } from '../../execution/trace/observer.ts'
import { recordOperations } from '../../execution/trace/vm-operations.ts'
import { isDelegated } from '../../execution/transaction/preconditions.ts'
import { failure } from '../../primitives/errors.ts'
import { type Address, bytesToHex, type Hex } from '../../primitives/hex.ts'
import { readAccount, type WorldState } from '../../state/world-state.ts'
import type { TraceType } from '../codecs/trace.ts'
import { formatStateDiff, type RpcStateDiff } from '../format/state-diff.ts'
import { formatTraces, type RpcTrace } from '../format/trace.ts'
import { formatVmTrace, type RpcVmTrace } from '../format/vm-trace.ts'
import type { RpcLimits } from '../options.ts'

/** What was not asked for is null; of `trace`, empty. */
export interface RpcTraceResults {
  readonly output: Hex
  readonly stateDiff: RpcStateDiff | null
  readonly trace: readonly RpcTrace[]
  readonly vmTrace: RpcVmTrace | null
}

/** What an execution left, besides what was observed. */
interface TracedOutcome {
  readonly returnData: Uint8Array
  readonly before: WorldState
  readonly after: WorldState
}

/** Records executions for trace types. */
export interface TypeRecorder {
  readonly observer: Observer
  /** The answer; throws `traceTooLarge`. */
  readonly results: (outcome: TracedOutcome) => RpcTraceResults
}

/** Where the code of a delegated account is (EIP-7702): after the prefix of three bytes. */
const DELEGATE_AT = 3

/** The code that calls of an account ran. Authorizations are applied before the first of them, and stay. */
function codeIn({ before, after }: TracedOutcome, address: Address): Uint8Array {
  const [first, last] = [readAccount(before, address), readAccount(after, address)]
  if (isDelegated(last)) return codeAt(after, bytesToHex(last.code.bytes.subarray(DELEGATE_AT)))
  return isDelegated(first) ? last.code.bytes : first.code.bytes
}

function codeAt(state: WorldState, address: Address): Uint8Array {
  return readAccount(state, address).code.bytes
}

/** Makes the recorder of an execution; the limit holds for all recorders together. */
export function typeRecorders(limits: RpcLimits): (types: ReadonlySet<TraceType>) => TypeRecorder {
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
