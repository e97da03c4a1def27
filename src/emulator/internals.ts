// Internals of an emulator, for parts of the package that need more than its public interface: the matchers, which must
// read past injected faults, and the timeline, which must not count as a listener.

import type { NodeEvent } from '../node/events.ts'
import type { Session } from '../rpc/session.ts'
import { refuseCall } from './checks.ts'

export interface Internals {
  readonly session: Session
  /** Called with every event of the node; one event may stand for a million blocks. */
  readonly watchers: Set<(event: NodeEvent) => void>
  /** Of a layer of a pair: what its roles know beside the states of the layers. */
  roles?: () => unknown
}

const internals = new WeakMap<object, Internals>()

export function keepInternals(emulator: object, kept: Internals): void {
  internals.set(emulator, kept)
}

/** Throws `invalidCall` for objects that `createEmulator` did not create, such as a copy. */
export function internalsOf(call: string, emulator: object): Internals {
  const isObject = typeof emulator === 'object' && emulator !== null
  const kept = isObject ? internals.get(emulator) : undefined
  return kept ?? refuseCall(call, 'an emulator that createEmulator or clone has made', emulator)
}
