// `pending` beside `latest`, and the block being built with its partial blocks.

import type { ComponentChildren } from 'preact'
import type { Overview } from './overview.ts'
import { AccountLink, BlockLink, BothHead, Button, TransactionLink, useStore } from './parts.tsx'
import type { TransactionShape } from './shapes.ts'
import { abbreviateHex, clockText, countText, etherText, groupDigits, gweiText, timeText } from './text.ts'

const ROWS: readonly (readonly [string, (block: Overview['latest']) => string])[] = [
  ['Number', ({ number }) => groupDigits(number)],
  ['Hash', ({ hash }) => (hash === undefined ? '–' : abbreviateHex(hash))],
  ['Timestamp', ({ timeMs }) => timeText(timeMs)],
  ['Transactions', ({ transactionCount }) => groupDigits(transactionCount)],
  ['Gas used', ({ gasUsed }) => groupDigits(gasUsed)],
  ['Base fee', ({ baseFee }) => (baseFee === undefined ? '–' : gweiText(baseFee))],
  ['State root', ({ stateRoot }) => abbreviateHex(stateRoot)],
]

export function Heads({ overview: { latest, pending } }: { overview: Overview }) {
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

function Preconfirmed({ hash, from, to, value }: TransactionShape) {
  const { command, source, view } = useStore()
  const drop = (): void => void command('Drop', () => source.controls.drop(hash))
  const label = `Drop ${abbreviateHex(hash)}`
  return (
    <li>
      <TransactionLink hash={hash} />
      <span>
        <AccountLink address={from} /> → <AccountLink address={to} />
      </span>
      <span class="muted">{etherText(value)} ether</span>
      <Button class="small" off={view().missing.get('drop')} aria-label={label} onClick={drop}>
        Drop
      </Button>
    </li>
  )
}

function Batch({ title, of }: { title: ComponentChildren; of: readonly TransactionShape[] }) {
  return (
    <li class="batch">
      <p>
        {title} <span class="muted">{countText(of.length, 'transaction')}</span>
      </p>
      <ul>
        {of.map((transaction) => (
          <Preconfirmed key={transaction.hash} {...transaction} />
        ))}
      </ul>
    </li>
  )
}

function DueText({ clock }: Pick<Overview, 'clock'>) {
  if (clock === undefined) return null
  const { nowMs, nextDueMs, hasPartials, partialsClosed } = clock
  const due = nextDueMs === undefined ? 'nothing falls due' : `next step in ${clockText(nextDueMs - nowMs)}`
  const closed = hasPartials ? `${countText(partialsClosed, 'partial block')} closed, ` : ''
  return <p class="muted">{closed + due}</p>
}

export function OpenBlockHead({ overview: { pending, clock } }: { overview: Overview }) {
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
            of={transactionHashes.flatMap((hash) => byHash.get(hash) ?? [])}
          />
        ))}
        {others.length === 0 ? undefined : <Batch title="Pending" of={others} />}
      </ol>
    </section>
  )
}
