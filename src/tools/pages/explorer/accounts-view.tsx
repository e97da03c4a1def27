// All accounts with balance and nonce, `pending` beside `latest`.

import { AccountLink, Answered, columnHead, Scroll } from './parts.tsx'
import { ifKnown } from './provider-source.ts'
import { amountOf, fieldsIn, hexOf, isFields, listIn, wrongShape } from './shapes.ts'
import type { Ask } from './source.ts'
import { etherText, groupDigits } from './text.ts'
import { useAnswer } from './use-store.ts'

interface Standing {
  readonly balance: bigint
  readonly nonce: bigint
}

interface Listing {
  readonly standings: ReadonlyMap<string, Standing>
  /** True if there are accounts that are not listed. */
  readonly isCut: boolean
}

interface Standings {
  /** The own accounts first. */
  readonly addresses: readonly string[]
  readonly latest: Listing
  readonly pending: Listing
}

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

async function standingsOf(ask: Ask): Promise<Standings> {
  const own = listIn(await ifKnown(ask('eth_accounts', []))).flatMap((each) => hexOf(each) ?? [])
  const latest = (await listing(ask, 'latest')) ?? (await singly(ask, 'latest', own))
  const pending = (await listing(ask, 'pending')) ?? (await singly(ask, 'pending', own))
  const listed = new Set([...latest.standings.keys(), ...pending.standings.keys()])
  const others = [...listed].filter((address) => !own.includes(address)).sort()
  return { addresses: [...own.filter((address) => listed.has(address)), ...others], latest, pending }
}

/** A value in both states, with a mark if it differs. */
function bothCells(latest: bigint, pending: bigint, show: (value: bigint) => string) {
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
