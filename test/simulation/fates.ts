// The fate of each accepted transaction: sealed, pre-confirmed, pooled, its nonce used by another, or reported as
// dropped. No transaction is lost.

import assert from 'node:assert/strict'
import { findTransaction } from '../../src/core/node/lookup.ts'
import { type NodeState, pendingWorld } from '../../src/core/node/node-state.ts'
import type { Address, Hash } from '../../src/core/primitives/hex.ts'
import { readAccount } from '../../src/core/state/world-state.ts'
import type { Emulator } from '../../src/index.ts'
import type { Story } from './story.ts'

interface Fate {
  readonly sender: Address
  readonly nonce: bigint
  readonly gasLimit: bigint
  /** Whether an event has reported it as replaced or dropped. */
  readonly isGone: boolean
}

export type Fates = ReadonlyMap<Hash, Fate>

/** The minimum block gas limit in a simulation. Transactions above it may be dropped when the limit is lowered. */
const LEAST_GAS_LIMIT = 1_500_000n

/** Listens to the events of transactions. */
export function followFates(
  chain: Emulator,
  current: () => { fates: Fates },
  stateOf: (chain: Emulator) => NodeState,
): void {
  const mark = (hash: Hash, isGone: boolean): void => {
    const { fates } = current()
    const known = fates.get(hash)
    if (known !== undefined) current().fates = new Map([...fates, [hash, { ...known, isGone }]])
  }
  chain.on('pendingTransaction', ({ transactionHash }) => {
    const found = findTransaction(stateOf(chain), transactionHash)
    // An authorization in a block of the same call may have used its nonce.
    if (found === undefined) return
    const { transaction } = 'pooled' in found ? found.pooled : found.executed
    const { sender, nonce, gasLimit } = transaction
    const fate = { sender, nonce, gasLimit, isGone: false }
    current().fates = new Map([...current().fates, [transactionHash, fate]])
  })
  chain.on('replacedTransaction', ({ transactionHash }) => mark(transactionHash, true))
  chain.on('unincludedTransaction', ({ transactionHash, isPooled }) => mark(transactionHash, !isPooled))
  chain.on('sealedBlock', ({ transactionHashes }) => {
    for (const hash of transactionHashes) mark(hash, false)
  })
}

/** Records removals from the pool, which have no event. */
export function forgetDropped(fates: Fates, before: NodeState, after: NodeState): Fates {
  const dropped = [...before.pool.byHash.entries()].filter(
    ([hash]) => findTransaction(after, hash) === undefined,
  )
  const gone = dropped.map(([hash]) => [hash, fates.get(hash)] as const)
  const marked = gone.flatMap(([hash, fate]) => (fate ? [[hash, { ...fate, isGone: true }] as const] : []))
  return new Map([...fates, ...marked])
}

/**
 * Checks the place of each transaction, and returns the fates of those that may reappear. Transactions of accounts
 * with lowered nonces may be anywhere. Those whose nonce an authorization has used are dropped, even if the block of
 * the authorization is rebuilt without it in the same call.
 */
export function checkFates(
  state: NodeState,
  { fates, lowered, hasBroken }: Pick<Story, 'fates' | 'lowered' | 'hasBroken'>,
  authorities: ReadonlySet<Address>,
): Fates {
  // With the deposits of a rollup's opening, which take nonces, too.
  const world = pendingWorld(state)
  const left = new Map<Hash, Fate>()
  for (const [hash, fate] of fates) {
    const { sender, nonce, gasLimit, isGone } = fate
    if (lowered.has(sender)) continue
    const isThere = findTransaction(state, hash) !== undefined
    if (isGone) assert(!isThere, `${hash} is gone, as was told`)
    const isOvertaken = readAccount(world, sender).nonce > nonce
    const isForgotten = isOvertaken || (hasBroken && authorities.has(sender))
    const mayBeGone = isGone || isForgotten || gasLimit > LEAST_GAS_LIMIT
    assert(isThere || mayBeGone, `${hash} is lost`)
    // Another has used its nonce. The pool has dropped it, even if that one is removed again.
    if (isThere || isGone || !isForgotten) left.set(hash, fate)
  }
  return left
}
