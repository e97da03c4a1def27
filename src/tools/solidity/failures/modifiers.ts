// Modifiers run inside of functions that no jump enters: their functions are added to the trace.

import { isCreation } from '../../../core/execution/trace/observer.ts'
import type { Instruction } from '../model/code-map.ts'
import { functionAround, type SolidityFunction } from '../model/source.ts'
import {
  calledFunction,
  constructorSource,
  functionSource,
  type KnownFrame,
  sourceAt,
  sourceOutside,
} from './known-frame.ts'
import type { StackEntry } from './stack-entry.ts'

/** The entry of a call that an instruction makes, or of a function that it begins. */
export function entryAt(known: KnownFrame, { pc, location }: Instruction): StackEntry {
  if (location === undefined) {
    return { kind: 'internalFunctionCallstackEntry', pc, source: sourceOutside(known) }
  }
  const source = sourceAt(known, location) ?? sourceOutside(known, location)
  return { kind: 'callstackEntry', source, functionKind: functionAround(location)?.kind ?? 'function' }
}

function constructorEntry(known: KnownFrame): StackEntry {
  return { kind: 'callstackEntry', source: constructorSource(known), functionKind: 'constructor' }
}

/** The function with the modifier in which an execution failed: the one that was entered last. */
export function entryBeforeModifier(
  known: KnownFrame,
  entered: readonly Instruction[],
): StackEntry | undefined {
  const last = entered.at(-1)
  if (last !== undefined) return entryAt(known, last)
  return isCreation(known.frame) ? constructorEntry(known) : undefined
}

/** The function that runs when the calldata asks for none. */
function unnamedFunction({ frame, contract }: KnownFrame): SolidityFunction | undefined {
  return frame.input.length === 0 ? (contract.receive ?? contract.fallback) : contract.fallback
}

/** A trace that begins with a modifier, with the called function before it. */
export function withCalledFunction(known: KnownFrame, entries: readonly StackEntry[]): StackEntry[] {
  const [first] = entries
  if (first?.kind !== 'callstackEntry' || first.functionKind !== 'modifier') return [...entries]
  if (isCreation(known.frame)) return [constructorEntry(known), ...entries]
  const called = calledFunction(known) ?? unnamedFunction(known)
  if (called === undefined) return [...entries]
  return [
    { kind: 'callstackEntry', source: functionSource(known, called), functionKind: called.kind },
    ...entries,
  ]
}
