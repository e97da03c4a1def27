// Decoded traces of transactions and calls, for people.

import { runCall } from '../../../core/execution/call/run-call.ts'
import type { MessageResult } from '../../../core/execution/evm/run-message.ts'
import { observe } from '../../../core/execution/trace/observe.ts'
import type { Observer } from '../../../core/execution/trace/observer.ts'
import { findTransaction } from '../../../core/node/lookup.ts'
import { type Replayed, replay } from '../../../core/node/replay.ts'
import { failure } from '../../../core/primitives/errors.ts'
import type { Hash } from '../../../core/primitives/hex.ts'
import { precompilesOf } from '../../../core/rollup/precompiles.ts'
import type { Rules } from '../../../core/rollup/rules.ts'
import type { CallTrace } from '../../../core/rpc/call-trace.ts'
import type { ReadContext, RunCall } from '../../../core/rpc/read-context.ts'
import { readAccount, type WorldState } from '../../../core/state/world-state.ts'
import { recordFrames } from '../failures/traced-frame.ts'
import { withPlaces } from '../failures/traced-places.ts'
import { contractIndex, contractsOf } from '../model/contract-index.ts'
import { namesIn } from './account-names.ts'
import { decodeCalls } from './decode-calls.ts'
import { type CallRecording, type RecordedCall, recordCalls } from './record-calls.ts'
import { preimagesOf } from './storage-names.ts'

const NO_CONTRACTS = contractIndex([])

function decode(
  context: ReadContext,
  { root, hashed, isCut }: CallRecording,
  rules: Rules,
  { before, after }: { readonly before: WorldState; readonly after: WorldState },
): Pick<CallTrace, 'call' | 'storage' | 'isCut'> {
  const decoded = decodeCalls(
    {
      contracts: contractsOf(context.known) ?? NO_CONTRACTS,
      errors: context.known.customErrors,
      labels: namesIn(context),
      before,
      after,
      preimages: preimagesOf(hashed),
      precompiles: new Map(Object.entries(precompilesOf(rules)).map(([name, address]) => [address, name])),
    },
    root() as RecordedCall,
  )
  return { ...decoded, isCut: isCut() }
}

/** What is left of the gas limit when the outermost call begins has not been paid. */
function intrinsicOf({ gasLimit }: { readonly gasLimit: bigint }, { root }: CallRecording): bigint {
  return gasLimit - BigInt(root()?.start.gas ?? 0)
}

/** Runs a failed execution once more, and returns its trace with the places in the sources. */
async function withPlacesOf<Trace extends CallTrace>(
  { known }: ReadContext,
  trace: Trace,
  run: (observer: Observer) => Promise<WorldState>,
): Promise<Trace> {
  const contracts = contractsOf(known)
  if (contracts === undefined || trace.call.error === undefined) return trace
  const recorder = recordFrames()
  const state = await run(recorder.observer)
  const frame = recorder.frame((address) => readAccount(state, address).code.bytes)
  return frame === undefined ? trace : { ...trace, call: withPlaces(trace.call, frame, contracts) }
}

/** The trace of a transaction in a sealed block or in the block being built. Throws `transactionNotFound`. */
export async function traceTransaction(context: ReadContext, hash: Hash): Promise<CallTrace> {
  const { config, state, options } = context
  const found = findTransaction(state, hash)
  if (found === undefined || 'pooled' in found)
    throw failure('transactionNotFound', { hash, isPooled: found !== undefined })
  const { index, receipt, transaction } = found.executed
  const recording = recordCalls(options.limits.traceEntries)
  const range = { from: index, to: index + 1 }
  const run = async (observer: Observer): Promise<Replayed> => {
    const [replayed] = await replay(config, state, found.view, range, () => observer)
    return replayed as Replayed
  }
  const replayed = await run(recording.observer)
  const trace: CallTrace = {
    transactionHash: hash,
    status: receipt.status === 1 ? 'success' : 'failed',
    gasUsed: receipt.gasUsed,
    ...decode(context, recording, found.view.rules, replayed),
    intrinsicGas: intrinsicOf(transaction, recording),
  }
  // The state after it has the delegations that the transaction sets (EIP-7702).
  return withPlacesOf(context, trace, async (observer) => (await run(observer)).after)
}

/** The trace of a call as it ran. */
export async function traceRun(
  context: ReadContext,
  { site, environment, message }: RunCall,
): Promise<CallTrace> {
  const { execution, state } = site
  return traceWith(context, { state, rules: execution.evmPool.rules, message }, (observer) =>
    runCall(execution, state, environment, message, (instance, run) => observe(instance, observer, run)),
  )
}

/** What is traced: a message, on a state. */
export interface Traced {
  readonly state: WorldState
  readonly rules: Rules
  readonly message: { readonly gasLimit: bigint }
}

/** The trace of what runs under observers, the same each time. */
export async function traceWith(
  context: ReadContext,
  { state, rules, message }: Traced,
  run: (observer: Observer) => Promise<MessageResult>,
): Promise<CallTrace> {
  const recording = recordCalls(context.options.limits.traceEntries)
  const result = await run(recording.observer)
  const trace: CallTrace = {
    transactionHash: undefined,
    status: result.outcome === 'success' ? 'success' : 'failed',
    gasUsed: result.gasUsed,
    ...decode(context, recording, rules, { before: state, after: state }),
    intrinsicGas: intrinsicOf(message, recording),
  }
  return withPlacesOf(context, trace, async (observer) => {
    await run(observer)
    return state
  })
}
