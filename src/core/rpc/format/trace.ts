// Call traces in the shapes of OpenEthereum's trace module. Nodes that came after it add `creationMethod`, and the
// `result` of a revert.

import { type CallFrame, listFrames } from '../../execution/trace/call-frames.ts'
import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import { type Address, bytesToHex, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import type { Reward } from '../../rollup/rewards.ts'
import { parityError } from '../tracers/parity-errors.ts'
import type { PresentedBlock } from './present.ts'

interface CallAction {
  readonly callType: 'call' | 'callcode' | 'delegatecall' | 'staticcall'
  readonly from: Address
  readonly to: Address
  readonly value: Hex
  readonly gas: Hex
  readonly input: Hex
}

interface CreateAction {
  readonly creationMethod: 'create' | 'create2'
  readonly from: Address
  readonly value: Hex
  readonly gas: Hex
  readonly init: Hex
}

interface SuicideAction {
  readonly address: Address
  readonly refundAddress: Address
  readonly balance: Hex
}

interface RewardAction {
  readonly author: Address
  readonly rewardType: Reward['kind']
  readonly value: Hex
}

interface CallOutcome {
  readonly gasUsed: Hex
  readonly output: Hex
}

interface CreateOutcome {
  readonly gasUsed: Hex
  readonly code: Hex
  readonly address: Address
}

export interface RpcTrace {
  readonly type: 'call' | 'create' | 'suicide' | 'reward'
  readonly action: CallAction | CreateAction | SuicideAction | RewardAction
  /** Why the frame failed; absent if it succeeded. */
  readonly error?: string
  /** Null for a failure that is not a revert, and for what has no result. */
  readonly result: CallOutcome | CreateOutcome | null
  readonly subtraces: number
  readonly traceAddress: readonly number[]
}

/** The transaction of a trace. Numbers are JSON numbers; those of a reward's transaction are null. */
interface TracePlace {
  readonly blockHash: Hash | null
  readonly blockNumber: number | null
  readonly transactionHash: Hash | null
  readonly transactionPosition: number | null
}

export type RpcLocalizedTrace = RpcTrace & TracePlace

/** OpenEthereum's words for what geth leaves in its own. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['max initcode size exceeded', 'Out of gas'],
  ['write protection', 'Mutable Call In Static Context'],
  ['stack overflow', 'Out of stack'],
  ['invalid code: must not begin with 0xef', 'Invalid code'],
])

function errorWords({ error, isPrecompile }: CallFrame): string | undefined {
  if (error === undefined) return undefined
  const words = WORDS.get(error) ?? parityError(error)
  return words === error && isPrecompile ? 'Built-in failed' : words
}

function describe(frame: CallFrame): Pick<RpcTrace, 'type' | 'action' | 'result'> {
  const { kind, from, to, value, gas, input, output } = frame
  const gasUsed = toQuantity(frame.gasUsed)
  const common = { from, value: toQuantity(value), gas: toQuantity(gas) }
  const name = kind.toLowerCase()
  switch (kind) {
    case 'SELFDESTRUCT':
      return {
        type: 'suicide',
        action: { address: from, refundAddress: to, balance: toQuantity(value) },
        result: null,
      }
    case 'CREATE':
    case 'CREATE2':
      return {
        type: 'create',
        action: {
          ...common,
          init: bytesToHex(input),
          creationMethod: name as CreateAction['creationMethod'],
        },
        result: { gasUsed, code: bytesToHex(output), address: to },
      }
    default:
      return {
        type: 'call',
        action: { ...common, callType: name as CallAction['callType'], to, input: bytesToHex(input) },
        result: { gasUsed, output: bytesToHex(output) },
      }
  }
}

/** True for a frame that is shown below the root: calls of precompiles are not, unless they move ether. */
export function isShown({ isPrecompile, value }: CallFrame): boolean {
  return !isPrecompile || value > 0n
}

/** The traces of an execution, in the order in which its frames began. */
export function formatTraces(root: CallFrame): RpcTrace[] {
  return listFrames(root, isShown).map(({ frame, path }) => {
    const { type, action, result } = describe(frame)
    const error = errorWords(frame)
    return {
      type,
      action,
      ...(error === undefined ? {} : { error }),
      result: error === undefined || error === 'Reverted' ? result : null,
      subtraces: frame.calls.filter(isShown).length,
      traceAddress: [...path],
    }
  })
}

function placeIn(block: PresentedBlock): Pick<TracePlace, 'blockHash' | 'blockNumber'> {
  const blockNumber = block.number === null ? null : block.view.environment.number
  return { blockHash: block.hash(), blockNumber }
}

/** The traces of a transaction in a block. */
export function formatLocalizedTraces(
  block: PresentedBlock,
  { transaction, index }: ExecutedTransaction,
  root: CallFrame,
): RpcLocalizedTrace[] {
  const place = { ...placeIn(block), transactionHash: transaction.hash, transactionPosition: index }
  return formatTraces(root).map((trace) => ({ ...trace, ...place }))
}

/** The rewards of a block. */
export function formatRewards(block: PresentedBlock, rewards: readonly Reward[]): RpcLocalizedTrace[] {
  return rewards.map(({ kind, author, amount }) => ({
    type: 'reward',
    action: { author, rewardType: kind, value: toQuantity(amount) },
    result: null,
    subtraces: 0,
    traceAddress: [],
    ...placeIn(block),
    transactionHash: null,
    transactionPosition: null,
  }))
}
