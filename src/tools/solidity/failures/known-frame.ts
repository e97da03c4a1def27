// A frame whose contract is known: its instructions and where they come from.

import { isCreation } from '../../../core/execution/trace/observer.ts'
import { bytesToHex } from '../../../core/primitives/hex.ts'
import type { Instruction } from '../model/code-map.ts'
import { versionNumber } from '../model/contract.ts'
import { type ContractIndex, recognise } from '../model/contract-index.ts'
import { functionAround, lineOf, type SolidityFunction, type SourceRange } from '../model/source.ts'
import { type FrameNames, NAME_OF_KIND, type SourceReference, type StackEntry } from './stack-entry.ts'
import type { TracedFrame } from './traced-frame.ts'

export const ISZERO = 0x15
export const LT = 0x10
export const CALLDATASIZE = 0x36
export const CODESIZE = 0x38
export const CODECOPY = 0x39
export const EXTCODESIZE = 0x3b
export const JUMPDEST = 0x5b
export const DUP1 = 0x80
export const CREATE = 0xf0
export const CALL = 0xf1
export const DELEGATECALL = 0xf4
export const CREATE2 = 0xf5
export const REVERT = 0xfd
export const INVALID = 0xfe

export type KnownFrame = NonNullable<ReturnType<typeof knownFrame>>

/** The names of a contract without sources, and of its function; `undefined` if it has none. */
export function namesWithoutSource(index: ContractIndex, frame: TracedFrame): FrameNames | undefined {
  const contract = recognise(index, frame, frame.code)
  if (contract === undefined || contract.name === '') return undefined
  const called = contract.functions.get(bytesToHex(frame.input.subarray(0, 4)))
  return { contract: contract.name, function: called?.name }
}

/** The frame with its contract; `undefined` if there is none in the index, or none with sources. */
export function knownFrame(index: ContractIndex, frame: TracedFrame) {
  const contract = recognise(index, frame, frame.code)
  const map = (isCreation(frame) ? contract?.creation : contract?.deployed)?.map()
  if (contract?.location === undefined || map === undefined) return undefined
  /** The location is the place of the whole contract. */
  return { frame, contract, location: contract.location, map }
}

export function instructionAt({ frame, map }: KnownFrame, pc: number): Instruction {
  const unmapped = { pc, opcode: frame.code[pc] ?? 0, jump: 'none', location: undefined } as const
  return map.at(pc) ?? unmapped
}

/** The instruction of a step; `undefined` for a frame, and beyond the ends. */
export function stepAt(known: KnownFrame, position: number): Instruction | undefined {
  const pc = known.frame.steps[position]
  return pc === undefined || pc < 0 ? undefined : instructionAt(known, pc)
}

export function lastStep(known: KnownFrame): Instruction | undefined {
  return stepAt(known, known.frame.steps.length - 1)
}

/** True if all instructions from a step on come from a place, or from none. */
export function isLastPlace(known: KnownFrame, from: number, place: SourceRange): boolean {
  for (let position = from; position < known.frame.steps.length; position++) {
    const instruction = stepAt(known, position)
    if (instruction === undefined) return false
    if (instruction.location !== undefined && instruction.location !== place) return false
  }
  return true
}

/** The function that the calldata asks for. */
export function calledFunction({ frame, contract }: KnownFrame): SolidityFunction | undefined {
  return contract.callable.get(bytesToHex(frame.input.subarray(0, 4)))
}

function hasEntered(known: KnownFrame, other: SolidityFunction, end: number): boolean {
  for (let position = 0; position < end; position++) {
    const start = stepAt(known, position)?.jump === 'into' ? stepAt(known, position + 1) : undefined
    if (start?.location !== undefined && functionAround(start.location) === other) return true
  }
  return false
}

/**
 * The instruction at a step. The optimizer joins equal code of functions, and maps it to one of them: if that is another that
 * can be called, and was not entered, the place is the last one within the function that was called.
 */
export function ownStepAt(known: KnownFrame, position: number): Instruction | undefined {
  const step = stepAt(known, position)
  const { callable, compiler } = known.contract
  const called = calledFunction(known)
  const other = step?.location && functionAround(step.location)
  if (step === undefined || called === undefined || other === undefined || other === called) return step
  const isOther = other.kind === 'function' && [...callable.values()].includes(other)
  if (!isOther || compiler.isViaIr === true || hasEntered(known, other, position)) return step
  for (let before = position - 1; before >= 0; before--) {
    const location = stepAt(known, before)?.location
    if (location === undefined || location === called.location) continue
    if (functionAround(location) === called) return { ...step, location }
  }
  return { ...step, location: called.location }
}

/** Compares the compiler's version; an unknown compiler counts as the newest. */
export function isCompiledWith({ contract }: KnownFrame, since: string, before?: string): boolean {
  const version = versionNumber(contract.compiler.version)
  if (version === undefined) return before === undefined
  const end = versionNumber(before) ?? Number.POSITIVE_INFINITY
  return version >= (versionNumber(since) as number) && version < end
}

function reference(contract: string | undefined, name: string | undefined, range: SourceRange) {
  return { contract, function: name, file: range.file.name, line: lineOf(range), range }
}

/** The function around a place, with the line of the place; `undefined` outside of functions. */
export function sourceAt({ contract }: KnownFrame, location: SourceRange | undefined) {
  const around = location && functionAround(location)
  if (location === undefined || around === undefined) return undefined
  const { kind, name } = around
  return reference(kind === 'free' ? undefined : contract.name, NAME_OF_KIND[kind] ?? name, location)
}

/** A place outside of functions: by default the contract. */
export function sourceOutside({ contract, location }: KnownFrame, place = location): SourceReference {
  return reference(contract.name, undefined, place)
}

/** Where a function begins. */
export function functionSource({ contract }: KnownFrame, called: SolidityFunction): SourceReference {
  return reference(contract.name, NAME_OF_KIND[called.kind] ?? called.name, called.location)
}

/** The line of the constructor, or of the contract if it has none. */
export function constructorSource({ contract, location }: KnownFrame): SourceReference {
  const line = lineOf(contract.constructorFunction?.location ?? location)
  return { ...reference(contract.name, 'constructor', location), line }
}

/** The last step that comes from a place in the sources, if no frame is behind it. */
export function lastMappedStep(known: KnownFrame): number | undefined {
  for (let position = known.frame.steps.length - 1; position >= 0; position--) {
    const instruction = stepAt(known, position)
    if (instruction === undefined) return undefined
    if (instruction.location !== undefined) return position
  }
  return undefined
}

/** The last place within a function. */
export function lastSource(known: KnownFrame): SourceReference | undefined {
  for (let position = known.frame.steps.length - 1; position >= 0; position--) {
    const source = sourceAt(known, stepAt(known, position)?.location)
    if (source !== undefined) return source
  }
  return undefined
}

/** The entry of a call that an instruction makes, or of a function that it begins. */
export function entryAt(known: KnownFrame, { pc, location }: Instruction): StackEntry {
  if (location === undefined)
    return { kind: 'internalFunctionCallstackEntry', pc, source: sourceOutside(known) }
  const source = sourceAt(known, location) ?? sourceOutside(known, location)
  return { kind: 'callstackEntry', source, functionKind: functionAround(location)?.kind ?? 'function' }
}

function constructorEntry(known: KnownFrame): StackEntry {
  return { kind: 'callstackEntry', source: constructorSource(known), functionKind: 'constructor' }
}

/** The function with the modifier in which an execution failed: the one that was entered last. */
export function entryBeforeModifier(known: KnownFrame, entered: readonly Instruction[]) {
  const last = entered.at(-1)
  if (last !== undefined) return entryAt(known, last)
  return isCreation(known.frame) ? constructorEntry(known) : undefined
}

/** A trace that begins with a modifier, with the called function before it. */
export function withCalledFunction(known: KnownFrame, entries: readonly StackEntry[]): StackEntry[] {
  const [first] = entries
  if (first?.kind !== 'callstackEntry' || first.functionKind !== 'modifier') return [...entries]
  if (isCreation(known.frame)) return [constructorEntry(known), ...entries]
  const { fallback, receive } = known.contract
  const unnamed = known.frame.input.length === 0 ? (receive ?? fallback) : fallback
  const called = calledFunction(known) ?? unnamed
  if (called === undefined) return [...entries]
  return [
    { kind: 'callstackEntry', source: functionSource(known, called), functionKind: called.kind },
    ...entries,
  ]
}
