// geth's callTracer, the tree of frames (eth/tracers/native/call.go), and its flatCallTracer, the frames as a list in
// OpenEthereum's form (call_flat.go).

import { revertReason } from '../../execution/result/revert-reason.ts'
import { type CallFrame, type FrameLog, listFrames, recordFrames } from '../../execution/trace/call-frames.ts'
import { isCreation } from '../../execution/trace/observer.ts'
import { type Address, bytesToHex, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import type { TracerOptions } from '../codecs/tracer.ts'
import { describeFrame, parityError } from '../format/trace.ts'
import type { StartTracing, TraceOutcome, TraceSubject } from './tracer.ts'

interface RpcCallLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  /** In the block, as in the receipt; from zero for a call. */
  readonly index: Hex
  readonly position: Hex
}

/** The fields of a frame that callTracer and erc7562Tracer share. */
export interface RpcFrame {
  readonly from: Address
  readonly gas: Hex
  readonly gasUsed: Hex
  readonly to?: Address
  readonly input: Hex
  readonly output?: Hex
  readonly error?: string
  readonly revertReason?: string
  readonly logs?: readonly RpcCallLog[]
  readonly value?: Hex
  readonly type: string
}

interface RpcCallFrame extends RpcFrame {
  readonly calls?: readonly RpcCallFrame[]
}

/** The transaction's own frame has the gas limit and the gas of the receipt, with the intrinsic gas. */
export function withTransactionGas(
  root: CallFrame,
  { gasLimit }: TraceSubject,
  { gasUsed }: TraceOutcome,
): CallFrame {
  return { ...root, gas: Number(gasLimit), gasUsed: Number(gasUsed) }
}

/** A frame without its calls. Logs of a frame that failed, or in one that did, do not count. */
export function formatFrame(
  frame: CallFrame,
  isReverted: boolean,
  { firstLogIndex }: TraceSubject,
): RpcFrame {
  const { kind, from, to, gas, gasUsed, input, output, error, logs, value } = frame
  const hasNoContract = isCreation(frame) && error !== undefined
  const hasReverted = error === 'execution reverted'
  const hasOutput = (error === undefined || hasReverted) && output.length > 0
  const reason = hasReverted ? revertReason(output) : undefined
  const formatLog = ({ address, topics, data, index, position }: FrameLog): RpcCallLog => {
    const places = { index: toQuantity(firstLogIndex + index), position: toQuantity(position) }
    return { address, topics: [...topics], data: bytesToHex(data), ...places }
  }
  return {
    from,
    gas: toQuantity(gas),
    gasUsed: toQuantity(gasUsed),
    ...(hasNoContract ? {} : { to }),
    input: bytesToHex(input),
    ...(hasOutput ? { output: bytesToHex(output) } : {}),
    ...(error === undefined ? {} : { error }),
    ...(reason === undefined ? {} : { revertReason: reason }),
    ...(logs.length === 0 || isReverted ? {} : { logs: logs.map(formatLog) }),
    ...(kind === 'STATICCALL' ? {} : { value: toQuantity(value) }),
    type: kind,
  }
}

function formatTree(frame: CallFrame, isInReverted: boolean, subject: TraceSubject): RpcCallFrame {
  const isReverted = isInReverted || frame.error !== undefined
  const formatted = formatFrame(frame, isReverted, subject)
  if (frame.calls.length === 0) return formatted
  return { ...formatted, calls: frame.calls.map((call) => formatTree(call, isReverted, subject)) }
}

export const callTracer: StartTracing<TracerOptions['callTracer']> = ({ onlyTopCall, withLog }, subject) => {
  const frames = onlyTopCall ? 'top' : 'all'
  const logs = withLog ? 'recorded' : 'ignored'
  const { observer, root } = recordFrames({ frames, logs }, subject.budget)
  return {
    observer,
    result: (outcome) => formatTree(withTransactionGas(root(), subject, outcome), false, subject),
  }
}

type FlatOptions = TracerOptions['flatCallTracer']

/** Only a success or a revert has a result, and a creation that reverted made no account. */
function resultOf({ error }: CallFrame, result: ReturnType<typeof describeFrame>['result']): object {
  if (result === null || (error !== undefined && error !== 'execution reverted')) return {}
  if (error === undefined || !('address' in result)) return { result }
  const { address, ...others } = result
  return { result: others }
}

function formatFlat(root: CallFrame, options: FlatOptions, { place, environment }: TraceSubject): object[] {
  // OpenEthereum leaves out calls of precompiles.
  const passes = ({ kind, isPrecompile }: CallFrame): boolean =>
    options.includePrecompiles || !isPrecompile || (kind !== 'CALL' && kind !== 'STATICCALL')
  const { blockHash = null, transactionHash = null, transactionPosition = 0 } = place ?? {}
  return listFrames(root, passes).map(({ frame, path }) => {
    const { error, calls } = frame
    const shown =
      error === undefined ? {} : { error: options.convertParityErrors ? parityError(error) : error }
    const { action, type, result } = describeFrame(frame)
    const { number: blockNumber } = environment
    return {
      ...{ action, blockHash, blockNumber, ...shown, ...resultOf(frame, result) },
      ...{ subtraces: calls.filter(passes).length, traceAddress: path },
      ...{ transactionHash, transactionPosition, type },
    }
  })
}

export const flatCallTracer: StartTracing<FlatOptions> = (options, subject) => {
  const { observer, root } = recordFrames({ frames: 'all', logs: 'ignored' }, subject.budget)
  return {
    observer,
    result: (outcome) => formatFlat(withTransactionGas(root(), subject, outcome), options, subject),
  }
}
