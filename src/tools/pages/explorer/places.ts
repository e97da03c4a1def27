// The places of an explorer, as addresses of the page and as what a text names.

import { standingsOf } from './accounts.ts'
import { fieldsIn, hexOf, isFields, numberOf } from './shapes.ts'
import { isSamePlace, type Place, type Store } from './store.ts'

const PREFIX = '#explorer/'

/** The fragment of an address, such as `#explorer/block/3`. */
function fragmentOf(place: Place): string {
  const [kind, value] = Object.values(place)
  return `${PREFIX}${kind}${value === undefined ? '' : `/${value}`}`
}

/** The place of a fragment; `undefined` for one of somebody else. */
function placeOfFragment(fragment: string): Place | undefined {
  if (!fragment.startsWith(PREFIX)) return undefined
  const [kind, value = ''] = fragment.slice(PREFIX.length).split('/')
  const hex = hexOf(value)
  if (kind === 'difference' && /^\d+-\d+$/.test(value)) return { kind, pins: value }
  if (kind === 'accounts' || kind === 'pool') return { kind }
  if (kind === 'block' && /^\d+$/.test(value)) return { kind, number: Number(value) }
  if (hex === undefined) return undefined
  if (kind === 'orphan' || kind === 'transaction') return { kind, hash: hex }
  if (kind === 'account') return { kind, address: hex }
  return kind === 'search' ? { kind, hex } : undefined
}

function blockPlace({ view }: Store, number: number): Place | undefined {
  const { overview } = view()
  const isThere = overview !== undefined && number >= overview.earliest && number <= overview.pending.number
  return isThere ? { kind: 'block', number } : undefined
}

/** The place of a transaction, a block, a block that is gone with its transactions, or a topic. */
async function hashPlace({ asker, view }: Store, hash: string): Promise<Place | undefined> {
  const transaction = await asker.ask('eth_getTransactionByHash', [hash])
  if (isFields(transaction)) return { kind: 'transaction', hash }
  const number = numberOf(fieldsIn(await asker.ask('eth_getBlockByHash', [hash, false]))['number'])
  if (number !== undefined) return { kind: 'block', number }
  const { orphans } = view()
  if (orphans.some((block) => block.hash === hash)) return { kind: 'orphan', hash }
  if (orphans.some(({ transactions }) => transactions.some((each) => each.hash === hash)))
    return { kind: 'transaction', hash }
  const logs = await asker.ask('eth_getLogs', [{ fromBlock: 'earliest', toBlock: 'pending', topics: [hash] }])
  return Array.isArray(logs) && logs.length > 0 ? { kind: 'search', hex: hash } : undefined
}

/** The account with a name or a label: this one, or else one that begins so. */
async function namedPlace({ asker, names }: Store, text: string): Promise<Place | undefined> {
  const { addresses } = await standingsOf(asker.ask)
  const wanted = text.toLowerCase()
  const named = await Promise.all(
    addresses.map(async (address) => {
      const { name, contract } = await names(address)
      return { address, texts: [name, contract].flatMap((each) => each?.toLowerCase() ?? []) }
    }),
  )
  const found =
    named.find(({ texts }) => texts.includes(wanted)) ??
    named.find(({ texts }) => texts.some((each) => each.startsWith(wanted)))
  return found && { kind: 'account', address: found.address }
}

/** Finds the place that a text names; `undefined` if the chain does not have it. */
export async function placeOfText(store: Store, text: string): Promise<Place | undefined> {
  const { overview } = store.view()
  if (/^\d+$/.test(text)) return blockPlace(store, Number(text))
  if (overview !== undefined && (text === 'latest' || text === 'pending'))
    return { kind: 'block', number: overview[text].number }
  const hex = hexOf(text)
  if (hex?.length === 66) return hashPlace(store, hex)
  if (hex?.length === 42) return { kind: 'account', address: hex }
  if (hex?.length === 10) return { kind: 'search', hex }
  const number = numberOf(text)
  if (number !== undefined && Number.isSafeInteger(number)) return blockPlace(store, number)
  return namedPlace(store, text)
}

/** The place that the address of a page names; without one, the accounts. */
export function addressedPlace(window: Window | null): Place {
  return placeOfFragment(window?.location.hash ?? '') ?? { kind: 'accounts' }
}

/** Lets the address of a page follow the explorer, and the explorer the address; returns the function that ends it. */
export function followAddress(store: Store, window: Window): () => void {
  const isAddressed = (): boolean => isSamePlace(addressedPlace(window), store.view().place)
  const read = (): void => {
    if (!isAddressed()) store.revisit(addressedPlace(window))
  }
  const write = (): void => {
    if (!isAddressed()) window.location.hash = fragmentOf(store.view().place)
  }
  window.addEventListener('hashchange', read)
  const stop = store.listen(write)
  return () => {
    window.removeEventListener('hashchange', read)
    stop()
  }
}
