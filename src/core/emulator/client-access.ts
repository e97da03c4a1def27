// The client entries' access to an emulator. A file of its own, because those entries do not load the chain.

import type { Hex } from '../primitives/hex.ts'
import type { AwaitedInclusion, InclusionOutcome, SubscriptionMessage } from '../rpc/events/waits.ts'
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

/** True if a value has what the client entries use; false for one that cannot be read. */
function has(emulator: unknown, holds: (of: Record<string, unknown>) => boolean): boolean {
  try {
    return holds(Object(emulator) as Record<string, unknown>)
  } catch {
    return false
  }
}

export function hasRequest(provider: unknown): boolean {
  return has(provider, (of) => typeof of['request'] === 'function')
}

/** Refuses what is no emulator. Not with the error class of the library, which is loaded with the chain. */
export function requireEmulator(call: string, emulator: unknown): void {
  if (has(emulator, (of) => typeof of['request'] === 'function' && typeof of['settings'] === 'object')) return
  const isPromise = has(emulator, (of) => typeof of['then'] === 'function')
  const hint = isPromise ? ', not the promise of one: await createEmulator() first' : ''
  throw new TypeError(`${call} takes an emulator, which createEmulator has made${hint}`)
}

export function accessOf(call: string, emulator: object): ClientAccess {
  requireEmulator(call, emulator)
  const { clientAccess } = emulator as Accessible
  if (clientAccess !== undefined) return clientAccess
  throw new TypeError(`${call} takes an emulator that createEmulator or clone has made`)
}

/** The option `reads` of a client; throws a TypeError for any other value or option, or options that cannot be read. */
export function readsOption(call: string, options: object): 'pending' | 'latest' | undefined {
  const refuse = (got: string): never => {
    throw new TypeError(`${call} takes options such as { reads: 'pending' } or { reads: 'latest' }${got}`)
  }
  if (options === null) refuse('')
  const optionsRead = (): { reads?: unknown } => {
    try {
      return { ...options }
    } catch {
      return refuse('')
    }
  }
  const { reads, ...others } = optionsRead()
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) refuse(`, got the unknown option ${unknown}`)
  if (reads === undefined || reads === 'pending' || reads === 'latest') return reads
  return refuse(`, got ${typeof reads === 'string' ? `'${reads}'` : `a ${typeof reads}`}`)
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
