// The answers of Otterscan's methods, in its shapes (its docs/custom-jsonrpc.md).

import * as chains from '../../chain/chain.ts'
import { type CallFrame, listFrames } from '../../execution/trace/call-frames.ts'
import { type FrameKind, isCreation } from '../../execution/trace/observer.ts'
import type { ExecutedTransaction } from '../../execution/transaction/transaction.ts'
import { type BlockSelector, findBlock, findIncluded, numberOfTag } from '../../node/lookup.ts'
import { blockBeingBuilt } from '../../node/node-state.ts'
import { type Address, bytesToHex, type Hash, type Hex, toQuantity } from '../../primitives/hex.ts'
import { countWhile } from '../../primitives/numbers.ts'
import type { Reward } from '../../rollup/difficulty.ts'
import { hasCode } from '../../state/world-state.ts'
import { formatBlock } from '../format/block.ts'
import { formatReceipt, type PresentedBlock, type RpcReceipt } from '../format/receipt.ts'
import { isShown } from '../format/trace.ts'
import { formatTransaction } from '../format/transaction.ts'
import type { ReadContext } from '../session.ts'
import { onlyOf } from '../tracers/tracer.ts'
import { countReplays, framesIn, rewardsIn } from './trace-filter.ts'

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
      type: kind,
      depth: path.length,
      from,
      to,
      value: hasNoValue ? null : toQuantity(value),
      input: bytesToHex(input),
      output: bytesToHex(output),
    }
  })
}

function smallBlock(block: PresentedBlock) {
  const { transactions, ...fields } = formatBlock(block, 'hashes')
  return { ...fields, logsBloom: null, transactionCount: transactions.length }
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

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

export interface OtsReceipt extends RpcReceipt {
  readonly timestamp: Hex
}

function receiptOf(block: PresentedBlock, executed: ExecutedTransaction): OtsReceipt {
  return { ...formatReceipt(block, executed), timestamp: toQuantity(block.view.environment.timestamp) }
}

/** Selectors stand in place of inputs; as in Erigon, page 0 has the last transactions. */
function formatBlockTransactions(block: PresentedBlock, page: number, pageSize: number) {
  const { executed } = block.view
  const end = Math.max(0, executed.length - page * pageSize)
  const shown = executed.slice(Math.max(0, end - pageSize), end)
  const transactions = shown.map(({ transaction, index }) => {
    const fields = formatTransaction(transaction, { block, index })
    return { ...fields, input: fields.input.slice(0, '0x12345678'.length) as Hex }
  })
  const receipts = shown.map((each) => ({ ...receiptOf(block, each), logs: null, logsBloom: null }))
  return { fullblock: { ...smallBlock(block), transactions }, receipts }
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

export const operationsOf = (context: ReadContext, hash: Hash) => shownFrames(context, hash, formatOperations)

export const entriesOf = (context: ReadContext, hash: Hash) => shownFrames(context, hash, formatEntries)

export interface OtsBlockDetails extends ReturnType<typeof formatBlockDetails> {}

export function blockDetails(context: ReadContext, selector: BlockSelector): OtsBlockDetails | null {
  const view = findBlock(context.state, selector)
  return view === undefined ? null : formatBlockDetails(context.present(view), rewardsIn(context, view))
}

export interface OtsBlockTransactions extends ReturnType<typeof formatBlockTransactions> {}

export function blockTransactions(
  context: ReadContext,
  selector: BlockSelector,
  page: number,
  size: number,
): OtsBlockTransactions | null {
  const view = findBlock(context.state, selector)
  return view === undefined ? null : formatBlockTransactions(context.present(view), page, size)
}

export interface OtsSearchResult extends ReturnType<typeof pageOf> {}

interface FoundTransaction {
  readonly block: PresentedBlock
  readonly executed: ExecutedTransaction
}

function* newestFirst({ state }: ReadContext, below: number): IterableIterator<chains.BlockView> {
  const open = blockBeingBuilt(state)
  if (open !== undefined && open.environment.number < below) yield chains.viewOfOpen(open)
  for (const block of chains.fullBlocksFromHead(state.chain))
    if (block.header.number < below) yield chains.viewOfSealed(block)
}

function* oldestFirst({ state }: ReadContext, above: number): IterableIterator<chains.BlockView> {
  const open = blockBeingBuilt(state)
  const { head } = state.chain
  const first = Math.max(above + 1, numberOfTag(state, 'earliest'))
  for (const block of chains.fullBlocks(state.chain, first, head.header.number))
    yield chains.viewOfSealed(block)
  if (open !== undefined && open.environment.number > above) yield chains.viewOfOpen(open)
}

/** A page ends with its block. Goes on until it is known whether others follow, within the limit of replays. */
async function searchBlocks(
  context: ReadContext,
  views: Iterable<chains.BlockView>,
  account: Address,
  pageSize: number,
  order: 'newestFirst' | 'oldestFirst',
) {
  const replays = countReplays(context)
  const found: FoundTransaction[] = []
  for (const view of views) {
    if (view.executed.length === 0) continue
    const isFull = found.length >= pageSize
    if (isFull && !replays.hasRoomFor(view.executed.length)) return { found, isAll: false }
    replays.add(view.executed.length)
    const traced = await framesIn(context, view)
    const inBlock = traced
      .filter(({ root }) =>
        listFrames(root, () => true).some(({ frame: { from, to } }) => from === account || to === account),
      )
      .map(({ executed }) => ({ block: context.present(view), executed }))
    if (isFull && inBlock.length > 0) return { found, isAll: false }
    found.push(...(order === 'newestFirst' ? inBlock.reverse() : inBlock))
  }
  return { found, isAll: true }
}

function pageOf(found: readonly FoundTransaction[], firstPage: boolean, lastPage: boolean) {
  return {
    txs: found.map(({ block, executed: { transaction, index } }) =>
      formatTransaction(transaction, { block, index }),
    ),
    receipts: found.map(({ block, executed }) => receiptOf(block, executed)),
    firstPage,
    lastPage,
  }
}

/** The transactions of an account before a block; before 0, the newest. */
export async function searchBefore(context: ReadContext, account: Address, number: number, size: number) {
  const views = newestFirst(context, number === 0 ? Number.POSITIVE_INFINITY : number)
  const { found, isAll } = await searchBlocks(context, views, account, size, 'newestFirst')
  return pageOf(found, number === 0, isAll)
}

/** The transactions of an account after a block; after 0, the oldest. */
export async function searchAfter(context: ReadContext, account: Address, number: number, size: number) {
  const views = oldestFirst(context, number)
  const { found, isAll } = await searchBlocks(context, views, account, size, 'oldestFirst')
  return pageOf(found.reverse(), isAll, number === 0)
}

/** Of an account with code at the head. Throws `stateNotAvailable` if it had it in the first state kept. */
function firstWithCode({ state }: ReadContext, account: Address): number {
  const { chain } = state
  const hasCodeAt = (number: number): boolean => {
    const block = chains.blockAt(chain, number)
    return block !== undefined && hasCode(block.committed.state, account)
  }
  const first = Math.max(numberOfTag(state, 'earliest'), chain.history.statesFrom)
  const withCode = first + countWhile(chain.head.header.number - first, (index) => !hasCodeAt(first + index))
  // Below the first state that is kept, this throws.
  hasCodeAt(withCode - 1)
  return withCode
}

/** The transaction that created a contract, and who did; null for an account that none created. */
export async function findCreator(context: ReadContext, account: Address) {
  const { state } = context
  const open = blockBeingBuilt(state)
  const { head } = state.chain
  /** The last creation in a block. One that was undone comes before, because after it the address is taken. */
  const creator = async (view: chains.BlockView) => {
    for (const { executed, root } of [...(await framesIn(context, view))].reverse()) {
      const isCreationOf = ({ kind, to, error }: CallFrame): boolean =>
        to === account && error === undefined && isCreation({ kind })
      const found = listFrames(root, () => true).find(({ frame }) => isCreationOf(frame))
      if (found !== undefined) return { hash: executed.transaction.hash, creator: found.frame.from }
    }
    return null
  }
  if (hasCode(head.committed.state, account)) {
    const block = chains.blockAt(state.chain, firstWithCode(context, account))
    return block === undefined ? null : creator(chains.viewOfSealed(block))
  }
  return open === undefined || !hasCode(open.state, account) ? null : creator(chains.viewOfOpen(open))
}
