// What the client entries may use of an emulator beyond its public interface. In a file of its own, because those entries
// do not load the chain.

import type { AwaitedInclusion, InclusionOutcome } from '../rpc/events/inclusion-waits.ts'

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
  /** From now on calls that change the state resolve only when clients have stopped asking. */
  readonly waitForClients: () => void
  /** Notes that something moves the clock while clients poll, so that nobody has to be told. */
  readonly expectPolls: () => void
  /** Answers a read of JSON-RPC past all faults; see `look`. */
  readonly look: (method: string, params: readonly unknown[]) => Promise<unknown>
  /**
   * Calls the listener after every command, and when the emulator is disposed of, until the returned function is called.
   */
  readonly watch: (listener: () => void) => () => void
}

/** An emulator as the client entries see it, also through an object around it, such as one that records requests. */
export interface Accessible {
  readonly clientAccess?: ClientAccess
}

/** Refuses what is no emulator, such as the promise of one. */
export function requireEmulator(call: string, emulator: unknown): void {
  const given = emulator as { readonly request?: unknown; readonly settings?: unknown } | null | undefined
  if (typeof given?.request === 'function' && typeof given.settings === 'object') return
  const isPromise = typeof (emulator as { readonly then?: unknown } | null | undefined)?.then === 'function'
  const hint = isPromise ? ', not the promise of one: await createEmulator() first' : ''
  throw new TypeError(`${call} takes an emulator, which createEmulator has made${hint}`)
}

export function accessOf(emulator: object): ClientAccess {
  const { clientAccess } = emulator as Accessible
  if (clientAccess === undefined) throw new TypeError('not an emulator that createEmulator or clone has made')
  return clientAccess
}
