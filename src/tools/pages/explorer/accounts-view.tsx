// All accounts with balance and nonce, `pending` beside `latest`.

import { type Standing, type Standings, standingsOf } from './accounts.ts'
import { TransactionsOf } from './history-view.tsx'
import * as ui from './parts.tsx'
import { amountOf, fieldsIn, hexBytesOf, hexOf, isFields, listIn, quantityOf, wrongShape } from './shapes.ts'
import { type Ask, ifKnown } from './source.ts'
import { etherText, groupDigits, readable, shortEther } from './text.ts'

const NONE: Standing = { balance: 0n, nonce: 0n }

function Row({ address, latest, pending }: { address: string; latest: Standing; pending: Standing }) {
  return (
    <tr>
      <th scope="row">
        <ui.AccountLink address={address} />
      </th>
      {ui.bothCells(latest.nonce, pending.nonce, groupDigits)}
      {ui.bothCells(latest.balance, pending.balance, (wei) => shortEther(wei))}
    </tr>
  )
}

function Accounts({ addresses, latest, pending }: Standings) {
  return (
    <>
      <ui.Scroll label="Accounts">
        <table class="list">
          <thead>
            <tr>
              <th scope="col" rowSpan={2}>
                Account
              </th>
              {['Nonce', 'Ether'].map((text) => (
                <th key={text} scope="colgroup" class="amount" colSpan={2}>
                  {text}
                </th>
              ))}
            </tr>
            <tr>
              {[0, 1].map(() => [
                ui.columnHead('latest', 'sealed amount'),
                ui.columnHead('pending', 'partial amount'),
              ])}
            </tr>
          </thead>
          <tbody>
            {addresses.map((address) => {
              const [before, after] = [latest, pending].map(({ standings }) => standings.get(address) ?? NONE)
              return <Row key={address} address={address} latest={before!} pending={after!} />
            })}
          </tbody>
        </table>
      </ui.Scroll>
      {latest.isCut || pending.isCut ? (
        <p class="muted">There may be more accounts: search for an address.</p>
      ) : undefined}
    </>
  )
}

export function AccountsView() {
  const answer = ui.useAnswer('accounts', standingsOf)
  return <ui.Answered answer={answer}>{(standings) => <Accounts {...standings} />}</ui.Answered>
}

/** The values of storage by the names of variables, or of slots without one. */
type StorageShape = ReadonlyMap<string, string>

type AccountShape = Awaited<ReturnType<typeof shownAccount>>

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

export async function shownAccount(ask: Ask, address: string, tag: string) {
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
  const shownIn = (name: string, of: StorageShape): string => readable(of.get(name) ?? '–')
  const rows = names.map((name): ui.BothRow => [name, shownIn(name, before), shownIn(name, after)])
  return (
    <ui.Scroll label="Storage">
      <ui.BothTable rows={rows} show={(name) => <code class="long">{name}</code>} />
    </ui.Scroll>
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
        <ui.AccountName address={address} /> <ui.Copyable text={address} />
      </p>
      <ui.BothTable rows={TERMS.map(([term, of]) => [term, of(latest), of(pending)])} />
      <h3>Transactions</h3>
      <TransactionsOf
        key={address}
        what={`transactions of ${address}`}
        isOf={({ from, to }) => from === address || to === address}
      />
      <h3>Storage</h3>
      <StorageTable {...both} />
      <h3>Code</h3>
      {pending.code === '0x' ? (
        <p class="muted">None.</p>
      ) : (
        <ui.Bytes hex={pending.code} label="Runtime code" />
      )}
    </>
  )
}

export function AccountView({ address }: { address: string }) {
  const answer = ui.useAnswer(`account ${address}`, (ask) =>
    Promise.all([shownAccount(ask, address, 'latest'), shownAccount(ask, address, 'pending')]),
  )
  return (
    <ui.Answered answer={answer}>
      {([latest, pending]) => <AccountBody address={address} latest={latest} pending={pending} />}
    </ui.Answered>
  )
}
