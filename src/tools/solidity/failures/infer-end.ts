// Errors at the last instruction of a frame.

import { decodeRevert } from '../../../core/execution/result/revert-reason.ts'
import { isCreation } from '../../../core/execution/trace/observer.ts'
import * as abi from '../../../core/primitives/abi.ts'
import { toChecksumAddress } from '../../../core/primitives/crypto.ts'
import { type Address, bytesToHex } from '../../../core/primitives/hex.ts'
import type { Instruction } from '../model/code-map.ts'
import { containsRange, functionAround } from '../model/source.ts'
import * as frames from './known-frame.ts'
import type { SourceReference, StackEntry } from './stack-entry.ts'

const FIRST = '0.6.3'
const FIRST_WITHOUT = '0.7.0'

function mayBeUnmapped(known: frames.KnownFrame): boolean {
  return (
    frames.isCompiledWith(known, FIRST, FIRST_WITHOUT) && frames.lastStep(known)?.opcode === frames.REVERT
  )
}

function mentionsRevert(line: string | undefined): boolean {
  return line !== undefined && (line.includes('require') || line.includes('revert'))
}

/** The next line that is not empty, if only that one has a require or a revert. */
function nearestRevert(source: SourceReference): SourceReference {
  const { line, range } = source
  const lines = range.file.content?.split('\n')
  if (line === undefined || lines === undefined || mentionsRevert(lines[line - 1])) return source
  const next = lines.findIndex((text, index) => index >= line && text.trim() !== '')
  return mentionsRevert(lines[next]) ? { ...source, line: next + 1 } : source
}

function entry(source: SourceReference | undefined): StackEntry {
  return { kind: 'unmappedRevertError', source }
}

/** By the instruction behind the revert, and the last one before it that is mapped. */
function betweenInstructions(known: frames.KnownFrame, before: Instruction | undefined, next: Instruction) {
  const isBeforeInFunction = before?.location !== undefined && functionAround(before.location) !== undefined
  // Probably a require: the line is right, but functions around a modifier may be missing.
  if (isBeforeInFunction && before?.location === next.location)
    return entry(frames.sourceAt(known, next.location))
  const source = frames.sourceAt(known, isBeforeInFunction ? before?.location : next.location)
  return entry(source && nearestRevert(source))
}

function unmappedRevertEntry(known: frames.KnownFrame): StackEntry | undefined {
  const position = frames.lastMappedStep(known)
  const before = position === undefined ? undefined : frames.stepAt(known, position)
  const next = known.map.at((frames.lastStep(known)?.pc ?? 0) + 1)
  if (next !== undefined) return betweenInstructions(known, before, next)
  if (before === undefined) return undefined
  const source = frames.sourceAt(known, before.location)
  // A constructor may end with the revert: the compiler leaves out what cannot be reached.
  if (source === undefined)
    return entry(isCreation(known.frame) ? frames.constructorSource(known) : undefined)
  return entry(nearestRevert(source))
}

/** The entry of such a revert within a function. */
export function inferUnmappedRevert(known: frames.KnownFrame, entries: readonly StackEntry[]) {
  if (!mayBeUnmapped(known)) return undefined
  const found = unmappedRevertEntry(known)
  return found === undefined ? [...entries] : [...entries, found]
}

/** The entry of such a revert in a call that entered no function: perhaps the fallback or the receive function. */
function unmappedRevertBefore(known: frames.KnownFrame): StackEntry | undefined {
  if (!mayBeUnmapped(known)) return undefined
  const found = unmappedRevertEntry(known)
  if (found?.kind === 'unmappedRevertError' && found.source !== undefined) return found
  const { fallback, receive } = known.contract
  const shown = receive !== undefined && known.frame.input.length === 0 ? receive : fallback
  return shown && entry(nearestRevert(frames.functionSource(known, shown)))
}

/** The functions that a frame has entered and not left when it ends. */
export interface EnteredFunctions {
  readonly entries: readonly StackEntry[]
  /** Where they begin. */
  readonly entered: readonly Instruction[]
  /** True if a function of the sources was entered at all, not only one of the compiler. */
  readonly hasEntered: boolean
  /** The call, in a function of the sources, of a function that viaIR added and that has not ended. */
  readonly helper: Instruction | undefined
}

const ZERO_INITIALISED_FUNCTION = 0x51n

function panicTrace(
  known: frames.KnownFrame,
  entries: readonly StackEntry[],
  last: Instruction,
  code: bigint,
) {
  const kept = [...entries]
  // The compiler's function that panics.
  if (kept.at(-1)?.kind === 'internalFunctionCallstackEntry') kept.pop()
  // The call of the function that is not there.
  if (code === ZERO_INITIALISED_FUNCTION) kept.pop()
  const source = frames.sourceAt(known, last.location) ?? frames.lastSource(known)
  return frames.withCalledFunction(known, [...kept, { kind: 'panicError', code, source }])
}

function showHardhatValue(type: abi.AbiType, value: abi.AbiValue): string {
  switch (type.kind) {
    case 'string':
    case 'bytes':
      return `"${value}"`
    case 'fixedBytes':
      return type.canonical === 'function' ? '<function>' : `"${value}"`
    case 'address':
      return `"${toChecksumAddress(value as Address)}"`
    case 'array':
      return `[${(value as readonly abi.AbiValue[]).map((each) => showHardhatValue(type.element, each)).join(', ')}]`
    case 'tuple': {
      const { components } = type
      const named = value as { readonly [component: string]: abi.AbiValue }
      const values = Array.isArray(value) ? value : components.map(({ name }) => named[name] as abi.AbiValue)
      return `[${showHardhatValues(components, values)}]`
    }
    default:
      return `${value}`
  }
}

/** Arguments as Hardhat writes them: texts, addresses and bytes in quotes, tuples in brackets. */
function showHardhatValues(parameters: readonly abi.AbiParameter[], values: readonly abi.AbiValue[]): string {
  return parameters.map(({ type }, index) => showHardhatValue(type, values[index] as abi.AbiValue)).join(', ')
}

/** In Hardhat's words. */
function customErrorMessage({ frame, contract }: frames.KnownFrame): string {
  const { output } = frame
  const error = contract.errors.get(bytesToHex(output.subarray(0, 4)))
  const values = error && abi.decodeParameters(error.inputs, output.subarray(4))
  return error === undefined || values === undefined
    ? `reverted with an unrecognized custom error (return data: ${bytesToHex(output)})`
    : `reverted with custom error '${error.name}(${showHardhatValues(error.inputs, values)})'`
}

/** Panics and custom errors, which the return data tells. */
function fromReturnData(known: frames.KnownFrame, entries: readonly StackEntry[], last: Instruction) {
  const reason = decodeRevert(known.frame.output)
  if (reason.type === 'panic') return panicTrace(known, entries, last, reason.code)
  if (reason.type !== 'custom') return undefined
  const source =
    frames.sourceAt(known, last.location) ?? frames.lastSource(known) ?? frames.sourceOutside(known)
  const error: StackEntry = { kind: 'customError', source, message: customErrorMessage(known) }
  return frames.withCalledFunction(known, [...entries, error])
}

function revertEntry({ frame }: frames.KnownFrame, last: Instruction, source: SourceReference): StackEntry {
  const isInvalidOpcode = last.opcode === frames.INVALID
  return { kind: 'revertError', source, returnData: frame.output, isInvalidOpcode }
}

/** The place of a revert; optimized code may come from no function. */
function revertSource(known: frames.KnownFrame, last: Instruction): SourceReference | undefined {
  const source = frames.sourceAt(known, last.location)
  if (source !== undefined) return source
  if (isCreation(known.frame)) return frames.constructorSource(known)
  const called = frames.calledFunction(known)
  return called && frames.functionSource(known, called)
}

function fromRevert(known: frames.KnownFrame, functions: EnteredFunctions, last: Instruction) {
  if (last.opcode !== frames.REVERT && last.opcode !== frames.INVALID) return undefined
  const entries = [...functions.entries]
  const isInFunction = functions.hasEntered || isCreation(known.frame)
  const around = last.location && functionAround(last.location)
  // With viaIR a modifier is a function that is called.
  if (isInFunction && around?.kind === 'modifier' && known.contract.compiler.isViaIr !== true) {
    const before = frames.entryBeforeModifier(known, functions.entered)
    if (before !== undefined) entries.push(before)
  }
  const told = fromReturnData(known, entries, last)
  if (told !== undefined) return told
  if (last.location !== undefined) {
    const source = isInFunction ? revertSource(known, last) : undefined
    if (source === undefined) return undefined
    return frames.withCalledFunction(known, [...entries, revertEntry(known, last, source)])
  }
  if (known.frame.output.length === 0) return undefined
  return frames.withCalledFunction(known, [...entries, revertEntry(known, last, frames.sourceOutside(known))])
}

/** True if the calldata does not decode as arguments of the called function. */
function hasWrongArguments(known: frames.KnownFrame): boolean {
  const { frame, contract } = known
  const called = contract.functions.get(bytesToHex(frame.input.subarray(0, 4)))
  return (
    called?.inputs !== undefined && abi.decodeParameters(called.inputs, frame.input.subarray(4)) === undefined
  )
}

/** The error of a call that failed before it entered a function. */
function beforeFunctions(known: frames.KnownFrame, last: Instruction): StackEntry {
  const { fallback, receive } = known.contract
  const { location } = last
  const isInFallback = [fallback, receive].some(
    (each) => each !== undefined && location !== undefined && containsRange(each.location, location),
  )
  const source = frames.sourceAt(known, location)
  if (last.opcode === frames.REVERT && isInFallback && source !== undefined)
    return revertEntry(known, last, source)
  const around = location && functionAround(location)
  if (around !== undefined) return revertEntry(known, last, frames.functionSource(known, around))
  const called = frames.calledFunction(known)
  // With viaIR, values of enums and the like are checked here, too.
  const isChecked = last.opcode === frames.REVERT && known.contract.compiler.isViaIr === true
  if (called !== undefined && (isChecked || hasWrongArguments(known)))
    return { kind: 'invalidParamsError', source: frames.functionSource(known, called) }
  return unmappedRevertBefore(known) ?? { kind: 'otherExecutionError', source: frames.sourceOutside(known) }
}

/** The trace if the last instruction explains the failure. */
export function inferFromEnd(
  known: frames.KnownFrame,
  functions: EnteredFunctions,
): StackEntry[] | undefined {
  const end = frames.ownStepAt(known, known.frame.steps.length - 1)
  if (end === undefined) return undefined
  const last = { ...end, location: (functions.helper ?? end).location }
  const reverted = fromRevert(known, functions, last)
  if (reverted !== undefined) return reverted
  if (isCreation(known.frame) || functions.hasEntered) return undefined
  return [beforeFunctions(known, last)]
}

/** The trace of a call to an account without code, which the compiler checks for with EXTCODESIZE. */
export function inferFromCodeSize(
  known: frames.KnownFrame,
  entries: readonly StackEntry[],
): StackEntry[] | undefined {
  const position = frames.lastMappedStep(known)
  if (position === undefined || frames.stepAt(known, position)?.opcode !== frames.ISZERO) return undefined
  if (frames.stepAt(known, position - 1)?.opcode !== frames.EXTCODESIZE) return undefined
  const source = frames.lastSource(known)
  return source && [...entries, { kind: 'noncontractAccountCalledError', source }]
}
