// Small parts that several views share.

import { type ComponentChildren, type ComponentProps, createContext, type JSX } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { type CallShape, outermostCall, type TransactionShape } from './shapes.ts'
import type { Ask } from './source.ts'
import type { Place, Store } from './store.ts'
import { abbreviateHex, groupDigits, reasonText, shortEther } from './text.ts'

export const StoreContext = createContext<Store | undefined>(undefined)

export function useStore(): Store {
  const store = useContext(StoreContext)
  if (store === undefined) throw new Error('a view is outside of an explorer')
  return store
}

/** The call that the debugger is in, last of those that it is in, and the function that leads it to one. */
export const DebugContext = createContext<{
  readonly path: readonly CallShape[]
  readonly choose: (call: CallShape) => void
}>({ path: [], choose: () => undefined })

/** The state of an answer. While a newer one is awaited, the old one stays. */
export type Answer<Value> =
  | { readonly state: 'waiting' }
  | { readonly state: 'answered'; readonly value: Value }
  | { readonly state: 'failed'; readonly reason: string }

/**
 * The result of questions to the chain, asked again for each version of it. `key` names what is asked.
 * With `delayMs`, nothing is asked for what is shown for a shorter time.
 */
export function useAnswer<Value>(
  key: string,
  find: (ask: Ask) => Promise<Value>,
  delayMs = 0,
): Answer<Value> {
  const store = useStore()
  const { version } = store.view()
  const [held, setHeld] = useState<{ readonly key: string; readonly answer: Answer<Value> }>()
  useEffect(() => {
    let isCurrent = true
    const begin = async (): Promise<void> => {
      try {
        const value = await find(store.asker.ask)
        if (isCurrent) setHeld({ key, answer: { state: 'answered', value } })
      } catch (error) {
        if (isCurrent) setHeld({ key, answer: { state: 'failed', reason: reasonText(error) } })
      }
    }
    const timer = delayMs === 0 ? undefined : setTimeout(() => void begin(), delayMs)
    if (timer === undefined) void begin()
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [store, version, key])
  return held?.key === key ? held.answer : { state: 'waiting' }
}

/** A button; `off` says why it cannot be used. */
export function Button(given: ComponentProps<'button'> & { off?: string | undefined }) {
  const { off, disabled, title, ...props } = given
  return <button type="button" disabled={off !== undefined || disabled} title={off ?? title} {...props} />
}

/** A button that looks like a link and opens a place. */
export function PlaceLink({ place, ...props }: ComponentProps<'button'> & { readonly place: Place }) {
  const { open } = useStore()
  return <Button class="link" onClick={() => open(place)} {...props} />
}

export function TransactionLink({ hash }: { hash: string }) {
  return (
    <PlaceLink place={{ kind: 'transaction', hash }} title={hash}>
      <code>{abbreviateHex(hash)}</code>
    </PlaceLink>
  )
}

export function BlockLink({ number }: { number: number }) {
  return <PlaceLink place={{ kind: 'block', number }}>Block {groupDigits(number)}</PlaceLink>
}

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
    <PlaceLink place={{ kind: 'account', address }} title={address}>
      <AccountName address={address} />
    </PlaceLink>
  )
}

/** The method that a transaction calls: its name if the chain knows it, or else its selector. */
export function CalledMethod({ hash, to, input, blockNumber }: TransactionShape) {
  const selector = input.slice(0, 10)
  const isCall = to !== undefined && input !== '0x'
  const answer = useAnswer(`method ${hash}`, async (ask) =>
    isCall && blockNumber !== undefined ? (await outermostCall(ask, hash)).functionName : undefined,
  )
  if (!isCall) return <span class="muted">{to === undefined ? 'create' : 'transfer'}</span>
  const name = answer.state === 'answered' ? answer.value : undefined
  return <code title={selector}>{name ?? selector}</code>
}

/** A hash or an address in full, with a button that copies it. */
export function Copyable({ text, label = text }: { text: string; label?: string }) {
  const { announce, tell } = useStore()
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      announce(`Copied ${abbreviateHex(text)}.`)
    } catch (error) {
      tell(`Copy: the page may not write to the clipboard: ${reasonText(error)}`)
    }
  }
  return (
    <>
      <code class="long">{label}</code>{' '}
      <Button class="small" aria-label={`Copy ${abbreviateHex(text)}`} onClick={() => void copy()}>
        Copy
      </Button>
    </>
  )
}

/** A word in a frame, such as `failed`. */
export function Badge({ kind }: { kind: 'failed' | 'orphaned' }) {
  return <span class={`tag ${kind}`}>{kind}</span>
}

/** The cells of a row, of this class. */
export function cells(kind: string | undefined, ...contents: readonly ComponentChildren[]) {
  return contents.map((content, index) => (
    <td key={index} class={kind}>
      {content}
    </td>
  ))
}

/** The first cells of a transaction's row: its hash, sender, receiver, the method that it calls, and its ether. */
export function transactionCells(transaction: TransactionShape) {
  const { hash, from, to, value } = transaction
  const parties = [from, to].map((address) => <AccountLink address={address} />)
  return [
    cells(undefined, <TransactionLink hash={hash} />, ...parties, <CalledMethod {...transaction} />),
    cells('amount', shortEther(value)),
  ]
}

export function columnHead(text: string, kind?: string) {
  return (
    <th key={text} scope="col" class={kind}>
      {text}
    </th>
  )
}

/** Columns of numbers, which are aligned on the right. */
const AMOUNTS: ReadonlySet<string> = new Set(['Ether', 'Gas used', 'Nonce', 'Fee cap', 'A', 'B'])

interface TableProps extends Omit<ScrollProps, 'children'> {
  readonly heads: readonly string[]
  /** Words in place of a table without rows. */
  readonly none: string
  readonly children: readonly JSX.Element[]
}

export function Table({ heads, none, children, ...label }: TableProps) {
  if (children.length === 0) return <p class="muted">{none}</p>
  return (
    <Scroll {...label}>
      <table class="list">
        <thead>
          <tr>{heads.map((head) => columnHead(head, AMOUNTS.has(head) ? 'amount' : undefined))}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Scroll>
  )
}

/** A value in both states, with a mark if it differs. */
export function bothCells<Value>(latest: Value, pending: Value, show: (value: Value) => string) {
  const mark = latest === pending ? '' : <span class="partial">● </span>
  return cells('amount', show(latest), [mark, show(pending)])
}

export type BothRow = readonly [term: string, latest: string, pending: string]

interface BothTableProps {
  readonly rows: readonly BothRow[]
  readonly caption?: string
  readonly show?: (term: string) => ComponentChildren
  /** False if all may differ. Default true: differences are marked. */
  readonly marks?: boolean
}

/** A table of `latest` beside `pending`. */
export function BothTable({ rows, caption, show = (term) => term, marks = true }: BothTableProps) {
  return (
    <table class={marks ? 'both' : 'heads'}>
      {caption === undefined ? undefined : <caption class="hidden">{caption}</caption>}
      <thead>
        <tr>
          <td />
          {columnHead('latest', 'sealed amount')}
          {columnHead('pending', 'partial amount')}
        </tr>
      </thead>
      <tbody>
        {rows.map(([term, latest, pending]) => (
          <tr key={term} class={!marks || latest === pending ? '' : 'changed'}>
            <th scope="row">{show(term)}</th>
            {marks ? bothCells(latest, pending, (value) => value) : cells('amount', latest, pending)}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type AnsweredProps<Value> = {
  readonly answer: Answer<Value>
  readonly children: (value: Value) => JSX.Element
}

/** The view of an answer, or of what is the matter with it. */
export function Answered<Value>({ answer, children }: AnsweredProps<Value>) {
  if (answer.state === 'waiting') return <p class="muted">Waiting for the chain…</p>
  if (answer.state === 'failed') return <p class="failed">{answer.reason}</p>
  return children(answer.value)
}

type FieldRow = readonly [term: string, value: ComponentChildren]

export function FieldList({ rows }: { rows: readonly FieldRow[] }) {
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
      <summary>{`${label}, ${groupDigits((hex.length - 2) / 2)} bytes`}</summary>
      <code class="long">{hex}</code>
    </details>
  )
}

type ScrollProps = { readonly label: string; readonly children: ComponentChildren }

/** Content that may be wider than its place, and is then scrolled, also by keys. */
export function Scroll({ label, children }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus, keys cannot scroll it (WCAG 2.1.1)
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
