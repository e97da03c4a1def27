// The answers of Otterscan's methods about transactions and blocks; account-search.ts has those about accounts.

import type { CallFrame } from '../../execution/trace/call-frames.ts'
import { type BlockSelector, findBlock, findTransaction } from '../../node/lookup.ts'
import { replayFrames } from '../../node/replay.ts'
import type { Hash } from '../../primitives/hex.ts'
import {
  formatBlockDetails,
  formatBlockTransactions,
  formatEntries,
  formatOperations,
  type OtsBlockDetails,
  type OtsBlockTransactions,
  type OtsOperation,
  type OtsTraceEntry,
} from '../format/otterscan.ts'
import type { ReadContext } from '../read-context.ts'
import { rewardsIn } from './trace-filter.ts'

/** The frames of a transaction; `undefined` for one that is in no block. */
async function rootOf(
  { config, state, options }: ReadContext,
  transactionHash: Hash,
): Promise<CallFrame | undefined> {
  const found = findTransaction(state, transactionHash)
  if (found === undefined || 'pooled' in found) return undefined
  const { view, executed } = found
  const range = { from: executed.index, to: executed.index + 1 }
  const [traced] = await replayFrames(config, state, view, options.limits.traceBytes, range)
  return traced?.root
}

export async function operationsOf(
  context: ReadContext,
  transactionHash: Hash,
): Promise<OtsOperation[] | null> {
  const root = await rootOf(context, transactionHash)
  return root === undefined ? null : formatOperations(root)
}

export async function entriesOf(
  context: ReadContext,
  transactionHash: Hash,
): Promise<OtsTraceEntry[] | null> {
  const root = await rootOf(context, transactionHash)
  return root === undefined ? null : formatEntries(root)
}

export function blockDetails(context: ReadContext, selector: BlockSelector): OtsBlockDetails | null {
  const view = findBlock(context.config, context.state, selector)
  return view === undefined ? null : formatBlockDetails(context.present(view), rewardsIn(context, view))
}

export function blockTransactions(
  { config, state, present }: ReadContext,
  selector: BlockSelector,
  page: number,
  pageSize: number,
): OtsBlockTransactions | null {
  const view = findBlock(config, state, selector)
  return view === undefined ? null : formatBlockTransactions(present(view), page, pageSize)
}
