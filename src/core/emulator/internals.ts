// Internals of an emulator, for parts of the package that need more than its public interface.

import type { NodeEvent } from '../node/events.ts'
import { readArgument } from '../primitives/errors.ts'
import type { Predeploy } from '../rollup/predeploys.ts'
import { hash } from '../rpc/codecs/basic.ts'
import { numberFrom } from '../rpc/codecs/codec.ts'
import { readUnobserved } from '../rpc/dispatch.ts'
import { expectPolls } from '../rpc/events/stalled-waits.ts'
import type { InclusionWait } from '../rpc/events/waits.ts'
import { outcomeWith } from '../rpc/method.ts'
import type { Session } from '../rpc/session.ts'
import { argument, refuseCall } from './checks.ts'
import type { Accessible, ClientAccess } from './client-access.ts'

export interface Internals {
  readonly session: Session
  readonly predeploys: readonly Predeploy[]
  /** Called with every event of the node; one event may stand for a million blocks. */
  readonly watchers: Set<(event: NodeEvent) => void>
  readonly endings: Set<() => void>
  /** For a layer of a pair: the state of its roles beside the states of the layers. */
  roles?: () => unknown
}

/** A property: a WeakMap would keep what belongs to a clone until a full garbage collection. */
const INTERNALS = Symbol('internals')

const unreported = new WeakSet<object>()

/** Leaves an emulator out of reports: a test works on a clone of it, or it was made only to be read. */
export function leaveUnreported(emulator: object): void {
  unreported.add(emulator)
}

export function isUnreported(emulator: object): boolean {
  return unreported.has(emulator)
}

type MadeListener = (emulator: object, handle: object, name: string) => void

let onMade: MadeListener | undefined

/** Sets who is told of every emulator, clone and handle, such as a pair's, that is made from now on. */
export function onEmulatorMade(listener: MadeListener): void {
  onMade = listener
}

/** Announces an object whose functions act on an emulator. */
export function announceHandle(emulator: object, handle: object, name = ''): void {
  onMade?.(emulator, handle, name)
}

export function keepInternals(emulator: object, kept: Internals): void {
  // Configurable, because a proxy that wraps all that it hands out may not wrap the value of a fixed property.
  Object.defineProperty(emulator, INTERNALS, { value: kept, configurable: true })
  // The access of the client entries, not enumerable, because it is no part of the interface.
  const value: Accessible['clientAccess'] = accessTo(kept)
  Object.defineProperty(emulator, 'clientAccess', { value })
  announceHandle(emulator, emulator)
}

/** Throws `invalidCall` for objects that `createEmulator` did not create, such as a copy. */
export function internalsOf(call: string, emulator: object): Internals {
  const isObject = typeof emulator === 'object' && emulator !== null
  const keptOf = () => (emulator as { readonly [INTERNALS]?: Internals })[INTERNALS]
  const kept = isObject ? readArgument(call, 'an emulator', keptOf) : undefined
  if (kept !== undefined) return kept
  const isOfOtherCopy = isObject && 'clientAccess' in emulator
  const maker = `createEmulator or clone${isOfOtherCopy ? ' of this copy of tickchain' : ''} has made`
  const hint = isOfOtherCopy ? ' (import and require load a copy each)' : ''
  return refuseCall(call, `an emulator that ${maker}${hint}`, emulator)
}

function accessTo({ session, watchers, endings }: Internals): ClientAccess {
  return {
    waitForInclusion(asked, onInclusion, onFailure) {
      const call = 'waitForTransactionReceipt'
      const { confirmations, timeoutMs } = asked
      const whole = typeof confirmations === 'number' ? Math.ceil(confirmations) : confirmations
      const isTime = timeoutMs === undefined || (typeof timeoutMs === 'number' && timeoutMs >= 0)
      if (!isTime) refuseCall(call, 'a timeout in milliseconds, from 0', timeoutMs)
      let end = (): void => {}
      const wait: InclusionWait = {
        awaited: {
          ...asked,
          hash: argument(call, 'hash', asked.hash, hash),
          confirmations: Math.max(1, argument(call, 'confirmations', whole, numberFrom(0))),
        },
        shownAs: { flavor: 'anvil', pendingIdentity: session.options.pendingIdentity },
        resolve(outcome) {
          end()
          // A callback that throws fails its wait, and not the call that ends it.
          try {
            onInclusion(outcome)
          } catch (error) {
            onFailure(error)
          }
        },
        reject(error) {
          end()
          onFailure(error)
        },
        transaction: undefined,
        deadlineMs: undefined,
      }
      // It begins with its first look at the chain.
      const begin = () => {
        session.inclusionWaits.add(wait)
        end = session.stalledWaits.noteWait(wait.awaited.hash)
      }
      session.node.execute((state) => outcomeWith(state, undefined, begin)).catch(onFailure)
    },
    noteWait: (waited) => session.stalledWaits.noteWait(argument('waitForTransaction', 'hash', waited, hash)),
    waitForClients() {
      session.node.waitsForClients = true
    },
    expectPolls: () => expectPolls(session.node),
    look: (method, params) => readUnobserved(session, method, params),
    watch(listener) {
      const watcher = ({ type }: NodeEvent): void => {
        if (type === 'committed') listener()
      }
      watchers.add(watcher)
      endings.add(listener)
      return () => {
        watchers.delete(watcher)
        endings.delete(listener)
      }
    },
  }
}
