// The difference of two instants: balances, nonces, code, storage by name, and the pool.

import { standingsOf } from './accounts.ts'
import { shownAccount } from './accounts-view.tsx'
import { waitingIn } from './block-view.tsx'
import { AccountLink, Answered, cells, Table, useAnswer, useStore } from './parts.tsx'
import type { Ask } from './source.ts'
import { abbreviateHex, countText, etherText, groupDigits, readable } from './text.ts'

interface Change {
  /** `undefined` for the pool. */
  readonly address: string | undefined
  readonly what: string
  readonly before: string
  readonly after: string
}

/** An account at an instant, as terms with their values. */
async function termsOf(ask: Ask, address: string): Promise<Map<string, string>> {
  const { balance, nonce, code, storage } = await shownAccount(ask, address, 'pending')
  const bytes = (code.length - 2) / 2
  return new Map([
    ['Balance, ether', etherText(balance)],
    ['Nonce', groupDigits(nonce)],
    ['Code', bytes === 0 ? 'none' : `${countText(bytes, 'byte')}, ${abbreviateHex(code)}`],
    ...[...(storage ?? [])].map(([name, value]) => [name, readable(value)] as const),
  ])
}

async function accountChanges(from: Ask, to: Ask, address: string): Promise<Change[]> {
  const [before, after] = await Promise.all([termsOf(from, address), termsOf(to, address)])
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((what) => {
    const [was, is] = [before.get(what) ?? '–', after.get(what) ?? '–']
    return was === is ? [] : [{ address, what, before: was, after: is }]
  })
}

async function poolChanges(from: Ask, to: Ask): Promise<Change[]> {
  const pooledIn = async (ask: Ask) => new Set((await waitingIn(ask)).map((each) => each.transaction.hash))
  const [before, after] = await Promise.all([pooledIn(from), pooledIn(to)])
  const told = (set: ReadonlySet<string>, hash: string): string => (set.has(hash) ? 'waits' : '–')
  const hashes = [...new Set([...before, ...after])].filter((hash) => before.has(hash) !== after.has(hash))
  return hashes.map((hash) => {
    return { address: undefined, what: hash, before: told(before, hash), after: told(after, hash) }
  })
}

async function differenceOf(from: Ask, to: Ask): Promise<Change[]> {
  const [before, after] = await Promise.all([standingsOf(from), standingsOf(to)])
  const addresses = [...new Set([...before.addresses, ...after.addresses])]
  const ofAccounts = await Promise.all(addresses.map((address) => accountChanges(from, to, address)))
  const all = [...ofAccounts.flat(), ...(await poolChanges(from, to))]
  // Slots without a name, such as those of system contracts, come last.
  const isNamed = ({ what }: Change): boolean => !what.startsWith('0x')
  return [...all.filter(isNamed), ...all.filter((each) => !isNamed(each))]
}

/** A text with hex in short, and names without their addresses. */
const shortText = (text: string): string =>
  text.replace(/: \[0x[\da-f]{40}\]/gi, '').replace(/0x[\da-f]+/gi, abbreviateHex)

export function DifferenceView({ pins }: { pins: string }) {
  const { history } = useStore().source
  const answer = useAnswer(`difference ${pins}`, async () => {
    const [from = 0, to = 0] = pins.split('-').map(Number)
    if (history === undefined) throw new Error('the past of a provider is not known')
    return differenceOf(await history.at(from), await history.at(to))
  })
  return (
    <Answered answer={answer}>
      {(changes) => (
        <Table label="Difference" heads={['Account', 'What', 'A', 'B']} none="Nothing differs.">
          {changes.map(({ address, what, before, after }) => (
            <tr key={`${address} ${what}`}>
              {cells(undefined, address === undefined ? 'Pool' : <AccountLink address={address} />)}
              {cells(undefined, <code title={what}>{shortText(what)}</code>)}
              {cells('amount', ...[before, after].map((text) => <span title={text}>{shortText(text)}</span>))}
            </tr>
          ))}
        </Table>
      )}
    </Answered>
  )
}
