// The Solidity stack trace of a failed execution, by the heuristics of Hardhat (EDR, crates/edr_solidity).

import { isCreation } from '../../../core/execution/trace/observer.ts'
import { equalBytes } from '../../../core/primitives/hex.ts'
import type { Instruction } from '../model/code-map.ts'
import type { ContractIndex } from '../model/contract-index.ts'
import { containsRange, functionAround, type SourceRange } from '../model/source.ts'
import { inferFromLastMessage, inferFromMessage, inferFromUnsent } from './infer-call.ts'
import { type EnteredFunctions, inferFromCodeSize, inferFromEnd, inferUnmappedRevert } from './infer-end.ts'
import * as frames from './known-frame.ts'
import { type StackEntry, sourceOf } from './stack-entry.ts'
import type { TracedFrame } from './traced-frame.ts'

/** True if an instruction begins a function that viaIR adds, such as one of a checked addition. */
function isHelper({ contract }: frames.KnownFrame, { location }: Instruction): boolean {
  return contract.compiler.isViaIr === true && location !== (location && functionAround(location)?.location)
}

/** True for the call that viaIR makes of a modifier's `_`, the only one of a single character. */
function isPlaceholder({ location }: Instruction): boolean {
  return location !== undefined && location.end - location.start === 1
}

/** Follows the jumps of a frame into functions and out of them. */
function enteredFunctions(known: frames.KnownFrame): EnteredFunctions {
  const { steps } = known.frame
  const open: { readonly call: Instruction; readonly start: Instruction; readonly isWritten: boolean }[] = []
  let hasEntered = false
  for (let position = 0; position < steps.length; position++) {
    const pc = steps[position] as number
    const call = pc < 0 ? undefined : frames.instructionAt(known, pc)
    if (call?.jump === 'into') {
      const nextPc = steps[position + 1] ?? -1
      const start = nextPc < 0 ? undefined : frames.instructionAt(known, nextPc)
      if (start?.opcode !== frames.JUMPDEST) continue
      const isWritten = !isHelper(known, start)
      open.push({ call, start, isWritten })
      hasEntered ||= isWritten && start.location !== undefined
    } else if (call?.jump === 'outOf') open.pop()
  }
  const inSources: typeof open = []
  let helper: Instruction | undefined
  for (const each of open) {
    helper = each.isWritten ? undefined : (helper ?? each.call)
    if (!each.isWritten) continue
    // The function with a modifier calls it, and it calls what its `_` stands for: all three are one function.
    if (!isPlaceholder(each.call)) inSources.push(each)
    else if (functionAround(each.start.location as SourceRange)?.kind !== 'modifier') inSources.pop()
  }
  return {
    entries: inSources.map(({ call }) => frames.entryAt(known, call)),
    entered: inSources.map(({ start }) => start),
    hasEntered,
    helper,
  }
}

function inferFromSteps(known: frames.KnownFrame, index: ContractIndex): readonly StackEntry[] {
  const functions = enteredFunctions(known)
  const { entries } = functions
  const { frames: inner, steps } = known.frame
  const [frame, position] = [inner.at(-1), steps.lastIndexOf(-inner.length)]
  const last = frame && position >= 0 && { position, frame, entries: stackTraceOf(frame, index) }
  const inferred =
    (last ? inferFromLastMessage(known, index, entries, last) : undefined) ??
    inferFromUnsent(known, entries) ??
    inferFromEnd(known, functions) ??
    inferFromCodeSize(known, entries) ??
    inferUnmappedRevert(known, entries)
  if (inferred !== undefined) return inferred
  if (known.frame.exit === 'codeTooLarge')
    return [{ kind: 'contractTooLargeError', source: frames.constructorSource(known) }]
  return [...entries, { kind: 'otherExecutionError', source: frames.lastSource(known) }]
}

function unrecognised(frame: TracedFrame, index: ContractIndex): StackEntry[] {
  const { address, output, exit } = frame
  const isNew = isCreation(frame)
  const names = frames.namesWithoutSource(index, frame)
  const last = frame.frames.at(-1)
  // Most contracts pass on the error of a message.
  if (last !== undefined && last.exit !== 'success' && equalBytes(last.output, output)) {
    const entry: StackEntry = isNew
      ? { kind: 'unrecognizedCreateCallstackEntry', names }
      : { kind: 'unrecognizedContractCallstackEntry', names, address }
    return [entry, ...stackTraceOf(last, index)]
  }
  if (exit === 'codeTooLarge') return [{ kind: 'contractTooLargeError', source: undefined }]
  const isInvalidOpcode = exit === 'invalidOpcode'
  return isNew
    ? [{ kind: 'unrecognizedCreateError', names, returnData: output, isInvalidOpcode }]
    : [{ kind: 'unrecognizedContractError', names, address, returnData: output, isInvalidOpcode }]
}

function isNeeded(entry: StackEntry, position: number, entries: readonly StackEntry[]): boolean {
  const source = sourceOf(entry)
  const next = entries[position + 1]
  const nextSource = next && sourceOf(next)
  if (source === undefined || next === undefined || nextSource === undefined) return true

  // solc 0.8.5 jumps into a function to check the size of what a call returned.
  const afterNext = entries[position + 2]
  if (entry.kind === 'callstackEntry' && afterNext?.kind === 'returndataSizeError') {
    if (afterNext.source.range === source.range && afterNext.source.line === source.line) return false
  }
  if (source.function === 'constructor' && nextSource.function !== 'constructor') return true
  // A function that calls itself.
  const isSame = source.range === nextSource.range && source.line === nextSource.line
  if (position > 0 && entry.kind === next.kind && isSame) return true
  return !containsRange(source.range, nextSource.range)
}

/** Leaves out entries that repeat the place of the next one. */
export function withoutRedundant(entries: readonly StackEntry[]): StackEntry[] {
  return entries.filter(isNeeded)
}

/** Since when reverts without data that the compiler adds are mapped to the sources. */
const FIRST_MAPPED = '0.6.9'

/** True if the steps have these opcodes; the position counts from the end. */
function hasOpcodes(known: frames.KnownFrame, fromEnd: number, ...opcodes: readonly number[]): boolean {
  const start = known.frame.steps.length - fromEnd
  return start > 0 && opcodes.every((opcode, index) => frames.stepAt(known, start + index)?.opcode === opcode)
}

/** The trace with a last entry that says what the compiler's code checked, seen from the instructions before. */
function withCheckedError(known: frames.KnownFrame, entries: readonly StackEntry[]): readonly StackEntry[] {
  const last = entries.at(-1)
  if (last?.kind !== 'revertError' || last.isInvalidOpcode || last.returnData.length > 0) return entries
  if (!frames.isCompiledWith(known, FIRST_MAPPED)) return entries
  const { source } = last
  const before = entries.slice(0, -1)
  const checksCodeSize = hasOpcodes(known, 9, frames.EXTCODESIZE, frames.ISZERO, frames.DUP1, frames.ISZERO)
  if (checksCodeSize) return [...before, { kind: 'noncontractAccountCalledError', source }]
  const ofConstructor = hasOpcodes(known, 20, frames.CODESIZE) && hasOpcodes(known, 15, frames.CODECOPY)
  const checksArguments =
    (ofConstructor || hasOpcodes(known, 11, frames.CALLDATASIZE)) &&
    hasOpcodes(known, 7, frames.LT, frames.ISZERO)
  return checksArguments ? [...before, { kind: 'invalidParamsError', source }] : entries
}

/** The entries from the outermost call inwards; none for an execution that succeeded. */
export function stackTraceOf(frame: TracedFrame, index: ContractIndex): readonly StackEntry[] {
  if (frame.exit === 'success') return []
  if (frame.isPrecompile) return [{ kind: 'precompileError', precompile: Number(BigInt(frame.address)) }]
  const known = frames.knownFrame(index, frame)
  if (known === undefined) return unrecognised(frame, index)
  const shown = inferFromMessage(known)
  if (shown !== undefined) return [shown]
  return withCheckedError(known, withoutRedundant(inferFromSteps(known, index)))
}
