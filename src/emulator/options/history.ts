// The option `stateHistory`: how much of the past keeps its state.

import { refuse } from './checks.ts'

/** How much of the past keeps its state. */
export interface HistoryOptions {
  /**
   * Blocks, from the head back, whose state is kept: balances, code, storage and nonces, and what is called, proven or
   * built on them. What reads an older state is refused; blocks, transactions, receipts and logs can always be read.
   * A chain that lives long takes less memory with it. Default 'all'.
   */
  readonly stateHistory?: number | 'all'
}

/** The number of blocks; infinite for all. */
export function resolveStateHistory({ stateHistory = 'all' }: HistoryOptions): number {
  if (stateHistory === 'all') return Number.POSITIVE_INFINITY
  if (Number.isSafeInteger(stateHistory) && stateHistory >= 1) return stateHistory
  return refuse('stateHistory', `'all' or a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`, stateHistory)
}
