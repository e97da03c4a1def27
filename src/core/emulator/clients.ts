// What client libraries may use of an emulator beyond its public interface.

import { unchanged } from '../node/events.ts'
import { hash } from '../rpc/codecs/basic.ts'
import { numberFrom } from '../rpc/codecs/numbers.ts'
import { look } from '../rpc/dispatch.ts'
import type { InclusionWait } from '../rpc/events/inclusion-waits.ts'
import { expectPolls } from '../rpc/events/stalled-waits.ts'
import type { Session } from '../rpc/session.ts'
import { argument } from './checks.ts'
import type { Accessible, ClientAccess } from './client-access.ts'
import type { Internals } from './internals.ts'

type Watcher = Internals['watchers'] extends Set<infer Each> ? Each : never

/** Begins a wait with its first look at the chain. */
function begin({ node, inclusionWaits }: Session, wait: InclusionWait): void {
  node
    .execute((state) => ({ ...unchanged(state), effects: [() => inclusionWaits.add(wait)] }))
    .catch(wait.reject)
}

function accessTo({ session, watchers, endings }: Internals): ClientAccess {
  return {
    waitForInclusion(asked, onInclusion, onFailure) {
      const call = 'waitForTransactionReceipt'
      const confirmations = Math.ceil(asked.confirmations)
      begin(session, {
        awaited: {
          ...asked,
          hash: argument(call, 'hash', asked.hash, hash),
          confirmations: argument(call, 'confirmations', confirmations, numberFrom(0)),
        },
        identity: session.options.pendingIdentity,
        resolve(outcome) {
          // A callback that throws fails its wait, and not the call that ends it.
          try {
            onInclusion(outcome)
          } catch (error) {
            onFailure(error)
          }
        },
        reject: onFailure,
        transaction: undefined,
        deadlineMs: undefined,
      })
    },
    waitForClients() {
      session.node.waitsForClients = true
    },
    expectPolls: () => expectPolls(session.node),
    look: (method, params) => look(session, method, params),
    watch(listener) {
      const watcher: Watcher = ({ type }) => {
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

/** Gives the client entries access to an emulator; not enumerable, because it is no part of its interface. */
export function keepAccess(emulator: object, internals: Internals): void {
  const value: Accessible['clientAccess'] = accessTo(internals)
  Object.defineProperty(emulator, 'clientAccess', { value })
}
