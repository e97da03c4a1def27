// Small parts that several views share.

import type { ComponentChildren, ComponentProps, JSX } from 'preact'
import type { TransactionShape } from './shapes.ts'
import type { Place } from './store.ts'
import { abbreviateHex } from './text.ts'
import { type Answer, useAnswer, useStore } from './use-store.ts'

/** A button; `off` says why it cannot be used. */
export function Button({
  off,
  disabled,
  title,
  ...props
}: ComponentProps<'button'> & { off?: string | undefined }) {
  return <button type="button" disabled={off !== undefined || disabled} title={off ?? title} {...props} />
}

interface PlaceLinkProps {
  readonly place: Place
  readonly label?: string
  readonly children: ComponentChildren
}

/** A button that looks like a link and opens a place. */
function PlaceLink({ place, label, children }: PlaceLinkProps) {
  const { open } = useStore()
  return (
    <Button class="link" title={label} onClick={() => open(place)}>
      {children}
    </Button>
  )
}

export function TransactionLink({ hash }: { hash: string }) {
  return (
    <PlaceLink place={{ kind: 'transaction', hash }} label={hash}>
      <code>{abbreviateHex(hash)}</code>
    </PlaceLink>
  )
}

export function BlockLink({ number }: { number: number }) {
  return <PlaceLink place={{ kind: 'block', number }}>Block {number}</PlaceLink>
}

/** The name of an account, or its address. */
export function AccountName({ address }: { address: string }) {
  const { names } = useStore()
  const answer = useAnswer(`name ${address}`, () => names(address))
  const known = answer.state === 'answered' ? answer.value : undefined
  const text = known?.name ?? known?.contract
  return text === undefined ? <code>{abbreviateHex(address)}</code> : <span class="name">{text}</span>
}

/** A link to an account; without an address, to none yet. */
export function AccountLink({ address }: { address: string | undefined }) {
  if (address === undefined) return <>new contract</>
  return (
    <PlaceLink place={{ kind: 'account', address }} label={address}>
      <AccountName address={address} />
    </PlaceLink>
  )
}

/** The cells of a row, of this class. */
export function cells(kind: string | undefined, ...contents: readonly ComponentChildren[]) {
  return contents.map((content, index) => (
    <td key={index} class={kind}>
      {content}
    </td>
  ))
}

/** The first cells of a transaction's row: its hash, sender and receiver. */
export function transactionCells({ hash, from, to }: TransactionShape) {
  return cells(
    undefined,
    <TransactionLink hash={hash} />,
    <AccountLink address={from} />,
    <AccountLink address={to} />,
  )
}

export function columnHead(text: string, kind?: string) {
  return (
    <th key={text} scope="col" class={kind}>
      {text}
    </th>
  )
}

interface TableProps {
  readonly label: string
  readonly heads: readonly string[]
  readonly children: ComponentChildren
}

export function Table({ label, heads, children }: TableProps) {
  return (
    <Scroll label={label}>
      <table class="list">
        <thead>
          <tr>{heads.map((head) => columnHead(head))}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Scroll>
  )
}

/** The head of a table that shows `latest` beside `pending`. */
export function BothHead() {
  return (
    <thead>
      <tr>
        <td />
        {columnHead('latest', 'sealed')}
        {columnHead('pending', 'partial')}
      </tr>
    </thead>
  )
}

interface AnsweredProps<Value> {
  readonly answer: Answer<Value>
  readonly children: (value: Value) => JSX.Element
}

/** The view of an answer, or of what is the matter with it. */
export function Answered<Value>({ answer, children }: AnsweredProps<Value>) {
  if (answer.state === 'waiting') return <p class="muted">Waiting for the chain…</p>
  if (answer.state === 'failed') return <p class="failed">{answer.reason}</p>
  return children(answer.value)
}

/** Terms and their values. */
export function FieldList({
  rows,
}: {
  rows: readonly (readonly [term: string, value: ComponentChildren])[]
}) {
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
export function Bytes({ hex, label }: { hex: string; label: string }) {
  if (hex.length <= 74) return <code class="long">{hex}</code>
  return (
    <details>
      <summary>{`${label}, ${(hex.length - 2) / 2} bytes`}</summary>
      <code class="long">{hex}</code>
    </details>
  )
}

/** Content that may be wider than its place, and is then scrolled, also by keys. */
export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus, keys cannot scroll it (WCAG 2.1.1)
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
