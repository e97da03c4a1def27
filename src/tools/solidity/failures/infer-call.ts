// Errors that a message itself shows: whom it calls, with what data and value. They are checked before its steps.

import { isCreation } from '../../../core/execution/trace/observer.ts'
import type { SolidityFunction } from '../model/source.ts'
import {
  calledFunction,
  constructorSource,
  functionSource,
  isCompiledWith,
  type KnownFrame,
  lastStep,
  sourceOutside,
  stepAt,
} from './known-frame.ts'
import { CODESIZE, REVERT } from './opcodes.ts'
import type { StackEntry } from './stack-entry.ts'

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

/** A call with value; libraries do not check it. */
function notPayable(known: KnownFrame, called: SolidityFunction): StackEntry | undefined {
  const { frame, contract } = known
  if (frame.value === 0n || called.isPayable || contract.kind === 'library') return undefined
  return { kind: 'functionNotPayableError', source: functionSource(known, called), value: frame.value }
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
  if (called !== undefined) return notPayable(known, called)
  return missingFunction(known) ?? fallbackNotPayable(known)
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
  if (frame.value > 0n && !contract.constructorFunction.isPayable) {
    return { kind: 'functionNotPayableError', source, value: frame.value }
  }
  return failedInArguments(known) ? { kind: 'invalidParamsError', source } : undefined
}

export function inferFromMessage(known: KnownFrame): StackEntry | undefined {
  return isCreation(known.frame) ? creationError(known) : callError(known)
}
