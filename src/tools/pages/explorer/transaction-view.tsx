// A transaction: its fields, receipt, decoded logs and calls.

import { useState } from 'preact/hooks'
import { OrphanLinks, receiptsOf } from './block-view.tsx'
import type { OrphanShape } from './memory.ts'
import type { Overview } from './overview.ts'
import {
  AccountLink,
  type Answer,
  Answered,
  Badge,
  BlockLink,
  Bytes,
  CalledMethod,
  Copyable,
  FieldList,
  useAnswer,
  useStore,
} from './parts.tsx'
import {
  type CallShape,
  type EntryShape,
  type EventShape,
  outermostCall,
  type ReceiptShape,
  standingEvents,
  type TransactionShape,
  transactionOf,
  type ValueShape,
} from './shapes.ts'
import type { Ask } from './source.ts'
import { etherText, groupDigits, gweiText, readable } from './text.ts'

/** Calls down to this depth are unfolded at first. */
const OPEN_DEPTH = 2

function Values({ values }: { values: readonly ValueShape[] }) {
  return (
    <>
      {values.map(({ name, text }, index) => (
        <span key={index}>
          {index === 0 ? '' : ', '}
          {name === '' ? '' : <span class="muted">{name}: </span>}
          <span title={text}>{readable(text)}</span>
        </span>
      ))}
    </>
  )
}

function EventText({ event }: { event: EventShape }) {
  if (event.name !== undefined)
    return (
      <code>
        {event.name}(<Values values={event.args} />)
      </code>
    )
  return (
    <>
      <span class="muted">unknown event</span> <code class="long">{event.topics.join(' ')}</code>{' '}
      <Bytes hex={event.data} label="Data" />
    </>
  )
}

function CallEnd({ call }: { call: CallShape }) {
  if (call.error !== undefined) return <p class="failed">fails: {call.error}</p>
  if (call.results === undefined || call.results.length === 0) return null
  return (
    <p>
      returns{' '}
      <code>
        <Values values={call.results} />
      </code>
    </p>
  )
}

function StorageChanges({ call }: { call: CallShape }) {
  if (call.storage.length === 0) return null
  return (
    <ul class="storage">
      {call.storage.map(({ name, before, after }, index) => (
        <li key={index}>
          <span class="tag">storage</span>{' '}
          <code class="long">
            {name}: {readable(before)} → {readable(after)}
          </code>
        </li>
      ))}
    </ul>
  )
}

function Entry({ entry, depth }: { entry: EntryShape; depth: number }) {
  if (entry.type === 'call')
    return (
      <li>
        <CallRow call={entry} depth={depth} />
      </li>
    )
  const isEvent = entry.type === 'event'
  return (
    <li>
      <span class="tag event">{isEvent ? 'event' : 'console.log'}</span>{' '}
      {isEvent ? <EventText event={entry} /> : <code>{entry.message}</code>}
    </li>
  )
}

function CallParts({ call, depth }: { call: CallShape; depth: number }) {
  return (
    <div class="call-parts">
      <p class="muted">
        from <AccountLink address={call.from} /> to <AccountLink address={call.to} />
      </p>
      {call.functionName === undefined && call.input !== '0x' ? (
        <Bytes hex={call.input} label="Input" />
      ) : undefined}
      <ul class="entries">
        {call.entries.map((entry, index) => (
          <Entry key={index} entry={entry} depth={depth + 1} />
        ))}
      </ul>
      <StorageChanges call={call} />
      <CallEnd call={call} />
    </div>
  )
}

function CallRow({ call, depth }: { call: CallShape; depth: number }) {
  const [isOpen, setIsOpen] = useState(depth < OPEN_DEPTH)
  return (
    <details class="call" open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <span class="tag">{call.kind.toLowerCase()}</span>{' '}
        {call.name === undefined ? '' : <span class="name">{call.name}.</span>}
        <code>
          {call.functionName ?? (call.input === '0x' ? 'receive' : call.input.slice(0, 10))}(
          <Values values={call.args} />)
        </code>{' '}
        <span class="muted">
          {groupDigits(call.gasUsed)} gas
          {call.value === 0n ? '' : `, ${etherText(call.value)} ether`}
        </span>{' '}
        {call.error === undefined ? '' : <span class="failed">✗ failed</span>}
      </summary>
      {isOpen ? <CallParts call={call} depth={depth} /> : undefined}
    </details>
  )
}

type Stage = 'orphaned' | 'sealed' | 'pre-confirmed' | 'being built' | 'in the pool'

interface TransactionParts {
  readonly transaction: TransactionShape
  readonly receipt: ReceiptShape | undefined
  readonly stage: Stage
  readonly partial: number | undefined
}

/** The transaction, its receipt and where it is. */
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
  const transaction = transactionOf(method, answer)
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
  if (stage === 'orphaned') return <Badge kind="orphaned" />
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
  const orphan = useStore()
    .view()
    .orphans.find(({ transactions }) => transactions.some((each) => each.hash === hash))
  if (stage === 'orphaned') return <OrphanLinks orphans={orphan === undefined ? [] : [orphan]} />
  if (blockNumber === undefined) return <>no block yet</>
  return (
    <>
      <BlockLink number={blockNumber} />
      {partial === undefined ? '' : `, partial block ${partial}`}
    </>
  )
}

function TransactionFields({ transaction, receipt, stage, partial }: TransactionParts) {
  const { hash, from, to, value, nonce, gas, type, maxFeePerGas } = transaction
  const used = receipt === undefined ? 'up to' : `${groupDigits(receipt.gasUsed)} of`
  return (
    <FieldList
      rows={[
        ['Hash', <Copyable text={hash} />],
        ['Outcome', <OutcomeText stage={stage} receipt={receipt} />],
        ['Where', <WhereText transaction={transaction} partial={partial} stage={stage} />],
        ['From', <AccountLink address={from} />],
        [to === undefined ? 'Creates' : 'To', <AccountLink address={to ?? receipt?.contractAddress} />],
        ['Method', <CalledMethod {...transaction} />],
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

function Logs({ receipt: { logs }, trace }: { receipt: ReceiptShape; trace: Answer<CallShape> }) {
  const decoded = trace.state === 'answered' ? standingEvents(trace.value) : []
  if (logs.length === 0) return <p class="muted">No logs.</p>
  // A trace that was cut off has fewer; the receipt alone tells no names.
  const events = decoded.length === logs.length ? decoded : []
  return (
    <ol class="logs">
      {logs.map((log, index) => (
        <li key={index}>
          <AccountLink address={log.address} />{' '}
          <EventText event={events[index] ?? { type: 'event', ...log, name: undefined, args: [] }} />
        </li>
      ))}
    </ol>
  )
}

function Executed({ hash, receipt }: { hash: string; receipt: ReceiptShape }) {
  const trace = useAnswer(`trace ${hash}`, (ask) => outermostCall(ask, hash))
  return (
    <>
      <h3>Logs</h3>
      <Logs receipt={receipt} trace={trace} />
      <h3>Calls</h3>
      <Answered answer={trace}>{(call) => <CallRow call={call} depth={0} />}</Answered>
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
      <Bytes hex={transaction.input} label="Input" />
    </>
  )
}

export function TransactionView({ hash, overview }: { hash: string; overview: Overview }) {
  const { version, orphans } = useStore().view()
  const answer = useAnswer(`transaction ${hash} ${orphans.length}`, (ask) =>
    findTransaction(ask, hash, overview, orphans),
  )
  return (
    <Answered answer={answer}>
      {(found) =>
        found === undefined ? (
          <p>The chain has no such transaction{version > 1 ? ' any more' : ''}.</p>
        ) : (
          <TransactionBody {...found} />
        )
      }
    </Answered>
  )
}
