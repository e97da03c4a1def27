// Small parts that several views share.

import type { ComponentChildren, JSX } from 'preact'
import type { TransactionShape } from './shapes.ts'
import type { Place } from './store.ts'
import { shorten } from './text.ts'
import { type Answer, useAnswer, useStore } from './use-store.ts'

/** A button that looks like a link and opens a place. */
function PlaceLink({
  place,
  label,
  children,
}: {
  readonly place: Place
  readonly label?: string
  readonly children: ComponentChildren
}): JSX.Element {
  const { open } = useStore()
  return (
    <button type="button" class="link" title={label} onClick={() => open(place)}>
      {children}
    </button>
  )
}

export function TransactionLink({ hash }: { readonly hash: string }): JSX.Element {
  return (
    <PlaceLink place={{ kind: 'transaction', hash }} label={hash}>
      <code>{shorten(hash)}</code>
    </PlaceLink>
  )
}

export function BlockLink({ number }: { readonly number: number }): JSX.Element {
  return <PlaceLink place={{ kind: 'block', number }}>Block {number}</PlaceLink>
}

/** The name of an account, or its address. */
export function AccountName({ address }: { readonly address: string }): JSX.Element {
  const { names } = useStore()
  const answer = useAnswer(`name ${address}`, () => names.of(address))
  const known = answer.state === 'answered' ? answer.value : undefined
  const text = known?.name ?? known?.contract
  return text === undefined ? <code>{shorten(address)}</code> : <span class="name">{text}</span>
}

export function AccountLink({ address }: { readonly address: string }): JSX.Element {
  return (
    <PlaceLink place={{ kind: 'account', address }} label={address}>
      <AccountName address={address} />
    </PlaceLink>
  )
}

/** The first cells of a transaction's row: its hash, sender and receiver. */
export function TransactionCells({
  transaction: { hash, from, to },
}: {
  readonly transaction: Pick<TransactionShape, 'hash' | 'from' | 'to'>
}): JSX.Element {
  return (
    <>
      <td>
        <TransactionLink hash={hash} />
      </td>
      <td>
        <AccountLink address={from} />
      </td>
      <td>{to === undefined ? 'new contract' : <AccountLink address={to} />}</td>
    </>
  )
}

/** The head of a table that shows `latest` beside `pending`. */
export function BothHead(): JSX.Element {
  return (
    <thead>
      <tr>
        <td />
        <th scope="col" class="sealed">
          latest
        </th>
        <th scope="col" class="partial">
          pending
        </th>
      </tr>
    </thead>
  )
}

/** The view of an answer, or of what is the matter with it. */
export function Answered<Value>({
  answer,
  children,
}: {
  readonly answer: Answer<Value>
  readonly children: (value: Value) => JSX.Element
}): JSX.Element {
  if (answer.state === 'waiting') return <p class="muted">Waiting for the chain…</p>
  if (answer.state === 'failed') return <p class="failed">{answer.reason}</p>
  return children(answer.value)
}

/** Terms and their values. */
export function Fields({
  rows,
}: {
  readonly rows: readonly (readonly [term: string, value: ComponentChildren])[]
}): JSX.Element {
  return (
    <dl class="fields">
      {rows.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Bytes, all of them if they are few or asked for. */
export function Bytes({ hex, label }: { readonly hex: string; readonly label: string }): JSX.Element {
  if (hex.length <= 74) return <code class="long">{hex}</code>
  return (
    <details>
      <summary>
        {label}, {(hex.length - 2) / 2} bytes
      </summary>
      <code class="long">{hex}</code>
    </details>
  )
}

/** What may be wider than its place, and is then scrolled, also by keys. */
export function Scroll({
  label,
  children,
}: {
  readonly label: string
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus, keys cannot scroll it (WCAG 2.1.1)
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
