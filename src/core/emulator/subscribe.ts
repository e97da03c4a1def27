// Subscription for client libraries: one listener that gets every message from the first on.

import type { Hex } from '../primitives/hex.ts'
import type { SubscriptionMessage } from '../rpc/events/subscriptions.ts'
import type { Provider } from './polling.ts'

/** Subscribes with the parameters of eth_subscribe; `hear` gets the results of this subscription only. */
export async function subscribe(
  chain: Provider,
  params: readonly unknown[],
  hear: (result: unknown, id: Hex) => void,
) {
  let id: Hex | undefined
  // Messages may arrive before the id is known.
  const early: SubscriptionMessage['data'][] = []
  const listener = ({ data }: SubscriptionMessage): void => {
    if (id === undefined) early.push(data)
    else if (data.subscription === id) hear(data.result, id)
  }
  chain.on('message', listener)
  try {
    id = (await chain.request('eth_subscribe' as string, params)) as Hex
  } catch (error) {
    chain.removeListener('message', listener)
    throw error
  }
  for (const data of early.splice(0)) listener({ type: 'eth_subscription', data })
  const known = id
  return {
    id,
    /** Ends it; resolves to false if it has ended already. */
    end() {
      chain.removeListener('message', listener)
      return chain.request({ method: 'eth_unsubscribe', params: [known] })
    },
  }
}
