// Answers in the shapes of Otterscan (its docs/custom-jsonrpc.md), where they are not those of other methods.

import { type CallFrame, listFrames } from '../../execution/trace/call-frames.ts'
import type { FrameKind } from '../../execution/trace/observer.ts'
import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import { type Address, bytesToHex, type Hex, toQuantity } from '../../primitives/hex.ts'
import type { Reward } from '../../rollup/rewards.ts'
import { formatBlock, type RpcBlock } from './block.ts'
import type { PresentedBlock } from './present.ts'
import { formatReceipt, type RpcReceipt } from './receipt.ts'
import { isShown } from './trace.ts'
import { formatTransaction, type RpcTransaction } from './transaction.ts'

const TRANSFER = 0
const SELF_DESTRUCT = 1
const CREATE = 2
const CREATE2 = 3

/** A transfer (0), a self-destruct (1), a CREATE (2) or a CREATE2 (3) inside a transaction. */
export interface OtsOperation {
  readonly type: 0 | 1 | 2 | 3
  readonly from: Address
  readonly to: Address
  readonly value: Hex
}

const OPERATIONS: ReadonlyMap<FrameKind, OtsOperation['type']> = new Map([
  ['SELFDESTRUCT', SELF_DESTRUCT],
  ['CREATE', CREATE],
  ['CREATE2', CREATE2],
])

function operationOf({ kind, value }: CallFrame): OtsOperation['type'] | undefined {
  return kind === 'CALL' && value > 0n ? TRANSFER : OPERATIONS.get(kind)
}

/** What happened inside a transaction; as in Erigon, also in frames that failed. */
export function formatOperations(root: CallFrame): OtsOperation[] {
  const [, ...inner] = listFrames(root, () => true)
  return inner.flatMap(({ frame }) => {
    const type = operationOf(frame)
    return type === undefined
      ? []
      : [{ type, from: frame.from, to: frame.to, value: toQuantity(frame.value) }]
  })
}

export interface OtsTraceEntry {
  readonly type: FrameKind
  readonly depth: number
  readonly from: Address
  readonly to: Address
  /** Null for calls that cannot have one. */
  readonly value: Hex | null
  readonly input: Hex
  readonly output: Hex
}

export function formatEntries(root: CallFrame): OtsTraceEntry[] {
  return listFrames(root, isShown).map(({ frame, path }) => {
    const { kind, from, to, value, input, output } = frame
    const hasNoValue = kind === 'STATICCALL' || kind === 'DELEGATECALL'
    return {
      ...{ type: kind, depth: path.length, from, to },
      value: hasNoValue ? null : toQuantity(value),
      input: bytesToHex(input),
      output: bytesToHex(output),
    }
  })
}

/** A block without its transactions and its bloom filter. */
type OtsBlock = Omit<RpcBlock, 'transactions' | 'logsBloom'> & {
  readonly logsBloom: null
  readonly transactionCount: number
}

export interface OtsBlockDetails {
  readonly block: OtsBlock
  readonly issuance: { readonly blockReward: Hex; readonly uncleReward: Hex; readonly issuance: Hex }
  /** Wei that the senders paid for gas. */
  readonly totalFees: Hex
}

function smallBlock(block: PresentedBlock): OtsBlock {
  const { transactions, ...fields } = formatBlock(block, 'hashes')
  return { ...fields, logsBloom: null, transactionCount: transactions.length }
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

export function formatBlockDetails(block: PresentedBlock, rewards: readonly Reward[]): OtsBlockDetails {
  const paid = (kind: Reward['kind']): bigint =>
    sum(rewards.filter((reward) => reward.kind === kind).map(({ amount }) => amount))
  const [blockReward, uncleReward] = [paid('block'), paid('uncle')]
  return {
    block: smallBlock(block),
    issuance: {
      blockReward: toQuantity(blockReward),
      uncleReward: toQuantity(uncleReward),
      issuance: toQuantity(blockReward + uncleReward),
    },
    totalFees: toQuantity(
      sum(block.view.executed.map(({ receipt }) => receipt.gasUsed * receipt.effectiveGasPrice)),
    ),
  }
}

/** A receipt with the timestamp of its block. */
export type OtsReceipt = RpcReceipt & { readonly timestamp: Hex }
type OtsSmallReceipt = Omit<OtsReceipt, 'logs' | 'logsBloom'> & {
  readonly logs: null
  readonly logsBloom: null
}

export interface OtsBlockTransactions {
  /** Its transactions are those of the page, with the selector in place of the whole input. */
  readonly fullblock: OtsBlock & { readonly transactions: readonly RpcTransaction[] }
  readonly receipts: readonly OtsSmallReceipt[]
}

const SELECTOR_HEX = 10

function receiptOf(block: PresentedBlock, executed: ExecutedTransaction): OtsReceipt {
  return { ...formatReceipt(block, executed), timestamp: toQuantity(block.view.environment.timestamp) }
}

/** A page of the transactions of a block; as in Erigon, page 0 has the last ones. */
export function formatBlockTransactions(
  block: PresentedBlock,
  page: number,
  pageSize: number,
): OtsBlockTransactions {
  const { executed } = block.view
  const end = Math.max(0, executed.length - page * pageSize)
  const shown = executed.slice(Math.max(0, end - pageSize), end)
  const transactions = shown.map(({ transaction, index }) => {
    const fields = formatTransaction(transaction, { block, index })
    return { ...fields, input: fields.input.slice(0, SELECTOR_HEX) as Hex }
  })
  const receipts = shown.map((each) => ({ ...receiptOf(block, each), logs: null, logsBloom: null }))
  return { fullblock: { ...smallBlock(block), transactions }, receipts }
}

/** A transaction that a search found. */
export interface OtsFoundTransaction {
  readonly transaction: RpcTransaction
  readonly receipt: OtsReceipt
}

export function formatFound(block: PresentedBlock, executed: ExecutedTransaction): OtsFoundTransaction {
  const { transaction, index } = executed
  return {
    transaction: formatTransaction(transaction, { block, index }),
    receipt: receiptOf(block, executed),
  }
}
