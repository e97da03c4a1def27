// The answers of the trace module.

import type { PlacedCall } from '../../execution/call/run-call.ts'
import { recordFrames } from '../../execution/trace/call-frames.ts'
import { combineObservers, opcodeName } from '../../execution/trace/observer.ts'
import { recordOperations, type VmFrame, type VmOperation } from '../../execution/trace/vm-operations.ts'
import { isDelegated } from '../../execution/transaction/validity.ts'
import * as lookup from '../../node/lookup.ts'
import { decodeTransaction } from '../../pool/decode.ts'
import * as hex from '../../primitives/hex.ts'
import type { Account } from '../../state/world-state.ts'
import * as world from '../../state/world-state.ts'
import type { TransactionRequest } from '../codecs/overrides.ts'
import type { TraceType } from '../codecs/trace-config.ts'
import { callOf } from '../flavor/chain.ts'
import * as format from '../format/trace.ts'
import { formatLocalizedTraces } from '../format/trace.ts'
import type { ReadContext } from '../session.ts'
import * as tracers from '../tracers/tracer.ts'
import { onlyOf } from '../tracers/tracer.ts'
import { callSiteIn, placeCall, toCallMessage } from './call-message.ts'
import { requestOf } from './fill-transaction.ts'
import { framesIn, rewardsIn } from './trace-filter.ts'

/** The delta of a value of an account; an account that does not exist has none. */
function delta(from: hex.Hex | undefined, to: hex.Hex | undefined) {
  if (from === to) return '=' as const
  if (from === undefined) return { '+': to as hex.Hex }
  return to === undefined ? { '-': from } : { '*': { from, to } }
}

function diffStorage(before: Account | undefined, after: Account | undefined) {
  const from = (before ?? world.EMPTY_ACCOUNT).storage
  const to = (after ?? world.EMPTY_ACCOUNT).storage
  const slots: [hex.Hash, ReturnType<typeof delta>][] = []
  from.visitChanges(to, (slot, old = hex.EMPTY_BYTES, now = hex.EMPTY_BYTES) => {
    const wordOf = (value: Uint8Array) => hex.bytesToHex(hex.padLeft(value, 32))
    const changed = delta(before && wordOf(old), after && wordOf(now))
    if (changed !== '=') slots.push([slot, changed])
  })
  return Object.fromEntries(slots.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function diffAccount(old: Account | undefined, now: Account | undefined) {
  return {
    balance: delta(old && hex.toQuantity(old.balance), now && hex.toQuantity(now.balance)),
    code: delta(old && hex.bytesToHex(old.code.bytes), now && hex.bytesToHex(now.code.bytes)),
    nonce: delta(old && hex.toQuantity(old.nonce), now && hex.toQuantity(now.nonce)),
    storage: diffStorage(old, now),
  }
}

function formatStateDiff(before: world.WorldState, after: world.WorldState) {
  const accounts: [hex.Address, ReturnType<typeof diffAccount>][] = []
  before.visitChanges(after, (address, old, now) => {
    const diff = diffAccount(old, now)
    const { storage, ...parts } = diff
    const isSame = Object.values(parts).every((part) => part === '=') && Object.keys(storage).length === 0
    if (!isSame) accounts.push([address, diff])
  })
  return Object.fromEntries(accounts.sort(([a], [b]) => (a < b ? -1 : 1)))
}

interface RpcVmOperation {
  /** With the gas of the frame that it opened. */
  readonly cost: number
  readonly ex: {
    readonly mem: { readonly data: hex.Hex; readonly off: number } | null
    readonly push: readonly hex.Hex[]
    readonly store: { readonly key: hex.Hex; readonly val: hex.Hex } | null
    /** The gas left after it, as in every implementation. */
    readonly used: number
  } | null
  readonly pc: number
  readonly sub: RpcVmTrace | null
  readonly op: string
  /** The place among the operations of its frame, after those of the operations that opened the frames around it. */
  readonly idx: string
}

export interface RpcVmTrace {
  readonly code: hex.Hex
  readonly ops: readonly RpcVmOperation[]
}

function formatEffects(effects: VmOperation['effects']): RpcVmOperation['ex'] {
  if (effects === undefined) return null
  const { gasLeft, pushed, memory, store } = effects
  return {
    mem: memory === undefined ? null : { data: hex.bytesToHex(memory.data), off: memory.offset },
    push: pushed.map(hex.toQuantity),
    store: store === undefined ? null : { key: hex.toQuantity(store.slot), val: hex.toQuantity(store.value) },
    used: gasLeft,
  }
}

/** The operations of a frame; `codeOf` is the code of an account that the execution did not deploy. */
function formatVmTrace(
  { start, code, operations }: VmFrame,
  codeOf: (address: hex.Address) => Uint8Array,
  prefix = '',
): RpcVmTrace {
  return {
    code: hex.bytesToHex(code ?? codeOf(start.to)),
    ops: operations.map(({ pc, opcode, cost, effects, sub }, place) => {
      const idx = `${prefix}${place}`
      return {
        cost,
        ex: formatEffects(effects),
        pc,
        sub: sub === undefined ? null : formatVmTrace(sub, codeOf, `${idx}-`),
        op: opcodeName(opcode),
        idx,
      }
    }),
  }
}

type Types = ReadonlySet<TraceType>

/** The code that calls of an account ran. Authorizations are applied before the first of them, and stay. */
function codeIn(before: world.WorldState, after: world.WorldState, address: hex.Address): Uint8Array {
  const [first, last] = [world.readAccount(before, address), world.readAccount(after, address)]
  if (isDelegated(last)) return world.runCodeAt(after, address)
  return isDelegated(first) ? last.code.bytes : first.code.bytes
}

/** The results of the types that were asked for; others are null, and `trace` is empty. */
export interface RpcTraceResults {
  readonly output: hex.Hex
  readonly stateDiff: ReturnType<typeof formatStateDiff> | null
  readonly trace: readonly format.RpcTrace[]
  readonly vmTrace: RpcVmTrace | null
}

function recordTypes(types: Types) {
  return ({ budget, before }: tracers.TraceSubject): tracers.Tracing<RpcTraceResults> => {
    const frames = types.has('trace') ? recordFrames({ frames: 'all', logs: 'ignored' }, budget) : undefined
    const vm = types.has('vmTrace') ? recordOperations(budget) : undefined
    const recorders = [frames, vm].filter((recorder) => recorder !== undefined)
    return {
      observer: combineObservers(recorders.map(({ observer }) => observer)),
      result: ({ after, returnData }) => ({
        output: hex.bytesToHex(returnData),
        stateDiff: types.has('stateDiff') ? formatStateDiff(before, after) : null,
        trace: frames === undefined ? [] : format.formatTraces(frames.root()),
        vmTrace: vm === undefined ? null : formatVmTrace(vm.root(), (each) => codeIn(before, after, each)),
      }),
    }
  }
}

export async function tracesOfTransaction(context: ReadContext, transactionHash: hex.Hash) {
  const found = lookup.findIncluded(context.state, transactionHash)
  if (found === undefined) return null
  const block = context.present(found.view)
  const traced = await framesIn(context, found.view, onlyOf(found.executed))
  return traced.flatMap(({ root }) => formatLocalizedTraces(block, found.executed, root))
}

export async function tracesOfBlock(context: ReadContext, selector: lookup.BlockSelector) {
  const view = lookup.findBlock(context.state, selector)
  if (view === undefined) return null
  const presented = context.present(view)
  const traced = await framesIn(context, view)
  const traces = traced.flatMap(({ executed, root }) => formatLocalizedTraces(presented, executed, root))
  return [...traces, ...format.formatRewards(presented, rewardsIn(context, view))]
}

export async function replayTransaction(context: ReadContext, transactionHash: hex.Hash, types: Types) {
  const { view, executed } = lookup.requireIncluded(context.state, transactionHash)
  const [traced] = await tracers.traceTransactions(context, view, recordTypes(types), onlyOf(executed))
  return (traced as NonNullable<typeof traced>).result
}

export async function replayBlock(context: ReadContext, selector: lookup.BlockSelector, types: Types) {
  const view = lookup.findBlock(context.state, selector)
  if (view === undefined) return null
  const traced = await tracers.traceTransactions(context, view, recordTypes(types))
  return traced.map(({ executed, result }): RpcTraceResults & { readonly transactionHash: hex.Hash } => ({
    ...result,
    transactionHash: executed.transaction.hash,
  }))
}

/** Runs each call on the state that the one before left; the limit holds for all together. */
export async function traceInTurn(
  context: ReadContext,
  calls: readonly (PlacedCall & { readonly types: Types })[],
): Promise<RpcTraceResults[]> {
  const budget = tracers.budgetOf(context)
  const results: RpcTraceResults[] = []
  let state: world.WorldState | undefined
  for (const { types, ...call } of calls) {
    const placed = state === undefined ? call : { ...call, state }
    const { result, after } = await tracers.traceCallAt(context, placed, recordTypes(types), budget)
    results.push(result)
    state = after
  }
  return results
}

export function traceCalls(
  context: ReadContext,
  calls: readonly (readonly [TransactionRequest, Types])[],
  selector: lookup.BlockSelector,
): Promise<RpcTraceResults[]> {
  const site = callSiteIn(context, selector)
  const prepared = calls.map(([request, types]) => ({ ...callOf(context, site, request), types }))
  return traceInTurn(context, prepared)
}

export async function traceRaw(
  context: ReadContext,
  raw: Uint8Array,
  types: Types,
  selector: lookup.BlockSelector,
): Promise<RpcTraceResults> {
  const site = callSiteIn(context, selector)
  const message = toCallMessage(context.options.limits, site, requestOf(decodeTransaction(raw)))
  const [results] = await traceInTurn(context, [{ ...placeCall(site, message), types }])
  return results as RpcTraceResults
}
