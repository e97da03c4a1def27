// The explainer of the core, by compiled contracts: executions run once more under observers.

import { type PlacedCall, runCall } from '../../core/execution/call/run-call.ts'
import type { MessageResult } from '../../core/execution/evm/run-message.ts'
import { withErrors } from '../../core/execution/result/console-log.ts'
import { observe } from '../../core/execution/trace/observe.ts'
import { combineObservers, type Observer } from '../../core/execution/trace/observer.ts'
import { findIncluded, type IncludedTransaction, requireIncluded } from '../../core/node/lookup.ts'
import { type Replayed, replayTransactions } from '../../core/node/replay.ts'
import { showTrace, traceOf } from '../../core/primitives/callers.ts'
import { TickchainError } from '../../core/primitives/errors.ts'
import type { Address, Hash } from '../../core/primitives/hex.ts'
import { precompilesOf } from '../../core/rollup/precompiles.ts'
import type { Rules } from '../../core/rollup/rules.ts'
import type { CallTrace, TracedCall, TracedPlace } from '../../core/rpc/call-trace.ts'
import { explain } from '../../core/rpc/flavor/messages.ts'
import type { KnownContracts, ReadContext } from '../../core/rpc/session.ts'
import { readAccount, type WorldState } from '../../core/state/world-state.ts'
import { indexWithNatives, nativeContractAt, readContracts } from './artifacts/read-contracts.ts'
import { namesIn } from './calls/accounts.ts'
import { decodeCalls } from './calls/decode-calls.ts'
import { type RecordedCall, recordCalls } from './calls/record-calls.ts'
import { packSteps, recordSteps } from './calls/record-steps.ts'
import { preimagesOf } from './calls/storage-names.ts'
import * as stackEntries from './failures/stack-entry.ts'
import { stackTraceOf } from './failures/stack-trace.ts'
import { isNotSent, recordFailurePath, type TracedFrame } from './failures/traced-frame.ts'
import { type ContractIndex, contractIndex, contractIndexOf, withContracts } from './model/contract-index.ts'

/** Lines shown before and after a place. */
const LINES_AROUND = 3

function excerptOf(entry: stackEntries.StackEntry): TracedPlace['excerpt'] {
  const source = stackEntries.sourceOf(entry)
  const content = source?.range.file.content
  if (source?.line === undefined || content === undefined) return undefined
  const { file, line } = source
  const from = Math.max(1, line - LINES_AROUND)
  const lines = content.split(/\r?\n/).slice(from - 1, line + LINES_AROUND)
  return { file, line, from, lines }
}

/** The entries of a frame and of those in it, innermost first. */
function entriesOf(frame: TracedFrame, index: ContractIndex) {
  const entries = stackTraceOf(frame, index)
  const lines = stackEntries.formatStackTrace(entries)
  return [...entries].reverse().map((entry, position) => ({
    entry,
    text: (lines[position] as string).replace(/^\s*at /, ''),
  }))
}

/** The depth down to which places are sought: each costs the stack trace from there on. */
const MOST_DEPTH = 64

/** The places in each frame on the way to the failure, outermost frame first. */
function placesByFrame(outermost: TracedFrame, index: ContractIndex): TracedPlace[][] {
  const path: ReturnType<typeof entriesOf>[] = []
  let frame: TracedFrame | undefined = outermost
  while (frame !== undefined && path.length < MOST_DEPTH) {
    path.push(entriesOf(frame, index))
    // Only the last frame in a frame can be why it failed.
    const last: TracedFrame | undefined = frame.frames.at(-1)
    frame = last?.exit === 'success' ? undefined : last
  }
  return path.map((entries, depth) => {
    const inner = path[depth + 1] ?? []
    const differing = entries.findIndex(({ text }, at) => text !== inner[at]?.text)
    const own = differing < 0 ? [] : entries.slice(differing)
    return own.map(({ text, entry }) => ({ text, excerpt: excerptOf(entry) }))
  })
}

function withStacks(call: TracedCall, [own, ...inner]: readonly (readonly TracedPlace[])[]): TracedCall {
  if (own === undefined || call.error === undefined) return call
  let last: TracedCall | undefined
  for (const entry of call.entries) {
    const isFrame = entry.type === 'call' && entry.kind !== 'SELFDESTRUCT' && !isNotSent(entry.error?.message)
    if (isFrame) last = entry
  }
  const entries = call.entries.map((entry) => (entry === last ? withStacks(entry, inner) : entry))
  return { ...call, entries, stack: own }
}

export { explainOption } from '../../core/emulator/options/foreign-names.ts'
export { describeAccount, describeStorage } from './calls/accounts.ts'

export function addContracts(known: KnownContracts, source: unknown): void {
  const added = readContracts(source)
  known.contracts = withContracts(contractIndexOf(known), added)
  const errors = added.flatMap((contract) => [...contract.errors.values()])
  known.customErrors = withErrors(known.customErrors, errors)
}

/** Executes under an observer, the same each time. */
type Run<Result> = (observer: Observer) => Promise<Result>

function runOf(call: PlacedCall): Run<MessageResult> {
  return (observer) => runCall(call, (instance, run) => observe(instance, observer, run))
}

function replayOf({ state }: ReadContext, { view, executed }: IncludedTransaction): Run<Replayed> {
  const range = { from: executed.index, to: executed.index + 1 }
  return async (observer) => {
    const [replayed] = await replayTransactions(state, view, range, () => ({ observer }))
    return replayed as Replayed
  }
}

/** The outermost frame of a failed execution. `after` has the codes, also of delegated accounts (EIP-7702). */
async function frameOf<Result>(run: Run<Result>, after: (result: Result) => WorldState) {
  const recorder = recordFailurePath()
  const state = after(await run(recorder.observer))
  return recorder.frame((address) => readAccount(state, address).code.bytes)
}

interface Execution extends Pick<CallTrace, 'transactionHash' | 'status' | 'gasUsed'> {
  readonly gasLimit: bigint
  readonly rules: Rules
  readonly before: WorldState
  /** The state after a transaction has the delegations that it sets (EIP-7702). */
  readonly after: WorldState
}

const NO_CONTRACTS = contractIndex([])

function recordExecution({ options }: ReadContext, hasSteps: boolean) {
  const { traceEntries } = options.limits
  const calls = recordCalls(traceEntries)
  const steps = hasSteps ? recordSteps(traceEntries) : undefined
  const observer = steps === undefined ? calls.observer : combineObservers([calls.observer, steps.observer])
  return { ...calls, steps, observer }
}

/** The trace of an execution, with the places of its failure in the sources. */
async function decodedTrace(
  context: ReadContext,
  { root, hashed, isCut, steps }: ReturnType<typeof recordExecution>,
  { transactionHash, status, gasUsed, gasLimit, rules, before, after }: Execution,
  run: Run<unknown>,
): Promise<CallTrace> {
  const contracts = contractIndexOf(context.known)
  const outermost = root() as RecordedCall
  const decoding = {
    contracts: indexWithNatives(contracts ?? NO_CONTRACTS, context.known),
    nativeAt: (address: Address) => nativeContractAt(context.known, address),
    errors: context.known.customErrors,
    labels: namesIn(context),
    before,
    after,
    preimages: preimagesOf(hashed),
    precompiles: new Map(Object.entries(precompilesOf(rules)).map(([name, address]) => [address, name])),
  }
  const { decoded, parts, nameOf } = decodeCalls(decoding, outermost)
  const naming = { before, preimages: decoding.preimages, parts, nameOf }
  const trace: CallTrace = {
    transactionHash,
    status,
    gasUsed,
    ...decoded,
    isCut: isCut(),
    ...(steps === undefined ? {} : { steps: packSteps(steps.recorded(), naming) }),
    // The gas that is missing when the outermost call begins.
    intrinsicGas: gasLimit - BigInt(outermost.start.gas),
  }
  if (contracts === undefined || trace.call.error === undefined) return trace
  const frame = await frameOf(run, () => after)
  return frame === undefined
    ? trace
    : { ...trace, call: withStacks(trace.call, placesByFrame(frame, contracts)) }
}

export async function traceOfTransaction(
  context: ReadContext,
  hash: Hash,
  hasSteps = false,
): Promise<CallTrace> {
  const found = requireIncluded(context.state, hash)
  const { receipt, transaction } = found.executed
  const recording = recordExecution(context, hasSteps)
  const run = replayOf(context, found)
  const { before, after } = await run(recording.observer)
  const execution: Execution = {
    transactionHash: hash,
    status: receipt.status === 1 ? 'success' : 'failed',
    gasUsed: receipt.gasUsed,
    gasLimit: transaction.gasLimit,
    rules: found.view.rules,
    before,
    after,
  }
  return decodedTrace(context, recording, execution, run)
}

export function traceOfCall(context: ReadContext, call: PlacedCall, hasSteps = false): Promise<CallTrace> {
  const { state, execution, message } = call
  return traceWith(context, state, execution.evmPool.rules, message.gasLimit, runOf(call), hasSteps)
}

export async function traceWith(
  context: ReadContext,
  state: WorldState,
  rules: Rules,
  gasLimit: bigint,
  run: Run<MessageResult>,
  hasSteps = false,
): Promise<CallTrace> {
  const recording = recordExecution(context, hasSteps)
  const { outcome, gasUsed } = await run(recording.observer)
  const status = outcome === 'success' ? 'success' : 'failed'
  const states = { before: state, after: state }
  const execution = { transactionHash: undefined, status, gasUsed, gasLimit, rules, ...states } as const
  return decodedTrace(context, recording, execution, run)
}

function explained({ known }: ReadContext, error: TickchainError, frame: TracedFrame | undefined) {
  const contracts = contractIndexOf(known)
  const entries = contracts === undefined || frame === undefined ? [] : stackTraceOf(frame, contracts)
  const last = entries.at(-1)
  if (last === undefined) return error
  showTrace(error, { ...traceOf(error), lines: stackEntries.formatStackTrace(entries) })
  return explain(error, {
    sentence: stackEntries.failureSentence(last),
    hardhatMessage: stackEntries.hardhatMessageOf(last),
  })
}

export async function explainCall(context: ReadContext, call: PlacedCall, error: unknown): Promise<unknown> {
  const isOfExecution =
    error instanceof TickchainError && (error.kind === 'reverted' || error.kind === 'executionFailed')
  if (!isOfExecution) return error
  return explained(context, error, await frameOf(runOf(call), () => call.state))
}

export async function explainTransaction(context: ReadContext, hash: Hash, error: TickchainError) {
  const found = findIncluded(context.state, hash)
  // Another request may have reverted the chain since.
  if (found === undefined) return error
  return explained(context, error, await frameOf(replayOf(context, found), ({ after }) => after))
}
