// Dropping transactions that are not sealed: from the pool, or from the block being built.

import type { Transaction } from '../../execution/transaction/transaction.ts'
import { EMPTY_POOL, removeTransaction } from '../../pool/pool.ts'
import { failure } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { type Transition, unchanged } from '../events.ts'
import { dropPreconfirmed } from '../faults/drop-preconfirmed.ts'
import type { NodeConfig, NodeState } from '../node-state.ts'
import { isFromPool } from '../production/rerun.ts'

/** Drops pooled and pre-confirmed transactions; returns how many. */
export async function dropUnsealed(
  config: NodeConfig,
  state: NodeState,
  isDropped: (transaction: Transaction) => boolean,
): Promise<Transition<number>> {
  const ofAll = [...state.pool.byHash.values()].map(({ transaction }) => transaction)
  const pooled = ofAll.filter(isDropped)
  const pool =
    pooled.length === ofAll.length
      ? { ...EMPTY_POOL, nextArrival: state.pool.nextArrival, replaced: state.pool.replaced }
      : pooled.reduce(removeTransaction, state.pool)
  const executed = (state.chain.open?.executed ?? []).map(({ transaction }) => transaction)
  const preconfirmed = executed.filter((each) => isFromPool(each) && isDropped(each)).map(({ hash }) => hash)
  const rest = { ...state, pool }
  const dropped =
    preconfirmed.length === 0 ? unchanged(rest) : await dropPreconfirmed(config, rest, preconfirmed, 'drop')
  return { ...dropped, result: pooled.length + preconfirmed.length }
}

/** Drops one transaction; returns whether there was one. Throws `alreadySealed`. */
export async function dropTransaction(
  config: NodeConfig,
  state: NodeState,
  hash: Hash,
): Promise<Transition<boolean>> {
  const dropped = await dropUnsealed(config, state, (transaction) => transaction.hash === hash)
  // A sealed transaction may also be in the pool, if the nonce of its sender was set back.
  if (dropped.result === 0 && state.chain.transactions.has(hash)) throw failure('alreadySealed', { hash })
  return { ...dropped, result: dropped.result > 0 }
}

/** Drops every transaction that is not sealed. */
export async function clearPool(config: NodeConfig, state: NodeState): Promise<Transition> {
  return { ...(await dropUnsealed(config, state, () => true)), result: undefined }
}
