// An account: balance, nonce, code and storage, `pending` beside `latest`.

import type { ComponentChildren } from 'preact'
import { AccountName, Answered, BothHead, Bytes, Scroll } from './parts.tsx'
import { ifKnown } from './provider-source.ts'
import { amountOf, fieldsIn, hexBytesOf, hexOf, isFields, listIn, quantityOf, wrongShape } from './shapes.ts'
import type { Ask } from './source.ts'
import { etherText, groupDigits } from './text.ts'
import { useAnswer } from './use-store.ts'

/** The values of storage by the names of variables, or of slots without one. */
type StorageShape = ReadonlyMap<string, string>

interface AccountShape {
  readonly balance: bigint
  readonly nonce: bigint
  readonly code: string
  /** `undefined` if the provider cannot list it. */
  readonly storage: StorageShape | undefined
}

async function storageOf(ask: Ask, address: string, tag: string): Promise<StorageShape | undefined> {
  const method = 'tickchain_getStorage'
  const slots = await ifKnown(ask(method, [address, tag]))
  if (slots === undefined) return undefined
  if (!Array.isArray(slots)) throw wrongShape(method, 'a list of slots', slots)
  const values = slots.flatMap((each): (readonly [string, string])[] => {
    const { slot, value, variables } = fieldsIn(each)
    const place = hexOf(slot)
    if (place === undefined) throw wrongShape(method, 'a list of slots', each)
    const named = listIn(variables).filter(isFields)
    return named.length === 0
      ? [[place, hexBytesOf(value)]]
      : named.map((variable) => [`${variable['name']}`, `${variable['value']}`])
  })
  return new Map(values)
}

async function accountAt(ask: Ask, address: string, tag: string): Promise<AccountShape> {
  const [balance, nonce, code, storage] = await Promise.all([
    ask('eth_getBalance', [address, tag]),
    ask('eth_getTransactionCount', [address, tag]),
    ask('eth_getCode', [address, tag]),
    storageOf(ask, address, tag),
  ])
  const wei = quantityOf(balance)
  if (wei === undefined) throw wrongShape('eth_getBalance', 'a quantity', balance)
  return { balance: wei, nonce: amountOf(nonce), code: hexBytesOf(code), storage }
}

type Row = readonly [term: string, latest: string, pending: string]

interface BothTableProps {
  readonly rows: readonly Row[]
  readonly show?: (term: string) => ComponentChildren
}

/** A table of both states, which marks differences. */
function BothTable({ rows, show = (term) => term }: BothTableProps) {
  return (
    <table class="both">
      <BothHead />
      <tbody>
        {rows.map(([term, latest, pending]) => (
          <tr key={term} class={latest === pending ? '' : 'changed'}>
            <th scope="row">{show(term)}</th>
            <td class="amount">{latest}</td>
            <td class="amount">
              {latest === pending ? '' : <span class="partial">● </span>}
              {pending}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface BothProps {
  readonly address: string
  readonly latest: AccountShape
  readonly pending: AccountShape
}

function StorageTable({ latest, pending }: BothProps) {
  const [before, after] = [latest.storage, pending.storage]
  if (before === undefined || after === undefined)
    return <p class="muted">The provider has no tickchain_getStorage, which lists storage.</p>
  const names = [...new Set([...before.keys(), ...after.keys()])].sort()
  if (names.length === 0) return <p class="muted">Empty.</p>
  const rows = names.map((name): Row => [name, before.get(name) ?? '–', after.get(name) ?? '–'])
  return (
    <Scroll label="Storage">
      <BothTable rows={rows} show={(name) => <code class="long">{name}</code>} />
    </Scroll>
  )
}

const TERMS: readonly (readonly [term: string, (account: AccountShape) => string])[] = [
  ['Balance, ether', ({ balance }) => etherText(balance)],
  ['Nonce', ({ nonce }) => groupDigits(nonce)],
  ['Code, bytes', ({ code }) => groupDigits((code.length - 2) / 2)],
]

function AccountBody(both: BothProps) {
  const { address, latest, pending } = both
  return (
    <>
      <p>
        <AccountName address={address} /> <code class="long">{address}</code>
      </p>
      <BothTable rows={TERMS.map(([term, of]) => [term, of(latest), of(pending)])} />
      <h3>Storage</h3>
      <StorageTable {...both} />
      <h3>Code</h3>
      {pending.code === '0x' ? <p class="muted">None.</p> : <Bytes hex={pending.code} label="Runtime code" />}
    </>
  )
}

export function AccountView({ address }: { address: string }) {
  const answer = useAnswer(`account ${address}`, (ask) =>
    Promise.all([accountAt(ask, address, 'latest'), accountAt(ask, address, 'pending')]),
  )
  return (
    <Answered answer={answer}>
      {([latest, pending]) => <AccountBody address={address} latest={latest} pending={pending} />}
    </Answered>
  )
}
