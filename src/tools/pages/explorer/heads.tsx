// `pending` beside `latest`, and the block being built with its partial blocks.

import type { ComponentChildren, JSX } from 'preact'
import type { Overview } from './overview.ts'
import { AccountLink, BlockLink, BothHead, TransactionLink } from './parts.tsx'
import type { BlockShape, TransactionShape } from './shapes.ts'
import { count, durationText, etherText, groupDigits, gweiText, shorten, timeText } from './text.ts'
import { useStore } from './use-store.ts'

const ROWS: readonly (readonly [string, (block: BlockShape & { readonly number: number }) => string])[] = [
  ['Number', ({ number }) => groupDigits(number)],
  ['Hash', ({ hash }) => (hash === undefined ? '–' : shorten(hash))],
  ['Timestamp', ({ timestamp }) => timeText(timestamp * 1000)],
  ['Transactions', ({ transactionCount }) => groupDigits(transactionCount)],
  ['Gas used', ({ gasUsed }) => groupDigits(gasUsed)],
  ['Base fee', ({ baseFee }) => (baseFee === undefined ? '–' : gweiText(baseFee))],
  ['State root', ({ stateRoot }) => shorten(stateRoot)],
]

/** A table of both blocks. */
export function Heads({ overview: { latest, pending } }: { readonly overview: Overview }): JSX.Element {
  return (
    <table class="heads">
      <caption class="hidden">The latest block and the pending one</caption>
      <BothHead />
      <tbody>
        {ROWS.map(([term, show]) => (
          <tr key={term}>
            <th scope="row">{term}</th>
            <td>{show(latest)}</td>
            <td>{show(pending)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Preconfirmed({ transaction }: { readonly transaction: TransactionShape }): JSX.Element {
  const { command, source, view } = useStore()
  const { hash, from, to, value } = transaction
  const reason = view().missing.get('drop')
  return (
    <li>
      <TransactionLink hash={hash} />
      <span>
        <AccountLink address={from} /> → {to === undefined ? 'new contract' : <AccountLink address={to} />}
      </span>
      <span class="muted">{etherText(value)} ether</span>
      <button
        type="button"
        class="small"
        disabled={reason !== undefined}
        title={reason}
        aria-label={`Drop ${shorten(hash)}`}
        onClick={() => void command('Drop', () => source.controls.drop(hash))}
      >
        Drop
      </button>
    </li>
  )
}

function Batch({
  title,
  transactions,
}: {
  readonly title: ComponentChildren
  readonly transactions: readonly TransactionShape[]
}): JSX.Element {
  return (
    <li class="batch">
      <p>
        {title} <span class="muted">{count(transactions.length, 'transaction')}</span>
      </p>
      <ul>
        {transactions.map((transaction) => (
          <Preconfirmed key={transaction.hash} transaction={transaction} />
        ))}
      </ul>
    </li>
  )
}

/** What falls due next. */
function DueText({ clock }: Pick<Overview, 'clock'>): JSX.Element | null {
  if (clock === undefined) return null
  const { nowMs, nextDueMs, partialsClosed } = clock
  const due =
    nextDueMs === undefined ? 'nothing falls due' : `next step in ${durationText(nextDueMs - nowMs)}`
  return (
    <p class="muted">
      {count(partialsClosed, 'partial block')} closed, {due}
    </p>
  )
}

/** The block being built. */
export function OpenBlock({ overview }: { readonly overview: Overview }): JSX.Element {
  const { pending, clock } = overview
  const byHash = new Map(pending.transactions.map((each) => [each.hash, each]))
  const inPartials = new Set(clock?.partials.flatMap(({ transactionHashes }) => transactionHashes))
  const others = pending.transactions.filter(({ hash }) => !inPartials.has(hash))
  return (
    <section class="open" aria-label="Block being built">
      <h3>
        <BlockLink number={pending.number} /> <span class="partial">being built</span>
      </h3>
      <DueText clock={clock} />
      {pending.transactionCount === 0 ? <p>No transaction is pre-confirmed yet.</p> : undefined}
      <ol class="batches">
        {clock?.partials.map(({ index, transactionHashes }) => (
          <Batch
            key={index}
            title={<strong>Partial block {index}</strong>}
            transactions={transactionHashes.flatMap((hash) => byHash.get(hash) ?? [])}
          />
        ))}
        {others.length === 0 ? undefined : <Batch title="Pending" transactions={others} />}
      </ol>
    </section>
  )
}
