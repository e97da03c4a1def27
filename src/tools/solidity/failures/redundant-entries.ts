// Entries that repeat the place of the next one.

import { containsRange } from '../model/source.ts'
import { type StackEntry, sourceOf } from './stack-entry.ts'

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

export function withoutRedundant(entries: readonly StackEntry[]): StackEntry[] {
  return entries.filter(isNeeded)
}
