// The field that finds a block, a transaction or an account.

import { useState } from 'preact/hooks'
import { fieldsIn, hexOf, isFields, numberOf } from './shapes.ts'
import type { Place, Store } from './store.ts'
import { useStore } from './use-store.ts'

/** The block with a number. */
function blockPlace({ view }: Store, number: number): Place | undefined {
  const { overview } = view()
  const isThere = overview !== undefined && number >= overview.earliest && number <= overview.pending.number
  return isThere ? { kind: 'block', number } : undefined
}

/** The transaction or the block with a hash. */
async function hashPlace({ asker }: Store, hash: string): Promise<Place | undefined> {
  const transaction = await asker.ask('eth_getTransactionByHash', [hash])
  if (isFields(transaction)) return { kind: 'transaction', hash }
  const number = numberOf(fieldsIn(await asker.ask('eth_getBlockByHash', [hash, false]))['number'])
  return number === undefined ? undefined : { kind: 'block', number }
}

/** Finds the place that a text names; `undefined` if the chain does not have it. Throws for a text that names nothing. */
async function placeOf(store: Store, text: string): Promise<Place | undefined> {
  const { overview } = store.view()
  if (/^\d+$/.test(text)) return blockPlace(store, Number(text))
  if (overview !== undefined && (text === 'latest' || text === 'pending'))
    return { kind: 'block', number: overview[text].number }
  const hex = hexOf(text)
  if (hex?.length === 66) return hashPlace(store, hex)
  if (hex?.length === 42) return { kind: 'account', address: hex }
  const number = numberOf(text)
  if (number !== undefined && Number.isSafeInteger(number)) return blockPlace(store, number)
  throw new Error('expected a hash, an address or the number of a block')
}

export function Search() {
  const store = useStore()
  const [text, setText] = useState('')
  const onSubmit = async (): Promise<void> => {
    const wanted = text.trim()
    if (wanted === '') return
    await store.command('Search', async () => {
      const place = await placeOf(store, wanted)
      if (place === undefined) throw new Error(`the chain has nothing with ${wanted}`)
      store.open(place)
    })
  }
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void onSubmit()
        }}
      >
        <label>
          <span class="label">Search</span>
          <input
            type="search"
            placeholder="Hash, address or block number"
            spellcheck={false}
            autocomplete="off"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <button type="submit">Find</button>
      </form>
    </search>
  )
}
