// The part of the error table about the failures that a test asks for.

import { row } from './error-row.ts'

export const FAILURE_ERRORS = {
  // What a fault is told to answer: its code is the test's, too.
  injectedFault: row<{ message: string }>(-32000, (e) => e.message),
  callbackFailed: row<{ callback: string; reason: string }>(
    -32000,
    (e) => `${e.callback} failed: ${e.reason}`,
  ),
  invalidSchedule: row<{ blockNumber: number; partialIndex: number; reason: string }>(
    -32000,
    (e) => `invalid schedule of block ${e.blockNumber}, partial block ${e.partialIndex}: ${e.reason}`,
  ),
  notPooled: row<{ hash: string }>(-32000, (e) => `transaction ${e.hash} is not in the pool`),
} as const
