// Notification of filters and subscriptions. The order of messages for one event is that of the code below, and is
// promised in docs/DETERMINISM.md.

import type { PartialBlock, SealedBlock } from '../../chain/block/block.ts'
import { type BlockView, viewOfOpen, viewOfSealed } from '../../chain/view.ts'
import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import type { Audience, NodeEvent } from '../../node/events.ts'
import { currentOpenBlock, type NodeState } from '../../node/node-state.ts'
import type { Hex } from '../../primitives/hex.ts'
import type { LogFilter } from '../codecs/filter.ts'
import { presentAs } from '../flavor/present.ts'
import { formatBlock, formatHeader } from '../format/block.ts'
import type { PresentedBlock } from '../format/present.ts'
import { formatReceipt } from '../format/receipt.ts'
import { formatTransaction } from '../format/transaction.ts'
import type { Session } from '../session.ts'
import { releaseAnswers, shiftDueTimes } from './held-answers.ts'
import { settleInclusions, shiftInclusions } from './inclusion-waits.ts'
import { type LogCriteria, matchingLogs, removedLogs } from './log-match.ts'
import { settleWaiters, shiftDeadlines } from './receipt-waiters.ts'
import { type HeldSubscription, subscriptionsTo } from './subscriptions.ts'

function send({ receiver }: HeldSubscription, subscription: Hex, result: unknown): void {
  receiver({ type: 'eth_subscription', data: { subscription, result } })
}

function presented({ options }: Session, view: BlockView): PresentedBlock {
  return presentAs(options, view)
}

function notifyAccepted(session: Session, transaction: Transaction): void {
  const show = (detail: 'hashes' | 'full') =>
    detail === 'full' ? formatTransaction(transaction, undefined) : transaction.hash
  for (const filter of session.filters.filters.values()) {
    if (filter.kind === 'pendingTransactions') filter.gathered.push(show(filter.detail))
  }
  for (const [id, held] of subscriptionsTo(session.subscriptions, 'newPendingTransactions')) {
    send(held, id, show(held.detail))
  }
}

/** A pre-confirmed transaction with the fields of its receipt. */
function formatPreconfirmed(block: PresentedBlock, executed: ExecutedTransaction) {
  const { status, gasUsed, cumulativeGasUsed, contractAddress, logsBloom, logs } = formatReceipt(
    block,
    executed,
  )
  return {
    ...formatTransaction(executed.transaction, { block, index: executed.index }),
    ...{ status, gasUsed, cumulativeGasUsed, contractAddress, logsBloom, logs },
  }
}

function notifyPreconfirmed(
  session: Session,
  block: PresentedBlock,
  executed: readonly ExecutedTransaction[],
): void {
  for (const [id, held] of subscriptionsTo(session.subscriptions, 'newFlashblockTransactions')) {
    const { detail } = held
    for (const each of executed) {
      if (typeof detail === 'object' && matchingLogs(detail, block, [each]).length === 0) continue
      send(held, id, detail === 'hashes' ? each.transaction.hash : formatPreconfirmed(block, each))
    }
  }
  for (const [id, held] of subscriptionsTo(session.subscriptions, 'pendingLogs')) {
    for (const log of matchingLogs(held.criteria, block, executed)) send(held, id, log)
  }
}

/** True for a filter of pre-confirmed logs instead of sealed ones. */
function isPendingFilter({ fromBlock, toBlock }: LogFilter): boolean {
  return fromBlock === 'pending' && toBlock === 'pending'
}

function isInRange(
  { fromBlock, toBlock, blockHash }: LogFilter,
  { number }: { readonly number: number },
): boolean {
  if (blockHash !== undefined) return false
  return (
    !(typeof fromBlock === 'number' && number < fromBlock) &&
    !(typeof toBlock === 'number' && number > toBlock)
  )
}

/** Whether a partial block has listeners. An empty one has none among those who want only its transactions. */
function isPartialBlockWanted(session: Session, { executed }: PartialBlock): boolean {
  if (session.hasFlashblockListeners() || blockAudience(session) === 'partials') return true
  return executed.length > 0 && session.isWatched()
}

function notifyPartialBlock(session: Session, state: NodeState, partial: PartialBlock): void {
  if (!isPartialBlockWanted(session, partial)) return
  const subscribers = [...subscriptionsTo(session.subscriptions, 'newFlashblocks')]
  const open = currentOpenBlock(session.node.config, state)
  const block = presented(session, viewOfOpen(open))
  session.tellFlashblock(open)
  for (const [id, held] of subscribers) send(held, id, formatBlock(block, 'full'))
  if (partial.executed.length === 0) return
  for (const filter of session.filters.filters.values()) {
    if (filter.kind !== 'logs' || !isPendingFilter(filter.filter)) continue
    filter.gathered.push(...matchingLogs(filter.filter, block, partial.executed))
  }
  notifyPreconfirmed(session, block, partial.executed)
}

type LogSource = (criteria: LogCriteria) => ReturnType<typeof matchingLogs>

/** Passes the logs of a sealed block, new or removed, to filters and subscriptions. */
function notifyLogs(session: Session, block: SealedBlock, logsFor: LogSource): void {
  if (block.executed.length === 0) return
  for (const filter of session.filters.filters.values()) {
    if (filter.kind !== 'logs' || isPendingFilter(filter.filter) || !isInRange(filter.filter, block.header))
      continue
    filter.gathered.push(...logsFor(filter.filter))
  }
  for (const [id, held] of subscriptionsTo(session.subscriptions, 'logs')) {
    for (const log of logsFor(held.criteria)) send(held, id, log)
  }
}

function notifySealed(session: Session, block: SealedBlock): void {
  if (!session.isWatched()) return
  const shown = presented(session, viewOfSealed(block))
  for (const [id, held] of subscriptionsTo(session.subscriptions, 'newHeads')) {
    send(held, id, formatHeader(shown))
  }
  notifyLogs(session, block, (criteria) => matchingLogs(criteria, shown))
  notifyReceipts(session, shown, block.executed)
}

/** Sends the wanted receipts of a sealed block in one message. */
function notifyReceipts(
  session: Session,
  block: PresentedBlock,
  executed: readonly ExecutedTransaction[],
): void {
  for (const [id, held] of subscriptionsTo(session.subscriptions, 'transactionReceipts')) {
    const wanted = executed.filter(({ transaction }) => held.hashes?.has(transaction.hash) !== false)
    if (wanted.length > 0)
      send(
        held,
        id,
        wanted.map((each) => formatReceipt(block, each)),
      )
  }
}

/** The subscriptions' interest in empty blocks; for block filters see `gatherBlocks`. */
export function blockAudience({ subscriptions }: Session): Audience {
  let audience: Audience = 'nobody'
  for (const { kind } of subscriptions.subscriptions.values()) {
    if (kind === 'newFlashblocks') return 'partials'
    if (kind === 'newHeads') audience = 'blocks'
  }
  return audience
}

/** Passes an event to filters and subscriptions. */
export function notify(session: Session, event: NodeEvent): void {
  switch (event.type) {
    case 'transactionAccepted':
      notifyAccepted(session, event.transaction)
      break
    case 'partialBlock':
      notifyPartialBlock(session, event.state, event.partial)
      settleWaiters(session.waiters, event.state, session.options)
      settleInclusions(session.inclusionWaits, event.state)
      break
    case 'blockSealed':
      session.endFlashblocks(event.block.header.number)
      notifySealed(session, event.block)
      break
    case 'blockOpened':
      // Partial block 0 brings no transactions that were not reported: it is the base of the later ones.
      notifyPartialBlock(session, event.state, { index: 0, executed: [] })
      break
    case 'blocksOrphaned':
      for (const block of event.full) {
        const shown = presented(session, viewOfSealed(block))
        notifyLogs(session, block, (criteria) => removedLogs(criteria, shown))
      }
      break
    case 'stateReplaced':
      session.endFlashblocks(event.to.chain.head.header.number)
      shiftDeadlines(session.waiters, event.to.nowMs - event.from.nowMs)
      shiftInclusions(session.inclusionWaits, event.to.nowMs - event.from.nowMs)
      shiftDueTimes(session.heldAnswers, event.to.nowMs - event.from.nowMs)
      break
    case 'transactionUnincluded':
      // As in geth, a transaction that a reorganisation returns to the pool is a new pending transaction.
      if (event.isPooled) notifyAccepted(session, event.transaction)
      break
    case 'committed':
      settleWaiters(session.waiters, event.state, session.options)
      settleInclusions(session.inclusionWaits, event.state)
      releaseAnswers(session.heldAnswers, event.state.nowMs)
      break
    default:
      break
  }
}
