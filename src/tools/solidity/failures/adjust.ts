// Reverts without data that the compiler adds and, since 0.6.9, maps to the sources: what they check is seen from the
// instructions before them.

import { isCompiledWith, type KnownFrame, stepAt } from './known-frame.ts'
import { CALLDATASIZE, CODECOPY, CODESIZE, DUP1, EXTCODESIZE, ISZERO, LT } from './opcodes.ts'
import type { StackEntry } from './stack-entry.ts'

const FIRST_MAPPED = '0.6.9'

/** Whether the steps have these opcodes; the position counts from the end. */
function hasOpcodes(known: KnownFrame, fromEnd: number, ...opcodes: readonly number[]): boolean {
  const start = known.frame.steps.length - fromEnd
  return start > 0 && opcodes.every((opcode, index) => stepAt(known, start + index)?.opcode === opcode)
}

function checksCodeSize(known: KnownFrame): boolean {
  return hasOpcodes(known, 9, EXTCODESIZE, ISZERO, DUP1, ISZERO)
}

function checksConstructorArguments(known: KnownFrame): boolean {
  return (
    hasOpcodes(known, 20, CODESIZE) && hasOpcodes(known, 15, CODECOPY) && hasOpcodes(known, 7, LT, ISZERO)
  )
}

function checksArguments(known: KnownFrame): boolean {
  return hasOpcodes(known, 11, CALLDATASIZE) && hasOpcodes(known, 7, LT, ISZERO)
}

/** The trace with a last entry that says more, if the instructions tell. */
export function withCheckedError(known: KnownFrame, entries: readonly StackEntry[]): readonly StackEntry[] {
  const last = entries.at(-1)
  if (last?.kind !== 'revertError' || last.isInvalidOpcode || last.returnData.length > 0) return entries
  if (!isCompiledWith(known, FIRST_MAPPED)) return entries
  const { source } = last
  const before = entries.slice(0, -1)
  if (checksCodeSize(known)) return [...before, { kind: 'noncontractAccountCalledError', source }]
  if (checksConstructorArguments(known) || checksArguments(known)) {
    return [...before, { kind: 'invalidParamsError', source }]
  }
  return entries
}
