// All accounts with balance and nonce, `pending` beside `latest`.

import type { ComponentChildren } from 'preact'
import {
  AccountLink,
  AccountName,
  Answered,
  BothHead,
  Bytes,
  columnHead,
  Scroll,
  useAnswer,
} from './parts.tsx'
import { amountOf, fieldsIn, hexBytesOf, hexOf, isFields, listIn, quantityOf, wrongShape } from './shapes.ts'
import { type Ask, ifKnown } from './source.ts'
import { etherText, groupDigits } from './text.ts'

interface Standing {
  readonly balance: bigint
  readonly nonce: bigint
}

interface Listing {
  readonly standings: ReadonlyMap<string, Standing>
  /** True if there are accounts that are not listed. */
  readonly isCut: boolean
}

type Standings = Awaited<ReturnType<typeof standingsOf>>

const MOST = 256
const NONE: Standing = { balance: 0n, nonce: 0n }

/** The first accounts of a state; `undefined` if the node lists none. */
async function listing(ask: Ask, tag: string): Promise<Listing | undefined> {
  const method = 'debug_accountRange'
  const answer = await ifKnown(ask(method, [tag, '0x', MOST, true, true]))
  if (answer === undefined) return undefined
  const { accounts, next } = fieldsIn(answer)
  if (!isFields(accounts)) throw wrongShape(method, 'a list of accounts', answer)
  const standings = Object.entries(accounts).map(([address, account]) => {
    const { balance, nonce } = fieldsIn(account)
    if (!/^\d+$/.test(`${balance}`)) throw wrongShape(method, 'an account', account)
    return [address.toLowerCase(), { balance: BigInt(`${balance}`), nonce: BigInt(Number(nonce)) }] as const
  })
  return { standings: new Map(standings), isCut: next !== undefined && next !== null }
}

/** Single accounts, where a node lists none. */
async function singly(ask: Ask, tag: string, addresses: readonly string[]): Promise<Listing> {
  const standings = addresses.map(async (address) => {
    const [balance, nonce] = await Promise.all([
      ask('eth_getBalance', [address, tag]),
      ask('eth_getTransactionCount', [address, tag]),
    ])
    return [address, { balance: amountOf(balance), nonce: amountOf(nonce) }] as const
  })
  return { standings: new Map(await Promise.all(standings)), isCut: true }
}

/** Accounts, the own ones first. */
async function standingsOf(ask: Ask) {
  const own = listIn(await ifKnown(ask('eth_accounts', []))).flatMap((each) => hexOf(each) ?? [])
  const latest = (await listing(ask, 'latest')) ?? (await singly(ask, 'latest', own))
  const pending = (await listing(ask, 'pending')) ?? (await singly(ask, 'pending', own))
  const listed = new Set([...latest.standings.keys(), ...pending.standings.keys()])
  const others = [...listed].filter((address) => !own.includes(address)).sort()
  return { addresses: [...own.filter((address) => listed.has(address)), ...others], latest, pending }
}

/** A value in both states, with a mark if it differs. */
function bothCells<Value>(latest: Value, pending: Value, show: (value: Value) => string) {
  return [
    <td key="latest" class="amount">
      {show(latest)}
    </td>,
    <td key="pending" class="amount">
      {latest === pending ? '' : <span class="partial">● </span>}
      {show(pending)}
    </td>,
  ]
}

function Row({ address, latest, pending }: { address: string; latest: Standing; pending: Standing }) {
  return (
    <tr>
      <th scope="row">
        <AccountLink address={address} />
      </th>
      {bothCells(latest.nonce, pending.nonce, groupDigits)}
      {bothCells(latest.balance, pending.balance, etherText)}
    </tr>
  )
}

function groupHead(text: string) {
  return (
    <th scope="colgroup" colSpan={2}>
      {text}
    </th>
  )
}

function Accounts({ addresses, latest, pending }: Standings) {
  return (
    <>
      <Scroll label="Accounts">
        <table class="list">
          <thead>
            <tr>
              <th scope="col" rowSpan={2}>
                Account
              </th>
              {groupHead('Nonce')}
              {groupHead('Ether')}
            </tr>
            <tr>{[0, 1].map(() => [columnHead('latest', 'sealed'), columnHead('pending', 'partial')])}</tr>
          </thead>
          <tbody>
            {addresses.map((address) => {
              const [before, after] = [latest, pending].map(({ standings }) => standings.get(address) ?? NONE)
              return <Row key={address} address={address} latest={before!} pending={after!} />
            })}
          </tbody>
        </table>
      </Scroll>
      {latest.isCut || pending.isCut ? (
        <p class="muted">There may be more accounts: search for an address.</p>
      ) : undefined}
    </>
  )
}

export function AccountsView() {
  const answer = useAnswer('accounts', standingsOf)
  return <Answered answer={answer}>{(standings) => <Accounts {...standings} />}</Answered>
}

/** The values of storage by the names of variables, or of slots without one. */
type StorageShape = ReadonlyMap<string, string>

type AccountShape = Awaited<ReturnType<typeof accountAt>>

/** The storage; `undefined` if the provider cannot list it. */
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

async function accountAt(ask: Ask, address: string, tag: string) {
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
            {bothCells(latest, pending, (value) => value)}
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
