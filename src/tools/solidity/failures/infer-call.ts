// Errors that a message itself shows, checked before its steps: whom it calls, with what data and value; and errors at
// the last message that a frame sent.

import { isCreation } from '../../../core/execution/trace/observer.ts'
import { equalBytes } from '../../../core/primitives/hex.ts'
import type { ContractIndex } from '../model/contract-index.ts'
import {
  CALL,
  CODESIZE,
  CREATE,
  CREATE2,
  calledFunction,
  constructorSource,
  DELEGATECALL,
  entryAt,
  functionSource,
  isCompiledWith,
  isLastPlace,
  type KnownFrame,
  knownFrame,
  lastStep,
  REVERT,
  sourceOutside,
  stepAt,
  subframeAt,
  withCalledFunction,
} from './known-frame.ts'
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
function failsRightAfter(known: KnownFrame, position: number): boolean {
  const place = stepAt(known, position - 1)?.location
  if (place === undefined || lastStep(known)?.opcode !== REVERT) return false
  return isLastPlace(known, position + 1, place)
}

function isPropagated(known: KnownFrame, { position, frame }: LastMessage): boolean {
  const outer = known.frame
  if (!equalBytes(outer.output, frame.output)) return false
  if (outer.exit === 'outOfGas' && frame.exit === 'outOfGas') return true
  // The same data is no coincidence.
  return outer.output.length > 0 || failsRightAfter(known, position)
}

/** True if the frame is a proxy, whose assembly passes on what its implementation returned. */
function isPropagatedByProxy(known: KnownFrame, index: ContractIndex, last: LastMessage): boolean {
  const { position, frame } = last
  if (isCreation(known.frame) || stepAt(known, position - 1)?.opcode !== DELEGATECALL) return false
  const implementation = knownFrame(index, frame)
  if (implementation === undefined || implementation.contract.kind === 'library') return false
  if (!equalBytes(known.frame.output, frame.output)) return false
  for (let at = position + 1; at < known.frame.steps.length; at++) {
    const instruction = stepAt(known, at)
    if (instruction?.location === undefined) return false
    if (instruction.jump === 'into' || instruction.jump === 'outOf') return false
  }
  return lastStep(known)?.opcode === REVERT
}

/** The trace if the last message explains the failure. */
export function inferFromLastMessage(
  known: KnownFrame,
  index: ContractIndex,
  entries: readonly StackEntry[],
  last: LastMessage,
): StackEntry[] | undefined {
  const { position, frame } = last
  const call = stepAt(known, position - 1)
  if (call === undefined) return undefined
  const entry = entryAt(known, call)
  if (frame.exit === 'success') {
    const source = sourceOf(entry)
    if (source === undefined || !failsRightAfter(known, position)) return undefined
    return withCalledFunction(known, [...entries, { kind: 'returndataSizeError', source }])
  }
  if (!isPropagated(known, last) && !isPropagatedByProxy(known, index, last)) return undefined
  const whole = [...entries, entry, ...last.entries]
  const innermost = whole.at(-1)
  const { output, exit } = known.frame
  // It reverted because the message ran out of the gas that it was given.
  const isOutOfGas = output.length === 0 && exit === 'revert' && frame.exit === 'outOfGas'
  if (innermost !== undefined && isOutOfGas && failsRightAfter(known, position))
    whole[whole.length - 1] = { kind: 'contractCallRunOutOfGasError', source: sourceOf(innermost) }
  return withCalledFunction(known, whole)
}

/** The trace if the last message could not be sent, for want of balance or depth. */
export function inferFromUnsent(known: KnownFrame, entries: readonly StackEntry[]): StackEntry[] | undefined {
  for (let position = known.frame.steps.length - 2; position >= 0; position--) {
    const instruction = stepAt(known, position)
    if (instruction === undefined) return undefined
    const { opcode, location } = instruction
    const sends = opcode === CALL || opcode === CREATE || opcode === CREATE2
    if (!sends || location === undefined || subframeAt(known, position + 1) !== undefined) continue
    if (!isLastPlace(known, position, location)) continue
    const entry = entryAt(known, instruction)
    const source = sourceOf(entry)
    if (source === undefined || source.function === undefined) continue
    return withCalledFunction(known, [...entries, { kind: 'callFailedError', source }])
  }
  return undefined
}

/** Since when the constructor checks the length of its arguments. */
const CHECKED_CONSTRUCTORS = '0.5.9'
const RECEIVE_FUNCTIONS = '0.6.0'

/** True for a plain transfer to a contract without a receive function, since solc has them. */
function lacksReceive(known: KnownFrame): boolean {
  const { frame, contract } = known
  return (
    isCompiledWith(known, RECEIVE_FUNCTIONS) && frame.input.length === 0 && contract.receive === undefined
  )
}

function directLibraryCall(known: KnownFrame): StackEntry | undefined {
  const { frame, contract } = known
  if (frame.depth > 0 || contract.kind !== 'library') return undefined
  const called = calledFunction(known)
  const source = called === undefined ? sourceOutside(known) : functionSource(known, called)
  return { kind: 'directLibraryCallError', source }
}

function missingFunction(known: KnownFrame): StackEntry | undefined {
  const { frame, contract } = known
  if (contract.fallback !== undefined) return undefined
  if (frame.input.length === 0 && contract.receive !== undefined) return undefined
  const source = sourceOutside(known)
  return lacksReceive(known)
    ? { kind: 'missingFallbackOrReceiveError', source }
    : { kind: 'unrecognizedFunctionWithoutFallbackError', source }
}

function fallbackNotPayable(known: KnownFrame): StackEntry | undefined {
  const { frame, contract } = known
  const { fallback } = contract
  if (frame.value === 0n || fallback === undefined || fallback.isPayable) return undefined
  const kind = lacksReceive(known) ? 'fallbackNotPayableAndNoReceiveError' : 'fallbackNotPayableError'
  return { kind, source: functionSource(known, fallback), value: frame.value }
}

function callError(known: KnownFrame): StackEntry | undefined {
  const direct = directLibraryCall(known)
  // The other errors return no data.
  if (direct !== undefined || known.frame.output.length > 0) return direct
  const called = calledFunction(known)
  if (called === undefined) return missingFunction(known) ?? fallbackNotPayable(known)
  const { value } = known.frame
  // Libraries do not check it.
  if (value === 0n || called.isPayable || known.contract.kind === 'library') return undefined
  return { kind: 'functionNotPayableError', source: functionSource(known, called), value }
}

/** True if the constructor ended, in code that is not mapped, after it measured its arguments and nothing else. */
function failedInArguments(known: KnownFrame): boolean {
  const { frame, contract, location } = known
  const own = contract.constructorFunction?.location
  const last = lastStep(known)
  if (last?.opcode !== REVERT || last.location !== undefined) return false
  if (!isCompiledWith(known, CHECKED_CONSTRUCTORS)) return false
  let measured = false
  for (let position = 0; position < frame.steps.length; position++) {
    const instruction = stepAt(known, position)
    if (instruction === undefined) return false
    const place = instruction.location
    if (place !== undefined && place !== location && place !== own) return false
    measured ||= instruction.opcode === CODESIZE
  }
  return measured
}

function creationError(known: KnownFrame): StackEntry | undefined {
  const { frame, contract } = known
  if (frame.output.length > 0 || contract.constructorFunction === undefined) return undefined
  const source = constructorSource(known)
  if (frame.value > 0n && !contract.constructorFunction.isPayable)
    return { kind: 'functionNotPayableError', source, value: frame.value }
  return failedInArguments(known) ? { kind: 'invalidParamsError', source } : undefined
}

export function inferFromMessage(known: KnownFrame): StackEntry | undefined {
  return isCreation(known.frame) ? creationError(known) : callError(known)
}
