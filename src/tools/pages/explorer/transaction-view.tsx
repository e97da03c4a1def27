// A transaction: its fields, receipt, decoded logs and calls.

import { OrphanLinks, receiptsOf } from './block-view.tsx'
import { CallRow, EventText } from './calls-view.tsx'
import { DebuggedCalls } from './debug-view.tsx'
import type { OrphanShape } from './memory.ts'
import type { Overview } from './overview.ts'
import * as ui from './parts.tsx'
import * as shapes from './shapes.ts'
import type { Ask } from './source.ts'
import { etherText, groupDigits, gweiText } from './text.ts'

type Stage = 'orphaned' | 'sealed' | 'pre-confirmed' | 'being built' | 'in the pool'

interface TransactionParts {
  readonly transaction: shapes.TransactionShape
  readonly receipt: shapes.ReceiptShape | undefined
  readonly stage: Stage
  readonly partial: number | undefined
}

async function findTransaction(
  ask: Ask,
  hash: string,
  { latest, pending, preconfirms, clock }: Overview,
  orphans: readonly OrphanShape[],
): Promise<TransactionParts | undefined> {
  const method = 'eth_getTransactionByHash'
  const answer = await ask(method, [hash])
  if (answer === null) {
    const gone = orphans.flatMap(({ transactions }) => transactions).find((each) => each.hash === hash)
    return gone && { transaction: gone, receipt: undefined, stage: 'orphaned', partial: undefined }
  }
  const transaction = shapes.transactionOf(method, answer)
  const { blockNumber } = transaction
  const isOpen = pending.transactions.some((each) => each.hash === transaction.hash)
  const isSealed = !isOpen && blockNumber !== undefined && blockNumber <= latest.number
  const tag = isOpen ? 'pending' : `0x${(blockNumber ?? 0).toString(16)}`
  const receipts = isOpen || isSealed ? await receiptsOf(ask, tag, [transaction]) : []
  return {
    transaction: isOpen ? { ...transaction, blockNumber: pending.number } : transaction,
    receipt: receipts.find(({ transactionHash }) => transactionHash === transaction.hash),
    stage: isSealed ? 'sealed' : isOpen ? (preconfirms ? 'pre-confirmed' : 'being built') : 'in the pool',
    partial: clock?.partials.find(({ transactionHashes }) => transactionHashes.includes(hash))?.index,
  }
}

function OutcomeText({ stage, receipt }: Pick<TransactionParts, 'stage' | 'receipt'>) {
  if (stage === 'orphaned') return <ui.Badge kind="orphaned" />
  if (receipt === undefined) return <span class="pool">{stage}</span>
  const outcome = receipt.isSuccess ? 'success' : 'failed'
  return (
    <>
      <span class={outcome}>{outcome}</span>,{' '}
      <span class={stage === 'sealed' ? 'sealed' : 'partial'}>{stage}</span>
    </>
  )
}

function WhereText({ transaction, partial, stage }: Omit<TransactionParts, 'receipt'>) {
  const { blockNumber, hash } = transaction
  const orphan = ui
    .useStore()
    .view()
    .orphans.find(({ transactions }) => transactions.some((each) => each.hash === hash))
  if (stage === 'orphaned') return <OrphanLinks orphans={orphan === undefined ? [] : [orphan]} />
  if (blockNumber === undefined) return <>no block yet</>
  return (
    <>
      <ui.BlockLink number={blockNumber} />
      {partial === undefined ? '' : `, partial block ${partial}`}
    </>
  )
}

function TransactionFields({ transaction, receipt, stage, partial }: TransactionParts) {
  const { hash, from, to, value, nonce, gas, type, maxFeePerGas } = transaction
  const used = receipt === undefined ? 'up to' : `${groupDigits(receipt.gasUsed)} of`
  return (
    <ui.FieldList
      rows={[
        ['Hash', <ui.Copyable text={hash} />],
        ['Outcome', <OutcomeText stage={stage} receipt={receipt} />],
        ['Where', <WhereText transaction={transaction} partial={partial} stage={stage} />],
        ['From', <ui.AccountLink address={from} />],
        [to === undefined ? 'Creates' : 'To', <ui.AccountLink address={to ?? receipt?.contractAddress} />],
        ['Method', <ui.CalledMethod {...transaction} />],
        ['Value', `${etherText(value)} ether`],
        ['Nonce', `${nonce}`],
        ['Gas', `${used} ${groupDigits(gas)}`],
        ['Price', receipt === undefined ? `up to ${gweiText(maxFeePerGas)}` : gweiText(receipt.price)],
        ['Fee', receipt === undefined ? '–' : `${etherText(receipt.gasUsed * receipt.price)} ether`],
        ['Type', `${type}`],
      ]}
    />
  )
}

function Logs({
  receipt: { logs },
  trace,
}: {
  receipt: shapes.ReceiptShape
  trace: ui.Answer<shapes.CallShape>
}) {
  const decoded = trace.state === 'answered' ? shapes.standingEvents(trace.value) : []
  if (logs.length === 0) return <p class="muted">No logs.</p>
  // A trace that was cut off has fewer; the receipt alone tells no names.
  const events = decoded.length === logs.length ? decoded : []
  return (
    <ol class="logs">
      {logs.map((log, index) => (
        <li key={index}>
          <ui.AccountLink address={log.address} />{' '}
          <EventText event={events[index] ?? { type: 'event', ...log, name: undefined, args: [] }} />
        </li>
      ))}
    </ol>
  )
}

function Executed({ hash, receipt }: { hash: string; receipt: shapes.ReceiptShape }) {
  const trace = ui.useAnswer(`trace ${hash}`, (ask) => shapes.outermostCall(ask, hash))
  return (
    <>
      <h3>Logs</h3>
      <Logs receipt={receipt} trace={trace} />
      <h3>Calls</h3>
      <ui.Answered answer={trace}>
        {(call) => (
          <DebuggedCalls hash={hash} call={call}>
            <CallRow call={call} depth={0} />
          </DebuggedCalls>
        )}
      </ui.Answered>
    </>
  )
}

function TransactionBody(parts: TransactionParts) {
  const { transaction, receipt } = parts
  return (
    <>
      <TransactionFields {...parts} />
      {receipt === undefined ? undefined : <Executed hash={transaction.hash} receipt={receipt} />}
      <h3>Input</h3>
      <ui.Bytes hex={transaction.input} label="Input" />
    </>
  )
}

const NOT_YET = 'did not know this transaction at the instant of the time cursor'

export function TransactionView({ hash, overview }: { hash: string; overview: Overview }) {
  const { version, orphans, past } = ui.useStore().view()
  const missing = past === undefined ? `has no such transaction${version > 1 ? ' any more' : ''}` : NOT_YET
  const answer = ui.useAnswer(`transaction ${hash} ${orphans.length}`, (ask) =>
    findTransaction(ask, hash, overview, orphans),
  )
  return (
    <ui.Answered answer={answer}>
      {(found) => (found === undefined ? <p>The chain {missing}.</p> : <TransactionBody {...found} />)}
    </ui.Answered>
  )
}
