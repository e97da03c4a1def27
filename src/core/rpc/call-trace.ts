// Decoded traces of transactions and calls, for people.

import type { CallTrace } from '../../tools/solidity/calls/call-trace.ts'
import { decodeCalls } from '../../tools/solidity/calls/decode-calls.ts'
import {
  type CallRecording,
  type RecordedCall,
  recordCalls,
} from '../../tools/solidity/calls/record-calls.ts'
import { preimagesOf } from '../../tools/solidity/calls/storage-names.ts'
import { recordFrames } from '../../tools/solidity/failures/traced-frame.ts'
import { withPlaces } from '../../tools/solidity/failures/traced-places.ts'
import { contractIndex } from '../../tools/solidity/model/contract-index.ts'
import { runCall } from '../execution/call/run-call.ts'
import type { MessageResult } from '../execution/evm/run-message.ts'
import { observe } from '../execution/trace/observe.ts'
import type { Observer } from '../execution/trace/observer.ts'
import { type BlockSelector, findTransaction, requireBlock } from '../node/lookup.ts'
import { type Replayed, replay } from '../node/replay.ts'
import { failure } from '../primitives/errors.ts'
import type { Hash } from '../primitives/hex.ts'
import { precompilesOf } from '../rollup/precompiles.ts'
import type { Rules } from '../rollup/rules.ts'
import { NO_STATE_OVERRIDES } from '../state/overrides.ts'
import { readAccount, type WorldState } from '../state/world-state.ts'
import { namesIn } from './account-names.ts'
import type { TransactionRequest } from './codecs/transaction-request.ts'
import { callOf } from './flavor/calls.ts'
import type { KnownContracts } from './known-contracts.ts'
import type { ReadContext } from './read-context.ts'
import { callSiteAt } from './requests/call-site.ts'
import type { RunCall } from './stack-traces.ts'

const NO_CONTRACTS = contractIndex([])

function decode(
  context: ReadContext,
  known: KnownContracts,
  { root, hashed, isCut }: CallRecording,
  rules: Rules,
  { before, after }: { readonly before: WorldState; readonly after: WorldState },
): Pick<CallTrace, 'call' | 'storage' | 'isCut'> {
  const decoded = decodeCalls(
    {
      contracts: known.contracts ?? NO_CONTRACTS,
      errors: known.customErrors,
      labels: namesIn(context, known),
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
  { contracts }: KnownContracts,
  trace: Trace,
  run: (observer: Observer) => Promise<WorldState>,
): Promise<Trace> {
  if (contracts === undefined || trace.call.error === undefined) return trace
  const recorder = recordFrames()
  const state = await run(recorder.observer)
  const frame = recorder.frame((address) => readAccount(state, address).code.bytes)
  return frame === undefined ? trace : { ...trace, call: withPlaces(trace.call, frame, contracts) }
}

/** The trace of a transaction in a sealed block or in the block being built. Throws `transactionNotFound`. */
export async function traceTransaction(
  context: ReadContext,
  known: KnownContracts,
  hash: Hash,
): Promise<CallTrace> {
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
    ...decode(context, known, recording, found.view.rules, replayed),
    intrinsicGas: intrinsicOf(transaction, recording),
  }
  // The state after it has the delegations that the transaction sets (EIP-7702).
  return withPlacesOf(known, trace, async (observer) => (await run(observer)).after)
}

/** The trace of a call on the state of a block. */
export async function traceCall(
  context: ReadContext,
  known: KnownContracts,
  request: TransactionRequest,
  selector: BlockSelector,
): Promise<CallTrace> {
  const view = requireBlock(context.config, context.state, selector)
  const site = callSiteAt(context, view, NO_STATE_OVERRIDES, undefined)
  const { message, environment } = callOf(context, site, request, undefined)
  return traceRun(context, known, { site, environment, message })
}

/** The trace of a call as it ran. */
export async function traceRun(
  context: ReadContext,
  known: KnownContracts,
  { site, environment, message }: RunCall,
): Promise<CallTrace> {
  const { execution, state } = site
  return traceWith(context, known, { state, rules: execution.evmPool.rules, message }, (observer) =>
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
  known: KnownContracts,
  { state, rules, message }: Traced,
  run: (observer: Observer) => Promise<MessageResult>,
): Promise<CallTrace> {
  const recording = recordCalls(context.options.limits.traceEntries)
  const result = await run(recording.observer)
  const trace: CallTrace = {
    transactionHash: undefined,
    status: result.outcome === 'success' ? 'success' : 'failed',
    gasUsed: result.gasUsed,
    ...decode(context, known, recording, rules, { before: state, after: state }),
    intrinsicGas: intrinsicOf(message, recording),
  }
  return withPlacesOf(known, trace, async (observer) => {
    await run(observer)
    return state
  })
}
