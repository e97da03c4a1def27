// What a transaction of the pool waits for, in the words of the calls that go on.

import { type PooledTransaction, queueOf } from '../pool/pool.ts'
import { type NodeState, pendingWorld } from './node-state.ts'
import { nextPartialAt } from './production/block-production.ts'

/** The next step for a pooled transaction, as text. */
export function nextStepForPooled(state: NodeState, { transaction }: PooledTransaction): string {
  const { hash, sender, nonce } = transaction
  const { controls, nowMs, pool, settings } = state
  if (controls.holds.has(hash)) return 'it is held back by chain.delayTransaction'
  let next = pendingWorld(state).get(sender)?.nonce ?? 0n
  for (const queued of queueOf(pool, sender).transactions) if (queued.transaction.nonce === next) next++
  if (nonce > next) return `it waits for nonce ${next} of ${sender}, and has nonce ${nonce}`
  if (settings.automines) return 'chain.seal() puts it into a block, if it can be in one'
  return `chain.advance(${nextPartialAt(state) - nowMs}) goes to the next partial block, which may take it`
}
