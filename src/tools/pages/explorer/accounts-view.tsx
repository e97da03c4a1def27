// All accounts with balance and nonce, `pending` beside `latest`.

import type { JSX } from 'preact'
import { AccountLink, Answered, Scroll } from './parts.tsx'
import { isUnknownMethod } from './provider-source.ts'
import { hexOf, isFields, quantityOf, wrongShape } from './shapes.ts'
import { etherText, groupDigits } from './text.ts'
import { type Ask, useAnswer } from './use-store.ts'

interface Standing {
  readonly balance: bigint
  readonly nonce: bigint
}

interface Standings {
  /** The own accounts first. */
  readonly addresses: readonly string[]
  readonly latest: ReadonlyMap<string, Standing>
  readonly pending: ReadonlyMap<string, Standing>
  /** Whether there are accounts that are not listed. */
  readonly isCut: boolean
}

const MOST = 256
const NONE: Standing = { balance: 0n, nonce: 0n }

interface Listing {
  readonly standings: Map<string, Standing>
  readonly isCut: boolean
}

/** The first accounts of a state. */
async function listing(ask: Ask, tag: string): Promise<Listing> {
  const method = 'debug_accountRange'
  const answer = await ask(method, [tag, '0x', MOST, true, true])
  const accounts = isFields(answer) ? answer['accounts'] : undefined
  if (!isFields(answer) || !isFields(accounts)) throw wrongShape(method, 'a list of accounts', answer)
  const standings = Object.entries(accounts).map(([address, account]) => {
    const { balance, nonce } = isFields(account) ? account : {}
    if (!/^\d+$/.test(`${balance}`)) throw wrongShape(method, 'an account', account)
    return [address.toLowerCase(), { balance: BigInt(`${balance}`), nonce: BigInt(Number(nonce)) }] as const
  })
  return { standings: new Map(standings), isCut: answer['next'] !== undefined && answer['next'] !== null }
}

/** Single accounts, where a node lists none. */
async function singly(ask: Ask, tag: string, addresses: readonly string[]): Promise<Listing> {
  const standings = await Promise.all(
    addresses.map(async (address) => {
      const [balance, nonce] = await Promise.all([
        ask('eth_getBalance', [address, tag]),
        ask('eth_getTransactionCount', [address, tag]),
      ])
      return [address, { balance: quantityOf(balance) ?? 0n, nonce: quantityOf(nonce) ?? 0n }] as const
    }),
  )
  return { standings: new Map(standings), isCut: true }
}

async function ownAccounts(ask: Ask): Promise<string[]> {
  try {
    const accounts = await ask('eth_accounts', [])
    return Array.isArray(accounts) ? accounts.flatMap((each) => hexOf(each) ?? []) : []
  } catch (error) {
    if (isUnknownMethod(error)) return []
    throw error
  }
}

async function standingsOf(ask: Ask): Promise<Standings> {
  const own = await ownAccounts(ask)
  const both = async (list: (tag: string) => Promise<Listing>): Promise<readonly [Listing, Listing]> => [
    await list('latest'),
    await list('pending'),
  ]
  let found: readonly [Listing, Listing]
  try {
    found = await both((tag) => listing(ask, tag))
  } catch (error) {
    if (!isUnknownMethod(error)) throw error
    found = await both((tag) => singly(ask, tag, own))
  }
  const [latest, pending] = found
  const listed = new Set([...latest.standings.keys(), ...pending.standings.keys()])
  const others = [...listed].filter((address) => !own.includes(address)).sort()
  return {
    addresses: [...own.filter((address) => listed.has(address)), ...others],
    latest: latest.standings,
    pending: pending.standings,
    isCut: latest.isCut || pending.isCut,
  }
}

function Row({
  address,
  latest,
  pending,
}: {
  readonly address: string
  readonly latest: Standing
  readonly pending: Standing
}): JSX.Element {
  const mark = <span class="partial">● </span>
  return (
    <tr>
      <th scope="row">
        <AccountLink address={address} />
      </th>
      <td class="amount">{groupDigits(latest.nonce)}</td>
      <td class="amount">
        {latest.nonce === pending.nonce ? '' : mark}
        {groupDigits(pending.nonce)}
      </td>
      <td class="amount">{etherText(latest.balance)}</td>
      <td class="amount">
        {latest.balance === pending.balance ? '' : mark}
        {etherText(pending.balance)}
      </td>
    </tr>
  )
}

function Table({ addresses, latest, pending, isCut }: Standings): JSX.Element {
  return (
    <>
      <Scroll label="Accounts">
        <table class="list">
          <thead>
            <tr>
              <th scope="col" rowSpan={2}>
                Account
              </th>
              <th scope="colgroup" colSpan={2}>
                Nonce
              </th>
              <th scope="colgroup" colSpan={2}>
                Ether
              </th>
            </tr>
            <tr>
              {['nonce', 'ether'].flatMap((what) => [
                <th key={`latest ${what}`} scope="col" class="sealed">
                  latest
                </th>,
                <th key={`pending ${what}`} scope="col" class="partial">
                  pending
                </th>,
              ])}
            </tr>
          </thead>
          <tbody>
            {addresses.map((address) => (
              <Row
                key={address}
                address={address}
                latest={latest.get(address) ?? NONE}
                pending={pending.get(address) ?? NONE}
              />
            ))}
          </tbody>
        </table>
      </Scroll>
      {isCut ? <p class="muted">There may be more accounts: search for an address.</p> : undefined}
    </>
  )
}

export function AccountsView(): JSX.Element {
  const answer = useAnswer('accounts', standingsOf)
  return <Answered answer={answer}>{(standings) => <Table {...standings} />}</Answered>
}
