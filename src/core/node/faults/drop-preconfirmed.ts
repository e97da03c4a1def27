// Dropped pre-confirmations: pre-confirmed transactions that the sequencer does not seal.

import { openBlock } from '../../chain/block/block.ts'
import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import { readmit } from '../../pool/admit.ts'
import { failure } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { PersistentMap } from '../../primitives/persistent-map.ts'
import { Steps, type Transition, unchanged } from '../events.ts'
import { filledBlock, type NodeConfig, type NodeState, withControls } from '../node-state.ts'
import { isFromPool, pruned, type Returning, rerun, unincluded } from '../production/rerun.ts'

function checkPreconfirmed(state: NodeState, hashes: readonly Hash[]): void {
  const open = filledBlock(state)
  const missing = hashes.find((hash) => open?.indexByHash.has(hash) !== true)
  if (missing !== undefined) throw failure('notPreconfirmed', { hash: missing })
  for (const { transaction } of open?.executed ?? []) {
    const { hash } = transaction
    if (!isFromPool(transaction) && hashes.includes(hash)) throw failure('depositForced', { hash })
  }
}

/** Drops pre-confirmed transactions from the block being built, with the later ones that depend on them. */
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
  // Followers return to the pool in any case, and wait there until they can execute.
  const returned = returning === 'repool' ? [...dropped, ...followers] : followers
  const pool = readmit(open, state.pool, returned)
  const isEmpty = !rebuilt.executed.some(({ transaction }) => isFromPool(transaction))
  const next = pruned({ ...state, pool, chain: { ...state.chain, open: isEmpty ? undefined : rebuilt } })
  const steps = new Steps(next)
  for (const transaction of [...dropped, ...followers]) {
    steps.events.push(unincluded(transaction, 'preconfirmationDropped', next))
  }
  return steps.finish()
}

/** Drops pre-confirmed transactions when the block is sealed; until then `pending` shows them. */
export function dropAtSeal(state: NodeState, hashes: readonly Hash[], returning: Returning): Transition {
  checkPreconfirmed(state, hashes)
  let { dropsAtSeal } = state.controls
  for (const hash of hashes) dropsAtSeal = dropsAtSeal.set(hash, returning)
  return unchanged(withControls(state, { dropsAtSeal }))
}

/** Drops the transactions of `dropAtSeal` from the block that is about to be sealed. */
export async function dropMarked(config: NodeConfig, state: NodeState): Promise<Transition> {
  const { dropsAtSeal } = state.controls
  if (dropsAtSeal.size === 0) return unchanged(state)
  const steps = new Steps(withControls(state, { dropsAtSeal: PersistentMap.empty() }))
  for (const returning of ['drop', 'repool'] as const) {
    const { open } = steps.state.chain
    const hashes = [...dropsAtSeal.entries()]
      .filter(([hash, how]) => how === returning && open?.indexByHash.has(hash) === true)
      .map(([hash]) => hash)
    if (hashes.length > 0) steps.add(await dropPreconfirmed(config, steps.state, hashes, returning))
  }
  return steps.finish()
}
