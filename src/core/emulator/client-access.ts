// The client entries' access to an emulator.

import type { Hex } from '../primitives/hex.ts'
import { oneOf } from '../rpc/codecs/basic.ts'
import type { AwaitedInclusion, InclusionOutcome, SubscriptionMessage } from '../rpc/events/waits.ts'
import { readOptions, refuseCall, refuseUnlessEmulator } from './checks.ts'
import type { Provider } from './polling.ts'

export interface ClientAccess {
  /**
   * Waits until the chain includes and confirms a transaction, or one with its nonce. One of the functions is called,
   * before the call that ends the wait resolves; `onFailure` with `undefined` when the time is over.
   */
  readonly waitForInclusion: (
    asked: AwaitedInclusion,
    onInclusion: (outcome: InclusionOutcome) => void,
    onFailure: (error: unknown) => void,
  ) => void
  /** Notes that a client waits without polling; returns a function to call when the wait is over. */
  readonly noteWait: (hash: string) => () => void
  /** From now on calls that change the state resolve only when clients have stopped asking. */
  readonly waitForClients: () => void
  /** Notes that something moves the clock while clients poll, so that nobody has to be told. */
  readonly expectPolls: () => void
  /** Answers a read of JSON-RPC past all faults; see `look`. */
  readonly look: (method: string, params: readonly unknown[]) => Promise<unknown>
  /** Calls the listener after every command, and at the end, until the returned function is called. */
  readonly watch: (listener: () => void) => () => void
}

/** An emulator as the client entries see it, also through an object around it, such as one that records requests. */
export interface Accessible {
  readonly clientAccess?: ClientAccess
}

/** False for a value that cannot be read. */
export function hasRequest(provider: unknown): provider is Provider {
  try {
    return typeof (Object(provider) as { readonly request?: unknown }).request === 'function'
  } catch {
    return false
  }
}

export function accessOf(call: string, emulator: object): ClientAccess {
  refuseUnlessEmulator(call, emulator)
  const { clientAccess } = emulator as Accessible
  return clientAccess ?? refuseCall(call, 'an emulator that createEmulator or clone has made', emulator)
}

const READS = { reads: oneOf(['pending', 'latest']) }

/** The option `reads` of a client; throws `invalidOption` for anything else. */
export function readsOption(options: unknown): 'pending' | 'latest' | undefined {
  return readOptions(options, READS).reads
}

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
