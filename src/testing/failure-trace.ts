// The trace of what failed in a test, for its output.

import type { Emulator } from '../emulator/emulator.ts'
import { internalsOf } from '../emulator/internals.ts'
import { failureOfTransaction } from '../execution/call/run-call.ts'
import type { NodeEvent } from '../node/events.ts'
import { findTransaction } from '../node/lookup.ts'
import type { TickchainError } from '../primitives/errors.ts'
import type { Hash } from '../primitives/hex.ts'
import { load } from '../primitives/loading.ts'
import { solidityLinesOf, withFlavorMessage } from '../rpc/flavor/messages.ts'
import { readContext, type Session } from '../rpc/session.ts'
import type { CallTrace } from '../solidity/calls/call-trace.ts'
import { formatTrace } from '../solidity/calls/format-trace.ts'

/** The failures of a chain, watched. */
export interface FailureWatch {
  /**
   * The reason and the trace of what failed: the call whose error one of these messages quotes, or else the transaction
   * that failed last; `undefined` if nothing has failed. The chain may be disposed of.
   */
  readonly describe: (messages: readonly string[]) => Promise<string | undefined>
  stop(): void
}

/** The reason of a failure, the lines of the contracts on the way to it, and the tree of its calls. */
function showFailure(title: string, error: TickchainError, trace: CallTrace): string {
  return [title, `  ${error.message}`, ...solidityLinesOf(error), '', formatTrace(trace)].join('\n')
}

async function showCall({ known }: Session, { context, call, error }: Session['failedCalls'][number]) {
  const { traceRun } = await load(import('../rpc/call-trace.ts'))
  return showFailure('The call that failed:', error, await traceRun(context, known, call))
}

/** `undefined` if the transaction is in no block any more. */
async function showTransaction(session: Session, hash: Hash): Promise<string | undefined> {
  const { known, node, options } = session
  const found = findTransaction(node.state, hash)
  const failed = found === undefined || 'pooled' in found ? undefined : failureOfTransaction(found.executed)
  if (failed === undefined) return undefined
  const context = readContext(session, node.state)
  const { traceTransaction } = await load(import('../rpc/call-trace.ts'))
  const { explainTransaction } = await load(import('../rpc/stack-traces.ts'))
  const explained = await explainTransaction(context, hash, failed)
  const error = withFlavorMessage(options.flavor, explained, known.customErrors)
  return showFailure('The transaction that failed last:', error, await traceTransaction(context, known, hash))
}

/** Watches a chain for executions that fail. */
export function watchFailures(chain: Emulator): FailureWatch {
  const { session, watchers } = internalsOf('watchFailures', chain)
  let last: Hash | undefined
  const take = (event: NodeEvent): void => {
    if (event.type !== 'partialBlock') return
    for (const { transaction, failure } of event.partial.executed)
      if (failure !== undefined) last = transaction.hash
  }
  watchers.add(take)
  return {
    async describe(messages) {
      const isNamed = (message: string): boolean => messages.some((text) => text.includes(message))
      const named = session.failedCalls.filter(({ error }) => isNamed(error.message)).at(-1)
      if (named !== undefined) return showCall(session, named)
      return last === undefined ? undefined : showTransaction(session, last)
    },
    stop() {
      watchers.delete(take)
    },
  }
}
