// Hooks of the views: the store, and answers of the chain.

import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { Ask } from './source.ts'
import type { Store } from './store.ts'
import { reasonText } from './text.ts'

export const StoreContext = createContext<Store | undefined>(undefined)

export function useStore(): Store {
  const store = useContext(StoreContext)
  if (store === undefined) throw new Error('a view is outside of an explorer')
  return store
}

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
