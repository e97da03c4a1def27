// Search for the transactions of an account, as Otterscan pages through them, and for the creation of a contract.

import { blockAt, fullBlocks, fullBlocksFromHead } from '../../chain/chain.ts'
import { type BlockView, viewOfOpen, viewOfSealed } from '../../chain/view.ts'
import { type CallFrame, listFrames } from '../../execution/trace/call-frames.ts'
import { isCreation } from '../../execution/trace/observer.ts'
import { numberOfTag } from '../../node/lookup.ts'
import { blockBeingBuilt } from '../../node/node-state.ts'
import type { Address, Hash } from '../../primitives/hex.ts'
import { readAccount, type WorldState } from '../../state/world-state.ts'
import type { RpcTransaction } from '../format/transaction.ts'
import type { ReadContext } from '../session.ts'
import { formatFound, type OtsFoundTransaction, type OtsReceipt } from './otterscan.ts'
import { countReplays, framesIn } from './trace-filter.ts'

/** The newest first. */
export interface OtsSearchResult {
  readonly txs: readonly RpcTransaction[]
  readonly receipts: readonly OtsReceipt[]
  readonly firstPage: boolean
  readonly lastPage: boolean
}

interface Found {
  readonly found: readonly OtsFoundTransaction[]
  /** True if no other transaction follows. */
  readonly isAll: boolean
}

/** The block being built and the sealed ones, the newest first, below a number. */
function* newestFirst({ state }: ReadContext, below: number): IterableIterator<BlockView> {
  const open = blockBeingBuilt(state)
  if (open !== undefined && open.environment.number < below) yield viewOfOpen(open)
  for (const block of fullBlocksFromHead(state.chain)) {
    if (block.header.number < below) yield viewOfSealed(block)
  }
}

/** The blocks above a number, the block being built last. */
function* oldestFirst({ state }: ReadContext, above: number): IterableIterator<BlockView> {
  const open = blockBeingBuilt(state)
  const { head } = state.chain
  const first = Math.max(above + 1, numberOfTag(state, 'earliest'))
  for (const block of fullBlocks(state.chain, first, head.header.number)) yield viewOfSealed(block)
  if (open !== undefined && open.environment.number > above) yield viewOfOpen(open)
}

/**
 * Searches blocks until a page is full; all transactions of the last block are on it. Goes on until it is known whether
 * others follow, unless this exceeds the limit of replays.
 */
async function searchBlocks(
  context: ReadContext,
  views: Iterable<BlockView>,
  account: Address,
  pageSize: number,
  order: (inBlock: OtsFoundTransaction[]) => OtsFoundTransaction[],
): Promise<Found> {
  const replays = countReplays(context)
  const found: OtsFoundTransaction[] = []
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
      .map(({ executed }) => formatFound(context.present(view), executed))
    if (isFull && inBlock.length > 0) return { found, isAll: false }
    found.push(...order(inBlock))
  }
  return { found, isAll: true }
}

function pageOf(
  found: readonly OtsFoundTransaction[],
  ends: Pick<OtsSearchResult, 'firstPage' | 'lastPage'>,
): OtsSearchResult {
  return {
    txs: found.map(({ transaction }) => transaction),
    receipts: found.map(({ receipt }) => receipt),
    ...ends,
  }
}

/** The transactions of an account before a block; before 0, the newest. */
export async function searchBefore(
  context: ReadContext,
  account: Address,
  number: number,
  pageSize: number,
): Promise<OtsSearchResult> {
  const views = newestFirst(context, number === 0 ? Number.POSITIVE_INFINITY : number)
  const search = await searchBlocks(context, views, account, pageSize, (inBlock) => inBlock.reverse())
  return pageOf(search.found, { firstPage: number === 0, lastPage: search.isAll })
}

/** The transactions of an account after a block; after 0, the oldest. */
export async function searchAfter(
  context: ReadContext,
  account: Address,
  number: number,
  pageSize: number,
): Promise<OtsSearchResult> {
  const views = oldestFirst(context, number)
  const search = await searchBlocks(context, views, account, pageSize, (inBlock) => inBlock)
  return pageOf([...search.found].reverse(), { firstPage: search.isAll, lastPage: number === 0 })
}

function hasCode(state: WorldState, account: Address): boolean {
  return readAccount(state, account).code.bytes.length > 0
}

/**
 * The first sealed block after which an account has code; it has code at the head. Throws `stateNotAvailable` if it had
 * code in the first state that is kept.
 */
function firstWithCode({ state }: ReadContext, account: Address): number {
  const { chain } = state
  const hasCodeAt = (number: number): boolean => {
    const block = blockAt(chain, number)
    return block !== undefined && hasCode(block.committed.state, account)
  }
  let withCode = chain.head.header.number
  let without = Math.max(numberOfTag(state, 'earliest'), chain.history.statesFrom) - 1
  while (withCode - without > 1) {
    const middle = Math.floor((without + withCode) / 2)
    if (hasCodeAt(middle)) withCode = middle
    else without = middle
  }
  // Below the first state that is kept, this throws.
  hasCodeAt(without)
  return withCode
}

/** The transaction that created a contract, and who did; null for an account that none created. */
export async function findCreator(
  context: ReadContext,
  account: Address,
): Promise<{ readonly hash: Hash; readonly creator: Address } | null> {
  const { state } = context
  const open = blockBeingBuilt(state)
  const { head } = state.chain
  /** The last creation in a block. One that was undone comes before, because after it the address is taken. */
  const creator = async (view: BlockView) => {
    for (const { executed, root } of [...(await framesIn(context, view))].reverse()) {
      const isCreationOf = ({ kind, to, error }: CallFrame): boolean =>
        to === account && error === undefined && isCreation({ kind })
      const found = listFrames(root, () => true).find(({ frame }) => isCreationOf(frame))
      if (found !== undefined) return { hash: executed.transaction.hash, creator: found.frame.from }
    }
    return null
  }
  if (hasCode(head.committed.state, account)) {
    const block = blockAt(state.chain, firstWithCode(context, account))
    return block === undefined ? null : creator(viewOfSealed(block))
  }
  return open === undefined || !hasCode(open.state, account) ? null : creator(viewOfOpen(open))
}
