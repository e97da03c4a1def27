// Errors that a message shows by itself (callee, data, value), and errors at the last message that a frame sent.

import { isCreation } from '../../../core/execution/trace/observer.ts'
import { equalBytes } from '../../../core/primitives/hex.ts'
import type { ContractIndex } from '../model/contract-index.ts'
import * as frames from './known-frame.ts'
import { type StackEntry, sourceOf } from './stack-entry.ts'
import type { TracedFrame } from './traced-frame.ts'

/** The last message of a frame, and the trace of its failure. */
interface LastMessage {
  /** Among the steps. */
  readonly position: number
  readonly frame: TracedFrame
  /** Empty if it succeeded. */
  readonly entries: readonly StackEntry[]
}

/** True if everything after a message comes from the same place as its opcode, and ends in REVERT. */
function failsRightAfter(known: frames.KnownFrame, position: number): boolean {
  const place = frames.stepAt(known, position - 1)?.location
  if (place === undefined || frames.lastStep(known)?.opcode !== frames.REVERT) return false
  return frames.isLastPlace(known, position + 1, place)
}

function isPropagated(known: frames.KnownFrame, { position, frame }: LastMessage): boolean {
  const outer = known.frame
  if (!equalBytes(outer.output, frame.output)) return false
  if (outer.exit === 'outOfGas' && frame.exit === 'outOfGas') return true
  // The same data is no coincidence.
  return outer.output.length > 0 || failsRightAfter(known, position)
}

/** True if the frame is a proxy, whose assembly passes on what its implementation returned. */
function isPropagatedByProxy(known: frames.KnownFrame, index: ContractIndex, last: LastMessage): boolean {
  const { position, frame } = last
  if (isCreation(known.frame) || frames.stepAt(known, position - 1)?.opcode !== frames.DELEGATECALL)
    return false
  const implementation = frames.knownFrame(index, frame)
  if (implementation === undefined || implementation.contract.kind === 'library') return false
  if (!equalBytes(known.frame.output, frame.output)) return false
  for (let at = position + 1; at < known.frame.steps.length; at++) {
    const instruction = frames.stepAt(known, at)
    if (instruction?.location === undefined) return false
    if (instruction.jump === 'into' || instruction.jump === 'outOf') return false
  }
  return frames.lastStep(known)?.opcode === frames.REVERT
}

/** The trace if the last message explains the failure. */
export function inferFromLastMessage(
  known: frames.KnownFrame,
  index: ContractIndex,
  entries: readonly StackEntry[],
  last: LastMessage,
): StackEntry[] | undefined {
  const { position, frame } = last
  const call = frames.stepAt(known, position - 1)
  if (call === undefined) return undefined
  const entry = frames.entryAt(known, frames.ownStepAt(known, position - 1) ?? call)
  if (frame.exit === 'success') {
    const source = sourceOf(entry)
    if (source === undefined || !failsRightAfter(known, position)) return undefined
    return frames.withCalledFunction(known, [...entries, { kind: 'returndataSizeError', source }])
  }
  if (!isPropagated(known, last) && !isPropagatedByProxy(known, index, last)) return undefined
  const whole = [...entries, entry, ...last.entries]
  const innermost = whole.at(-1)
  const { output, exit } = known.frame
  // It reverted because the message ran out of the gas that it was given.
  const isOutOfGas = output.length === 0 && exit === 'revert' && frame.exit === 'outOfGas'
  if (innermost !== undefined && isOutOfGas && failsRightAfter(known, position))
    whole[whole.length - 1] = { kind: 'contractCallRunOutOfGasError', source: sourceOf(innermost) }
  return frames.withCalledFunction(known, whole)
}

/** The trace if the last message could not be sent, for want of balance or depth. */
export function inferFromUnsent(
  known: frames.KnownFrame,
  entries: readonly StackEntry[],
): StackEntry[] | undefined {
  for (let position = known.frame.steps.length - 2; position >= 0; position--) {
    const instruction = frames.stepAt(known, position)
    if (instruction === undefined) return undefined
    const { opcode, location } = instruction
    const sends = opcode === frames.CALL || opcode === frames.CREATE || opcode === frames.CREATE2
    const isSent = (known.frame.steps[position + 1] ?? 0) < 0
    if (!sends || location === undefined || isSent) continue
    if (!frames.isLastPlace(known, position, location)) continue
    const entry = frames.entryAt(known, instruction)
    const source = sourceOf(entry)
    if (source === undefined || source.function === undefined) continue
    return frames.withCalledFunction(known, [...entries, { kind: 'callFailedError', source }])
  }
  return undefined
}

/** Since when the constructor checks the length of its arguments. */
const CHECKED_CONSTRUCTORS = '0.5.9'
const RECEIVE_FUNCTIONS = '0.6.0'

/** True for a plain transfer to a contract without a receive function, since solc has them. */
function lacksReceive(known: frames.KnownFrame): boolean {
  const { frame, contract } = known
  return (
    frames.isCompiledWith(known, RECEIVE_FUNCTIONS) &&
    frame.input.length === 0 &&
    contract.receive === undefined
  )
}

function directLibraryCall(known: frames.KnownFrame): StackEntry | undefined {
  const { frame, contract } = known
  if (frame.depth > 0 || contract.kind !== 'library') return undefined
  const called = frames.calledFunction(known)
  const source = called === undefined ? frames.sourceOutside(known) : frames.functionSource(known, called)
  return { kind: 'directLibraryCallError', source }
}

function missingFunction(known: frames.KnownFrame): StackEntry | undefined {
  const { frame, contract } = known
  if (contract.fallback !== undefined) return undefined
  if (frame.input.length === 0 && contract.receive !== undefined) return undefined
  const source = frames.sourceOutside(known)
  return lacksReceive(known)
    ? { kind: 'missingFallbackOrReceiveError', source }
    : { kind: 'unrecognizedFunctionWithoutFallbackError', source }
}

function fallbackNotPayable(known: frames.KnownFrame): StackEntry | undefined {
  const { frame, contract } = known
  const { fallback } = contract
  if (frame.value === 0n || fallback === undefined || fallback.isPayable) return undefined
  const kind = lacksReceive(known) ? 'fallbackNotPayableAndNoReceiveError' : 'fallbackNotPayableError'
  return { kind, source: frames.functionSource(known, fallback), value: frame.value }
}

function callError(known: frames.KnownFrame): StackEntry | undefined {
  const direct = directLibraryCall(known)
  // The other errors return no data.
  if (direct !== undefined || known.frame.output.length > 0) return direct
  const called = frames.calledFunction(known)
  if (called === undefined) return missingFunction(known) ?? fallbackNotPayable(known)
  const { value } = known.frame
  // Libraries do not check it.
  if (value === 0n || called.isPayable || known.contract.kind === 'library') return undefined
  return { kind: 'functionNotPayableError', source: frames.functionSource(known, called), value }
}

/** True if the constructor ended, in code that is not mapped, after it measured its arguments and nothing else. */
function failedInArguments(known: frames.KnownFrame): boolean {
  const { frame, contract, location } = known
  const own = contract.constructorFunction?.location
  const last = frames.lastStep(known)
  if (last?.opcode !== frames.REVERT || last.location !== undefined) return false
  if (!frames.isCompiledWith(known, CHECKED_CONSTRUCTORS)) return false
  let measured = false
  for (let position = 0; position < frame.steps.length; position++) {
    const instruction = frames.stepAt(known, position)
    if (instruction === undefined) return false
    const place = instruction.location
    if (place !== undefined && place !== location && place !== own) return false
    measured ||= instruction.opcode === frames.CODESIZE
  }
  return measured
}

function creationError(known: frames.KnownFrame): StackEntry | undefined {
  const { frame, contract } = known
  if (frame.output.length > 0 || contract.constructorFunction === undefined) return undefined
  const source = frames.constructorSource(known)
  if (frame.value > 0n && !contract.constructorFunction.isPayable)
    return { kind: 'functionNotPayableError', source, value: frame.value }
  return failedInArguments(known) ? { kind: 'invalidParamsError', source } : undefined
}

export function inferFromMessage(known: frames.KnownFrame): StackEntry | undefined {
  return isCreation(known.frame) ? creationError(known) : callError(known)
}
