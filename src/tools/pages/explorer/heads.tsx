// `pending` beside `latest`, and the block being built with its partial blocks.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { failedIn } from './block-view.tsx'
import type { Overview } from './overview.ts'
import * as ui from './parts.tsx'
import type { TransactionShape } from './shapes.ts'
import { abbreviateHex, clockText, countText, groupDigits, gweiText, shortEther, timeText } from './text.ts'

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
  const rows = ROWS.map(([term, show]): ui.BothRow => [term, show(latest), show(pending)])
  return <ui.BothTable rows={rows} caption="The latest block and the pending one" marks={false} />
}

interface PreconfirmedShape extends TransactionShape {
  readonly isFailed: boolean
}

function Preconfirmed({ hash, from, to, value, isFailed }: PreconfirmedShape) {
  const { command, source, view } = ui.useStore()
  const drop = (): void => void command('Drop', () => source.controls.drop(hash))
  const label = `Drop ${abbreviateHex(hash)}`
  return (
    <li>
      <ui.TransactionLink hash={hash} />
      <span>
        <ui.AccountLink address={from} /> → <ui.AccountLink address={to} />
      </span>
      {value === 0n ? undefined : <span class="muted">{shortEther(value, ' ether')}</span>}
      {isFailed ? <ui.Badge kind="failed" /> : undefined}
      <ui.Button class="small" off={view().missing.get('drop')} aria-label={label} onClick={drop}>
        Drop
      </ui.Button>
    </li>
  )
}

/** Transactions of a partial block that are shown at first. */
const MOST_SHOWN = 5
/** Partial blocks that are shown at first, the newest. */
const MOST_BATCHES = 3

function Batch({ title, of }: { title: ComponentChildren; of: readonly PreconfirmedShape[] }) {
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? of : of.slice(0, MOST_SHOWN)
  return (
    <li class="batch">
      <p>
        {title} <span class="muted">{countText(of.length, 'transaction')}</span>
      </p>
      <ul>
        {shown.map((transaction) => (
          <Preconfirmed key={transaction.hash} {...transaction} />
        ))}
      </ul>
      {shown.length === of.length ? undefined : (
        <ui.Button class="small" onClick={() => setIsWhole(true)}>
          Show all {of.length}
        </ui.Button>
      )}
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
  const { transactionCount } = pending
  const failed = ui.useAnswer(`failed in pending ${transactionCount}`, (ask) =>
    failedIn(ask, 'pending', transactionCount),
  )
  const [isWhole, setIsWhole] = useState(false)
  const all = pending.transactions.map((each) => ({
    ...each,
    isFailed: failed.state === 'answered' && failed.value.has(each.hash),
  }))
  const byHash = new Map(all.map((each) => [each.hash, each]))
  const inPartials = new Set(clock?.partials.flatMap(({ transactionHashes }) => transactionHashes))
  const partials = (clock?.partials ?? []).filter(({ transactionHashes }) => transactionHashes.length > 0)
  const folded = isWhole ? 0 : Math.max(0, partials.length - MOST_BATCHES)
  const others = all.filter(({ hash }) => !inPartials.has(hash))
  return (
    <section class="open" aria-label="Block being built">
      <h3>
        <ui.BlockLink number={pending.number} /> <span class="partial">being built</span>
      </h3>
      <DueText clock={clock} />
      {pending.transactionCount === 0 ? <p>No transaction is pre-confirmed yet.</p> : undefined}
      <ol class="batches">
        {folded === 0 ? undefined : (
          <li>
            <ui.Button class="small" onClick={() => setIsWhole(true)}>
              Show {countText(folded, 'earlier partial block')}
            </ui.Button>
          </li>
        )}
        {partials.slice(folded).map(({ index, transactionHashes }) => (
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
