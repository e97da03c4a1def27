// What is behind an emulator, for what stands beside it in the package and looks further than its surface allows:
// matchers, which no fault may mislead, and the timeline, which must not be an audience to the chain.

import type { NodeEvent } from '../node/events.ts'
import type { Session } from '../rpc/session.ts'
import { refuseArgument } from './controls/arguments.ts'

export interface Inside {
  readonly session: Session
  /** Told of every event as it comes out of the node: one may stand for a million blocks. */
  readonly watchers: Set<(event: NodeEvent) => void>
}

const insides = new WeakMap<object, Inside>()

export function keepInside(emulator: object, inside: Inside): void {
  insides.set(emulator, inside)
}

/** Throws `invalidCall` for what `createEmulator` has not made, such as a copy. */
export function insideOf(call: string, emulator: object): Inside {
  const isObject = typeof emulator === 'object' && emulator !== null
  const inside = isObject ? insides.get(emulator) : undefined
  return inside ?? refuseArgument(call, 'an emulator that createEmulator or clone has made', emulator)
}
