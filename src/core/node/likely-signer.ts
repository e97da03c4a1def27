// A guess at the signer of a transaction: the account with a known key whose next nonce fits. Checking a guess is much
// faster than recovering the signer.

import { type Pool, queueOf } from '../pool/pool.ts'
import type { KeyHolder } from '../pool/sender.ts'
import type { Address } from '../primitives/hex.ts'
import { readAccount, type WorldState } from '../state/world-state.ts'
import { type NodeState, pendingWorld } from './node-state.ts'

/** The most accounts to look at: a guess must not take longer than it saves. */
const MOST_ACCOUNTS = 20

/** The nonce after those in blocks and in the pool. */
function nextNonce(world: WorldState, pool: Pool, address: Address): bigint {
  const last = queueOf(pool, address).transactions.at(-1)
  return last === undefined ? readAccount(world, address).nonce : last.transaction.nonce + 1n
}

/**
 * The first account with a known key whose next nonce is `nonce`; otherwise the one whose next nonce is the highest
 * below it, because earlier transactions may still be on their way.
 */
export function likelySigner(state: NodeState, nonce: bigint): KeyHolder | undefined {
  const { controls, pool, chain } = state
  // The nonces there may not be known yet, and a guess is made before a turn, where nobody waits for them.
  if (chain.fork !== undefined) return undefined
  const world = pendingWorld(state)
  let nearest: KeyHolder | undefined
  let nearestNonce = -1n
  let looked = 0
  for (const [address, { key }] of controls.accounts) {
    if (++looked > MOST_ACCOUNTS) break
    if (key === undefined) continue
    const next = nextNonce(world, pool, address)
    if (next > nonce || next <= nearestNonce) continue
    nearest = { address, privateKey: key }
    nearestNonce = next
    if (next === nonce) break
  }
  return nearest
}
