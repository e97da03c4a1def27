// Notification of filters and subscriptions, in the order that docs/DETERMINISM.md promises.

import { hasSlots, type PartialBlock, type SealedBlock } from '../../chain/block/block.ts'
import { viewOfOpen, viewOfSealed } from '../../chain/chain.ts'
import type { ExecutedTransaction, Transaction } from '../../execution/transaction/transaction.ts'
import type { EventInterest, NodeEvent } from '../../node/events.ts'
import { currentOpenBlock, type NodeState } from '../../node/node-state.ts'
import type { LogCriteria, LogFilter } from '../codecs/filter.ts'
import { formatBlock, formatHeader } from '../format/block.ts'
import { formatReceipt, type PresentedBlock, presentAs, type RpcLog } from '../format/receipt.ts'
import { formatTransaction } from '../format/transaction.ts'
import { isWatched, type Session } from '../session.ts'
import { matchingLogs, removedLogs } from './filters.ts'
import { endJob, nextPayloads } from './flashblocks.ts'
import { publish, releaseAnswers, settleInclusions, shiftDeadlines } from './waits.ts'

function notifyAccepted({ filters, subscriptions }: Session, transaction: Transaction): void {
  const show = (detail: 'hashes' | 'full') =>
    detail === 'full' ? formatTransaction(transaction, undefined) : transaction.hash
  for (const filter of filters.filters.values())
    if (filter.kind === 'pendingTransactions') filter.gathered.push(show(filter.detail))
  publish(subscriptions, 'newPendingTransactions', ({ detail }) => [show(detail)])
}

function formatPreconfirmed(block: PresentedBlock, executed: ExecutedTransaction) {
  const receipt = formatReceipt(block, executed)
  const { status, gasUsed, cumulativeGasUsed, contractAddress, logsBloom, logs } = receipt
  const own = { status, gasUsed, cumulativeGasUsed, contractAddress, logsBloom, logs }
  return { ...formatTransaction(executed.transaction, { block, index: executed.index }), ...own }
}

function isPendingFilter({ fromBlock, toBlock }: LogFilter): boolean {
  return fromBlock === 'pending' && toBlock === 'pending'
}

function isForSealed(filter: LogFilter, { number }: { readonly number: number }): boolean {
  const { fromBlock, toBlock, blockHash } = filter
  if (blockHash !== undefined || isPendingFilter(filter)) return false
  const isBefore = typeof fromBlock === 'number' && number < fromBlock
  return !isBefore && !(typeof toBlock === 'number' && number > toBlock)
}

function gatherLogs(
  { filters }: Session,
  isFor: (filter: LogFilter) => boolean,
  logsFor: (criteria: LogCriteria) => readonly RpcLog[],
): void {
  for (const filter of filters.filters.values())
    if (filter.kind === 'logs' && isFor(filter.filter)) filter.gathered.push(...logsFor(filter.filter))
}

function notifyPartialBlock(session: Session, state: NodeState, partial: PartialBlock): void {
  const { executed } = partial
  if (hasSlots(state.chain.head)) return
  // An empty one has no listeners among those who want only its transactions.
  const { subscriptions, outlet, stream } = session
  const isWanted = outlet.hasFlashblockListeners() || blockInterest(session) === 'partials'
  if (!isWanted && !(executed.length > 0 && isWatched(session))) return
  const open = currentOpenBlock(state)
  const block = presentAs(session.options, viewOfOpen(open))
  if (outlet.hasFlashblockListeners())
    for (const payload of nextPayloads(stream, open)) outlet.flashblock(payload)
  publish(subscriptions, 'newFlashblocks', () => [formatBlock(block, 'full')])
  if (executed.length === 0) return
  gatherLogs(session, isPendingFilter, (criteria) => matchingLogs(criteria, block, executed))
  publish(subscriptions, 'newFlashblockTransactions', ({ detail }) =>
    executed
      .filter((each) => typeof detail === 'string' || matchingLogs(detail, block, [each]).length > 0)
      .map((each) => (detail === 'hashes' ? each.transaction.hash : formatPreconfirmed(block, each))),
  )
  publish(subscriptions, 'pendingLogs', ({ criteria }) => matchingLogs(criteria, block, executed))
}

function notifyLogs(
  session: Session,
  { executed, header }: SealedBlock,
  logsFor: (criteria: LogCriteria) => readonly RpcLog[],
): void {
  if (executed.length === 0) return
  gatherLogs(session, (filter) => isForSealed(filter, header), logsFor)
  publish(session.subscriptions, 'logs', ({ criteria }) => logsFor(criteria))
}

function notifySealed(session: Session, sealed: SealedBlock): void {
  if (!isWatched(session)) return
  const block = presentAs(session.options, viewOfSealed(sealed))
  publish(session.subscriptions, 'newHeads', () => [formatHeader(block)])
  notifyLogs(session, sealed, (criteria) => matchingLogs(criteria, block))
  // The wanted receipts are one message.
  publish(session.subscriptions, 'transactionReceipts', ({ hashes }) => {
    const wanted = sealed.executed.filter(({ transaction }) => hashes?.has(transaction.hash) !== false)
    return wanted.length === 0 ? [] : [wanted.map((each) => formatReceipt(block, each))]
  })
}

/** The subscriptions' interest in empty blocks; for block filters see `gatherBlocks`. */
export function blockInterest({ subscriptions }: Session): EventInterest {
  let audience: EventInterest = 'nobody'
  for (const { kind } of subscriptions.subscriptions.values()) {
    if (kind === 'newFlashblocks') return 'partials'
    if (kind === 'newHeads') audience = 'blocks'
  }
  return audience
}

export function notify(session: Session, event: NodeEvent): void {
  switch (event.type) {
    case 'transactionAccepted':
      notifyAccepted(session, event.transaction)
      break
    case 'partialBlock':
      notifyPartialBlock(session, event.state, event.partial)
      settleInclusions(session.inclusionWaits, event.state)
      break
    case 'blockSealed':
      endJob(session.stream, event.block.header.number)
      notifySealed(session, event.block)
      break
    case 'blockOpened':
      // Partial block 0 brings no transactions that were not reported: it is the base of the later ones.
      notifyPartialBlock(session, event.state, { index: 0, executed: [] })
      break
    case 'blocksOrphaned':
      for (const block of event.full) {
        const shown = presentAs(session.options, viewOfSealed(block))
        notifyLogs(session, block, (criteria) => removedLogs(criteria, shown))
      }
      break
    case 'stateReplaced':
      endJob(session.stream, event.to.chain.head.header.number)
      for (const waits of [session.inclusionWaits, session.heldAnswers])
        shiftDeadlines(waits, event.to.nowMs - event.from.nowMs)
      break
    case 'transactionUnincluded':
      // As in geth, a transaction that a reorganisation returns to the pool is a new pending transaction.
      if (event.isPooled) notifyAccepted(session, event.transaction)
      break
    case 'committed':
      settleInclusions(session.inclusionWaits, event.state)
      releaseAnswers(session.heldAnswers, event.state.nowMs)
      break
  }
}
