// Calls and estimates that failed: explained by Solidity stack traces, and kept with their errors to be traced later.

import { TickchainError } from '../primitives/errors.ts'
import type { ReadContext, RunCall } from './read-context.ts'

/** A call that failed, as it ran. */
export interface FailedCall {
  readonly context: ReadContext
  readonly call: RunCall
}

/** By the error that told of it. */
const FAILED = new WeakMap<object, FailedCall>()

export function failedCallOf(error: object): FailedCall | undefined {
  return FAILED.get(error)
}

/** Lets an error that replaces another one tell of the same call. */
export function inheritFailedCall(from: object, to: object): FailedCall | undefined {
  const failed = FAILED.get(from)
  if (failed !== undefined) FAILED.set(to, failed)
  return failed
}

/** Runs a call; its failure is kept, and gets a Solidity stack trace if contracts are known. */
export async function withExplainedFailure<Result>(
  context: ReadContext,
  call: RunCall,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof TickchainError)) throw error
    FAILED.set(error, { context, call })
    if (context.known.contracts === undefined) throw error
    throw await (await context.known.explainer()).explainCall(context, call, error)
  }
}
