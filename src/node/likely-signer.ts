// A guess at who has signed a transaction, from what the emulator knows: it holds keys, and its accounts have nonces.

import { type Pool, queueOf } from '../pool/pool.ts'
import type { KeyHolder } from '../pool/sender.ts'
import type { Address } from '../primitives/hex.ts'
import { readAccount, type WorldState } from '../state/world-state.ts'
import { type NodeState, pendingWorld } from './node-state.ts'

/** Accounts that are looked at: a guess must not take as long as it saves. */
const MOST_ACCOUNTS = 20

/** The nonce that follows on those in blocks and in the pool. */
function nextNonce(world: WorldState, pool: Pool, address: Address): bigint {
  const last = queueOf(pool, address).transactions.at(-1)
  return last === undefined ? readAccount(world, address).nonce : last.transaction.nonce + 1n
}

/**
 * Of the accounts whose keys are held, the first whose turn it is to use a nonce; otherwise the one that comes nearest
 * to it, as transactions may be on their way.
 */
export function likelySigner(state: NodeState, nonce: bigint): KeyHolder | undefined {
  const { controls, pool } = state
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
