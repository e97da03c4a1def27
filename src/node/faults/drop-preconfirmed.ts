// Promises that a sequencer breaks: pre-confirmed transactions that are in no block after all.

import { openBlock } from '../../chain/block/block.ts'
import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import { failure } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { PersistentMap } from '../../primitives/persistent-map.ts'
import { Steps, type Transition, unchanged } from '../events.ts'
import type { NodeConfig, NodeState } from '../node-state.ts'
import { insertAll, pruned, type Returning, rerun, unincluded } from '../production/rerun.ts'

function checkPreconfirmed({ chain }: NodeState, hashes: readonly Hash[]): void {
  const missing = hashes.find((hash) => chain.open?.indexByHash.has(hash) !== true)
  if (missing !== undefined) throw failure('notPreconfirmed', { hash: missing })
}

/** Drops pre-confirmed transactions before they are sealed; later ones that depend on them go with them. */
export async function dropPreconfirmed(
  config: NodeConfig,
  state: NodeState,
  hashes: readonly Hash[],
  returning: Returning,
): Promise<Transition> {
  checkPreconfirmed(state, hashes)
  const { open } = state.chain
  if (open === undefined) return unchanged(state)
  const isDropped = ({ transaction }: ExecutedTransaction): boolean => hashes.includes(transaction.hash)
  const dropped = open.executed.filter(isDropped).map(({ transaction }) => transaction)
  const batches = open.partials.map(({ index, executed }) => ({
    index,
    transactions: executed.filter((each) => !isDropped(each)).map(({ transaction }) => transaction),
  }))
  const fresh = openBlock(open.rules, open.parent, open.environment)
  const { open: rebuilt, left } = await rerun(config, state, fresh, batches)
  const followers = left.map(({ transaction }) => transaction)
  // A follower is not itself dropped: it waits in the pool until it can execute again.
  const pool = insertAll(state.pool, returning === 'repool' ? [...dropped, ...followers] : followers)
  const isEmpty = rebuilt.executed.length === 0
  const next = pruned({ ...state, pool, chain: { ...state.chain, open: isEmpty ? undefined : rebuilt } })
  const steps = new Steps(next)
  for (const transaction of [...dropped, ...followers]) {
    steps.events.push(unincluded(transaction, 'preconfirmationDropped', next))
  }
  return steps.finish()
}

/** Lets pre-confirmed transactions be in their partial blocks until the block is sealed, and not in the block. */
export function dropAtSeal(state: NodeState, hashes: readonly Hash[], returning: Returning): Transition {
  checkPreconfirmed(state, hashes)
  let { vanishing } = state.controls
  for (const hash of hashes) vanishing = vanishing.set(hash, returning)
  return unchanged({ ...state, controls: { ...state.controls, vanishing } })
}

/** Drops what was to be gone at the seal, from the block that is about to be sealed. */
export async function dropVanishing(config: NodeConfig, state: NodeState): Promise<Transition> {
  const { vanishing } = state.controls
  if (vanishing.size === 0) return unchanged(state)
  const steps = new Steps({ ...state, controls: { ...state.controls, vanishing: PersistentMap.empty() } })
  for (const returning of ['drop', 'repool'] as const) {
    const { open } = steps.state.chain
    const hashes = [...vanishing.entries()]
      .filter(([hash, how]) => how === returning && open?.indexByHash.has(hash) === true)
      .map(([hash]) => hash)
    if (hashes.length > 0) steps.add(await dropPreconfirmed(config, steps.state, hashes, returning))
  }
  return steps.finish()
}
