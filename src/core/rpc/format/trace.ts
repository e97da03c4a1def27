// Call traces in the shapes of OpenEthereum's trace module, with what later nodes add.

import { type CallFrame, type LocatedFrame, listFrames } from '../../execution/trace/call-frames.ts'
import { isCreation } from '../../execution/trace/observer.ts'
import type { ExecutedTransaction } from '../../execution/transaction/transaction.ts'
import { bytesToHex, type Hash, toQuantity } from '../../primitives/hex.ts'
import type { Reward } from '../../rollup/difficulty.ts'
import type { PresentedBlock } from './receipt.ts'

const PARITY_WORDS: ReadonlyMap<string, string> = new Map([
  ['contract creation code storage out of gas', 'Out of gas'],
  ['out of gas', 'Out of gas'],
  ['gas uint64 overflow', 'Out of gas'],
  ['max code size exceeded', 'Out of gas'],
  ['invalid jump destination', 'Bad jump destination'],
  ['execution reverted', 'Reverted'],
  ['return data out of bounds', 'Out of bounds'],
  ['stack limit reached 1024 (1023)', 'Out of stack'],
  ['precompiled failed', 'Built-in failed'],
  ['invalid input length', 'Built-in failed'],
])

/** An error in OpenEthereum's words; one that geth does not convert stays as it is. */
export function parityError(error: string): string {
  // geth wraps an error as `out of gas: not enough gas for reentrancy sentry`.
  const known = PARITY_WORDS.get(error) ?? PARITY_WORDS.get(error.slice(0, Math.max(0, error.indexOf(': '))))
  if (known !== undefined) return known
  if (error.startsWith('invalid opcode:')) return 'Bad instruction'
  return error.startsWith('stack underflow') ? 'Stack underflow' : error
}

/** OpenEthereum's words for what geth leaves in its own. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['max initcode size exceeded', 'Out of gas'],
  ['write protection', 'Mutable Call In Static Context'],
  ['stack overflow', 'Out of stack'],
  ['invalid code: must not begin with 0xef', 'Invalid code'],
])

/** A frame in OpenEthereum's form, as if it had succeeded. */
export function describeFrame({ kind, from, to, value: wei, gas: limit, ...frame }: CallFrame) {
  const [value, gas, gasUsed] = [toQuantity(wei), toQuantity(limit), toQuantity(frame.gasUsed)] as const
  const [input, output] = [bytesToHex(frame.input), bytesToHex(frame.output)] as const
  const name = kind.toLowerCase()
  if (kind === 'SELFDESTRUCT') {
    const action = { address: from, refundAddress: to, balance: value }
    return { type: 'suicide', action, result: null } as const
  }
  if (isCreation({ kind })) {
    const creationMethod = name as 'create' | 'create2'
    const result = { gasUsed, code: output, address: to }
    return { type: 'create', action: { creationMethod, from, gas, init: input, value }, result } as const
  }
  const callType = name as 'call' | 'callcode' | 'delegatecall' | 'staticcall'
  const action = { callType, from, gas, input, to, value }
  return { type: 'call', action, result: { gasUsed, output } } as const
}

/** True for a frame that is shown below the root: calls of precompiles are not, unless they move ether. */
export function isShown({ isPrecompile, value }: CallFrame): boolean {
  return !isPrecompile || value > 0n
}

/** `error` says why a frame failed; `result` is null for a failure that is not a revert, and for what has none. */
function formatLocated({ frame, path }: LocatedFrame) {
  const { type, action, result } = describeFrame(frame)
  const words = frame.error && (WORDS.get(frame.error) ?? parityError(frame.error))
  const isBuiltIn = words === frame.error && words !== undefined && frame.isPrecompile
  const error = isBuiltIn ? 'Built-in failed' : words
  return {
    type,
    action,
    ...(error === undefined ? {} : { error }),
    result: error === undefined || error === 'Reverted' ? result : null,
    subtraces: frame.calls.filter(isShown).length,
    traceAddress: [...path],
  }
}

export interface RpcTrace extends ReturnType<typeof formatLocated> {}

export function formatTraces(root: CallFrame): RpcTrace[] {
  return listFrames(root, isShown).map(formatLocated)
}

/** The block and the transaction of a trace. Numbers are JSON numbers; the transaction of a reward is null. */
interface TracePlace {
  readonly blockHash: Hash | null
  readonly blockNumber: number | null
  readonly transactionHash: Hash | null
  readonly transactionPosition: number | null
}

export type RpcLocalizedTrace = (RpcTrace | ReturnType<typeof describeReward>) & TracePlace

function placeIn(block: PresentedBlock) {
  const blockNumber = block.number === null ? null : block.view.environment.number
  return { blockHash: block.hash(), blockNumber }
}

export function formatLocalizedTraces(
  block: PresentedBlock,
  { transaction, index }: ExecutedTransaction,
  root: CallFrame,
): RpcLocalizedTrace[] {
  const place = { ...placeIn(block), transactionHash: transaction.hash, transactionPosition: index }
  return formatTraces(root).map((trace) => ({ ...trace, ...place }))
}

function describeReward({ kind, author, amount }: Reward) {
  const action = { author, rewardType: kind, value: toQuantity(amount) }
  return { type: 'reward' as const, action, result: null, subtraces: 0, traceAddress: [] as number[] }
}

export function formatRewards(block: PresentedBlock, rewards: readonly Reward[]): RpcLocalizedTrace[] {
  const place = { ...placeIn(block), transactionHash: null, transactionPosition: null }
  return rewards.map((reward) => ({ ...describeReward(reward), ...place }))
}
