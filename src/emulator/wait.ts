// Wait for the inclusion of a transaction, for client libraries.

import { unchanged } from '../node/events.ts'
import { hash } from '../rpc/codecs/basic.ts'
import type { AwaitedInclusion, InclusionOutcome, InclusionWait } from '../rpc/events/inclusion-waits.ts'
import { argument } from './checks.ts'
import type { Emulator } from './emulator.ts'
import { internalsBehind } from './internals.ts'

/**
 * Waits until the chain includes and confirms a transaction, or one with its nonce. One of the functions is called,
 * before the call that ends the wait resolves; `onFailure` with `undefined` when the time is over.
 */
export function waitForInclusion(
  chain: Emulator,
  asked: AwaitedInclusion,
  onInclusion: (outcome: InclusionOutcome) => void,
  onFailure: (error: unknown) => void,
): void {
  const call = 'waitForTransactionReceipt'
  const { session } = internalsBehind(call, chain)
  const wait: InclusionWait = {
    awaited: { ...asked, hash: argument(call, 'hash', asked.hash, hash) },
    identity: session.options.pendingIdentity,
    resolve(outcome) {
      // A callback of a test that throws fails its wait, and not the call that ends it.
      try {
        onInclusion(outcome)
      } catch (error) {
        onFailure(error)
      }
    },
    reject: onFailure,
    transaction: undefined,
    deadlineMs: undefined,
  }
  session.node
    .execute((state) => ({ ...unchanged(state), effects: [() => session.inclusionWaits.add(wait)] }))
    .catch(onFailure)
}
