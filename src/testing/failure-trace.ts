// The trace of what failed in a test, for its output.

import type { Emulator } from '../emulator/emulator.ts'
import { internalsOf } from '../emulator/internals.ts'
import type { NodeEvent } from '../node/events.ts'
import { findTransaction } from '../node/lookup.ts'
import type { Hash } from '../primitives/hex.ts'
import { load } from '../primitives/loading.ts'
import { readContext } from '../rpc/session.ts'
import { formatTrace } from '../solidity/calls/format-trace.ts'

/** The failures of a chain, watched. */
export interface FailureWatch {
  /**
   * The trace of what failed, with a title: the call that one of these messages names, or else the transaction that
   * failed last; `undefined` if nothing has failed. The chain may be disposed of.
   */
  readonly describe: (messages: readonly string[]) => Promise<string | undefined>
  stop(): void
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
      const { known, failedCalls, node } = session
      const named = failedCalls
        .filter(({ message }) => messages.some((text) => text.includes(message)))
        .at(-1)
      const { traceRun, traceTransaction } = await load(import('../rpc/call-trace.ts'))
      if (named !== undefined) {
        return `The call that failed\n${formatTrace(await traceRun(named.context, known, named.call))}`
      }
      const found = last === undefined ? undefined : findTransaction(node.state, last)
      // A reorganisation may have taken it out.
      if (last === undefined || found === undefined || 'pooled' in found) return undefined
      const trace = await traceTransaction(readContext(session, node.state), known, last)
      return `The transaction that failed last\n${formatTrace(trace)}`
    },
    stop() {
      watchers.delete(take)
    },
  }
}
