// geth's callTracer: the tree of frames (eth/tracers/native/call.go).

import { revertReason } from '../../execution/result/revert-reason.ts'
import { type CallFrame, type FrameLog, recordFrames } from '../../execution/trace/call-frames.ts'
import { isCreation } from '../../execution/trace/observer.ts'
import { type Address, bytesToHex, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import type { TracerOptions } from '../codecs/tracer.ts'
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

function formatLog(log: FrameLog, firstLogIndex: number): RpcCallLog {
  const { address, topics, data } = log
  const [index, position] = [toQuantity(firstLogIndex + log.index), toQuantity(log.position)]
  return { address, topics: [...topics], data: bytesToHex(data), index, position }
}

/** The return data, or the revert data with its reason. */
function outputOf({ output, error }: CallFrame): Pick<RpcFrame, 'output' | 'error' | 'revertReason'> {
  if (error !== undefined && error !== 'execution reverted') return { error }
  const data = output.length === 0 ? {} : { output: bytesToHex(output) }
  if (error === undefined) return data
  const reason = revertReason(output)
  return { ...data, error, ...(reason === undefined ? {} : { revertReason: reason }) }
}

/** A frame without its calls. Logs of a frame that failed, or in one that did, do not count. */
export function formatFrame(
  frame: CallFrame,
  isReverted: boolean,
  { firstLogIndex }: TraceSubject,
): RpcFrame {
  const { kind, from, to, gas, gasUsed, input, error, logs, value } = frame
  const hasNoContract = isCreation(frame) && error !== undefined
  return {
    from,
    gas: toQuantity(gas),
    gasUsed: toQuantity(gasUsed),
    ...(hasNoContract ? {} : { to }),
    input: bytesToHex(input),
    ...outputOf(frame),
    ...(logs.length === 0 || isReverted ? {} : { logs: logs.map((log) => formatLog(log, firstLogIndex)) }),
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
