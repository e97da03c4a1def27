// Solidity stack traces of failed calls and transactions, which are executed once more for them.

import { runCall } from '../../../core/execution/call/run-call.ts'
import { observe } from '../../../core/execution/trace/observe.ts'
import { findTransaction } from '../../../core/node/lookup.ts'
import { type Replayed, replay } from '../../../core/node/replay.ts'
import { showTrace, traceOf } from '../../../core/primitives/callers.ts'
import { TickchainError } from '../../../core/primitives/errors.ts'
import type { Hash } from '../../../core/primitives/hex.ts'
import { explain, NO_REASON, VM_EXCEPTION } from '../../../core/rpc/flavor/messages.ts'
import type { ReadContext, RunCall } from '../../../core/rpc/read-context.ts'
import { readAccount, type WorldState } from '../../../core/state/world-state.ts'
import { contractsOf } from '../model/contract-index.ts'
import { failureSentence, formatStackTrace } from './format-stack-trace.ts'
import type { StackEntry } from './stack-entry.ts'
import { stackTraceOf } from './stack-trace.ts'
import { type FrameRecorder, recordFrames } from './traced-frame.ts'

/** Hardhat's message of an error; `undefined` if it is made of the return data. */
function hardhatMessageOf(last: StackEntry): string | undefined {
  const sentence = failureSentence(last)
  if (sentence !== undefined) return `Transaction reverted: ${sentence}`
  switch (last.kind) {
    case 'revertError':
    case 'unrecognizedContractError':
    case 'unrecognizedCreateError':
      if (last.returnData.length > 0) return undefined
      return last.isInvalidOpcode ? `${VM_EXCEPTION} invalid opcode` : NO_REASON
    case 'customError':
      return `${VM_EXCEPTION} ${last.message}`
    case 'otherExecutionError':
      return "Transaction reverted and Hardhat couldn't infer the reason."
    case 'unmappedRevertError':
      return `${NO_REASON} and without a valid sourcemap provided by the compiler. Some line numbers may be off. We strongly recommend upgrading solc and always using revert reasons.`
    default:
      return undefined
  }
}

/** @param state with the codes of the accounts */
function withTrace(
  { known }: ReadContext,
  error: TickchainError,
  { frame }: FrameRecorder,
  state: WorldState,
): TickchainError {
  const contracts = contractsOf(known)
  const outermost = frame((address) => readAccount(state, address).code.bytes)
  if (contracts === undefined || outermost === undefined) return error
  const entries = stackTraceOf(outermost, contracts)
  const last = entries.at(-1)
  if (last === undefined) return error
  showTrace(error, { ...traceOf(error), lines: formatStackTrace(entries) })
  return explain(error, { sentence: failureSentence(last), hardhatMessage: hardhatMessageOf(last) })
}

function isOfExecution(error: unknown): error is TickchainError {
  return error instanceof TickchainError && (error.kind === 'reverted' || error.kind === 'executionFailed')
}

/** The error of a call, with its trace if it is one of the execution. */
export async function explainCall(context: ReadContext, call: RunCall, error: unknown): Promise<unknown> {
  if (!isOfExecution(error)) return error
  const { site, environment, message } = call
  const recorder = recordFrames()
  await runCall(site.execution, site.state, environment, message, (instance, run) =>
    observe(instance, recorder.observer, run),
  )
  return withTrace(context, error, recorder, site.state)
}

/** The error of a transaction in a block, with its trace. */
export async function explainTransaction(
  context: ReadContext,
  hash: Hash,
  error: TickchainError,
): Promise<TickchainError> {
  const { config, state } = context
  const found = findTransaction(state, hash)
  // Another request may have reverted the chain since.
  if (found === undefined || 'pooled' in found) return error
  const { index } = found.executed
  const recorder = recordFrames()
  const range = { from: index, to: index + 1 }
  const [replayed] = await replay(config, state, found.view, range, () => recorder.observer)
  // The state after it has the delegations that the transaction sets (EIP-7702).
  return withTrace(context, error, recorder, (replayed as Replayed).after)
}
