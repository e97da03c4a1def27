// Reverts of solc 0.6.3 to 0.6.12, which the compiler may not map to the sources: the place is guessed from the
// instructions around (https://github.com/ethereum/solidity/issues/9006).

import { isCreation } from '../../../core/execution/trace/observer.ts'
import type { Instruction } from '../model/code-map.ts'
import { functionAround } from '../model/source.ts'
import {
  constructorSource,
  functionSource,
  isCompiledWith,
  type KnownFrame,
  lastMappedStep,
  lastStep,
  sourceAt,
  stepAt,
} from './known-frame.ts'
import { REVERT } from './opcodes.ts'
import type { SourceReference, StackEntry } from './stack-entry.ts'

const FIRST = '0.6.3'
const FIRST_WITHOUT = '0.7.0'

function mayBeUnmapped(known: KnownFrame): boolean {
  return isCompiledWith(known, FIRST, FIRST_WITHOUT) && lastStep(known)?.opcode === REVERT
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
function betweenInstructions(
  known: KnownFrame,
  before: Instruction | undefined,
  next: Instruction,
): StackEntry {
  const isBeforeInFunction = before?.location !== undefined && functionAround(before.location) !== undefined
  // Probably a require: the line is right, but functions around a modifier may be missing.
  if (isBeforeInFunction && before?.location === next.location) return entry(sourceAt(known, next.location))
  const source = sourceAt(known, isBeforeInFunction ? before?.location : next.location)
  return entry(source && nearestRevert(source))
}

function unmappedRevertEntry(known: KnownFrame): StackEntry | undefined {
  const position = lastMappedStep(known)
  const before = position === undefined ? undefined : stepAt(known, position)
  const next = known.map.at((lastStep(known)?.pc ?? 0) + 1)
  if (next !== undefined) return betweenInstructions(known, before, next)
  if (before === undefined) return undefined
  const source = sourceAt(known, before.location)
  // A constructor may end with the revert: the compiler leaves out what cannot be reached.
  if (source === undefined) return entry(isCreation(known.frame) ? constructorSource(known) : undefined)
  return entry(nearestRevert(source))
}

/** The entry of such a revert within a function. */
export function inferUnmappedRevert(
  known: KnownFrame,
  entries: readonly StackEntry[],
): StackEntry[] | undefined {
  if (!mayBeUnmapped(known)) return undefined
  const found = unmappedRevertEntry(known)
  return found === undefined ? [...entries] : [...entries, found]
}

/** The entry of such a revert in a call that entered no function: perhaps the fallback or the receive function. */
export function unmappedRevertBefore(known: KnownFrame): StackEntry | undefined {
  if (!mayBeUnmapped(known)) return undefined
  const found = unmappedRevertEntry(known)
  if (found?.kind === 'unmappedRevertError' && found.source !== undefined) return found
  const { fallback, receive } = known.contract
  const shown = receive !== undefined && known.frame.input.length === 0 ? receive : fallback
  return shown && entry(nearestRevert(functionSource(known, shown)))
}
