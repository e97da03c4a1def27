// The answers of Otterscan's methods about transactions and blocks, in its shapes (its docs/custom-jsonrpc.md);
// account-search.ts has those about accounts.

import { type CallFrame, listFrames } from '../../execution/trace/call-frames.ts'
import type { FrameKind } from '../../execution/trace/observer.ts'
import type { ExecutedTransaction } from '../../execution/transaction/transaction.ts'
import { type BlockSelector, findBlock, findIncluded } from '../../node/lookup.ts'
import { bytesToHex, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import type { Reward } from '../../rollup/rewards.ts'
import { formatBlock } from '../format/block.ts'
import type { PresentedBlock } from '../format/present.ts'
import { formatReceipt, type RpcReceipt } from '../format/receipt.ts'
import { isShown } from '../format/trace.ts'
import { formatTransaction, type RpcTransaction } from '../format/transaction.ts'
import type { ReadContext } from '../session.ts'
import { onlyOf } from '../tracers/tracer.ts'
import { framesIn, rewardsIn } from './trace-filter.ts'

/** A transfer (0), a self-destruct (1), a CREATE (2) or a CREATE2 (3) inside a transaction. */
const OPERATIONS: readonly (FrameKind | undefined)[] = ['CALL', 'SELFDESTRUCT', 'CREATE', 'CREATE2']

/** The operations inside a transaction; as in Erigon, also those of frames that failed. */
function formatOperations(root: CallFrame) {
  const [, ...inner] = listFrames(root, () => true)
  return inner.flatMap(({ frame: { kind, from, to, value } }) => {
    const type = OPERATIONS.indexOf(kind)
    const isOperation = type > 0 || (type === 0 && value > 0n)
    return isOperation ? [{ type, from, to, value: toQuantity(value) }] : []
  })
}

/** The frames of a transaction; `value` is null for calls that cannot have one. */
function formatEntries(root: CallFrame) {
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
function smallBlock(block: PresentedBlock) {
  const { transactions, ...fields } = formatBlock(block, 'hashes')
  return { ...fields, logsBloom: null, transactionCount: transactions.length }
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

/** A block with its rewards, and the wei that the senders paid for gas. */
function formatBlockDetails(block: PresentedBlock, rewards: readonly Reward[]) {
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
const SELECTOR_HEX = 10

function receiptOf(block: PresentedBlock, executed: ExecutedTransaction): OtsReceipt {
  return { ...formatReceipt(block, executed), timestamp: toQuantity(block.view.environment.timestamp) }
}

/**
 * A page of the transactions of a block, with selectors in place of inputs; as in Erigon, page 0 has the last ones.
 */
function formatBlockTransactions(block: PresentedBlock, page: number, pageSize: number) {
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

/** The frames of a transaction as a function shows them; null for a transaction that is in no block. */
async function shownFrames<Shown>(
  context: ReadContext,
  transactionHash: Hash,
  show: (root: CallFrame) => Shown,
): Promise<Shown | null> {
  const found = findIncluded(context.state, transactionHash)
  const [traced] = found === undefined ? [] : await framesIn(context, found.view, onlyOf(found.executed))
  return traced === undefined ? null : show(traced.root)
}

export function operationsOf(context: ReadContext, transactionHash: Hash) {
  return shownFrames(context, transactionHash, formatOperations)
}

export function entriesOf(context: ReadContext, transactionHash: Hash) {
  return shownFrames(context, transactionHash, formatEntries)
}

export interface OtsBlockDetails extends ReturnType<typeof formatBlockDetails> {}

export function blockDetails(context: ReadContext, selector: BlockSelector): OtsBlockDetails | null {
  const view = findBlock(context.config, context.state, selector)
  return view === undefined ? null : formatBlockDetails(context.present(view), rewardsIn(context, view))
}

export interface OtsBlockTransactions extends ReturnType<typeof formatBlockTransactions> {}

export function blockTransactions(
  { config, state, present }: ReadContext,
  selector: BlockSelector,
  page: number,
  pageSize: number,
): OtsBlockTransactions | null {
  const view = findBlock(config, state, selector)
  return view === undefined ? null : formatBlockTransactions(present(view), page, pageSize)
}
