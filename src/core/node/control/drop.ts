// Dropping transactions that are not sealed: from the pool, or from the block being built.

import { addPartial, type OpenBlock, openBlock } from '../../chain/block/block.ts'
import { BlockRun } from '../../chain/block/execute-block.ts'
import { withEvm } from '../../execution/evm/evm-pool.ts'
import type { ExecutedTransaction, Transaction } from '../../execution/transaction/transaction.ts'
import { readmit } from '../../pool/admit.ts'
import { EMPTY_POOL, pruneOvertaken, removeTransaction } from '../../pool/pool.ts'
import { failure } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { PersistentMap } from '../../primitives/persistent-map.ts'
import { readAccount } from '../../state/world-state.ts'
import { type DropReason, type NodeEvent, Steps, type Transition, unchanged } from '../events.ts'
import type { NodeState } from '../node-state.ts'
import * as states from '../node-state.ts'

function checkPreconfirmed(state: NodeState, hashes: readonly Hash[]): void {
  const open = states.blockBeingBuilt(state)
  const missing = hashes.find((hash) => open?.indexByHash.has(hash) !== true)
  if (missing !== undefined) {
    const isPooled = state.pool.byHash.has(missing)
    const isSealed = state.chain.transactions.has(missing)
    const sealed = isSealed ? 'it is sealed, and chain.reorg replaces its block' : 'it is unknown here'
    const reason = isPooled ? 'it waits in the pool, and chain.dropTransaction takes it out' : sealed
    throw failure('notPreconfirmed', { hash: missing, reason })
  }
  for (const { transaction } of open?.executed ?? []) {
    const { hash } = transaction
    if (!isFromPool(transaction) && hashes.includes(hash)) throw failure('depositForced', { hash })
  }
}

/** Drops pre-confirmed transactions from the block being built, with the later ones that depend on them. */
export async function dropPreconfirmed(state: NodeState, hashes: readonly Hash[], returning: Returning) {
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
  const { open: rebuilt, left } = await rerun(state, fresh, batches)
  const followers = left.map(({ transaction }) => transaction)
  // Followers return to the pool in any case, and wait there until they can execute.
  const returned = returning === 'repool' ? [...dropped, ...followers] : followers
  const pool = readmit(open, state.pool, returned)
  const isEmpty = !rebuilt.executed.some(({ transaction }) => isFromPool(transaction))
  const next = pruned({ ...state, pool, chain: { ...state.chain, open: isEmpty ? undefined : rebuilt } })
  const steps = new Steps(next)
  for (const transaction of [...dropped, ...followers])
    steps.events.push(unincluded(transaction, 'preconfirmationDropped', next))
  return steps.finish()
}

/** Drops pre-confirmed transactions when the block is sealed; until then `pending` shows them. */
export function dropAtSeal(state: NodeState, hashes: readonly Hash[], returning: Returning): Transition {
  checkPreconfirmed(state, hashes)
  let { dropsAtSeal } = state.controls
  for (const hash of hashes) dropsAtSeal = dropsAtSeal.set(hash, returning)
  return unchanged(states.withControls(state, { dropsAtSeal }))
}

/** Drops the transactions of `dropAtSeal` from the block that is about to be sealed. */
export async function dropMarked(state: NodeState): Promise<Transition> {
  const { dropsAtSeal } = state.controls
  if (dropsAtSeal.size === 0) return unchanged(state)
  const steps = new Steps(states.withControls(state, { dropsAtSeal: PersistentMap.empty() }))
  for (const returning of ['drop', 'repool'] as const) {
    const { open } = steps.state.chain
    const hashes = [...dropsAtSeal.entries()]
      .filter(([hash, how]) => how === returning && open?.indexByHash.has(hash) === true)
      .map(([hash]) => hash)
    if (hashes.length > 0) steps.add(await dropPreconfirmed(steps.state, hashes, returning))
  }
  return steps.finish()
}

/** Drops pooled and pre-confirmed transactions; returns how many. */
export async function dropUnsealed(state: NodeState, isDropped: (transaction: Transaction) => boolean) {
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
    preconfirmed.length === 0 ? unchanged(rest) : await dropPreconfirmed(rest, preconfirmed, 'drop')
  return { ...dropped, result: pooled.length + preconfirmed.length }
}

/** Drops one transaction; returns whether there was one. Throws `alreadySealed`. */
export async function dropTransaction(state: NodeState, hash: Hash): Promise<Transition<boolean>> {
  const dropped = await dropUnsealed(state, (transaction) => transaction.hash === hash)
  // A sealed transaction may also be in the pool, if the nonce of its sender was set back.
  if (dropped.result === 0 && state.chain.transactions.has(hash)) throw failure('alreadySealed', { hash })
  return { ...dropped, result: dropped.result > 0 }
}

/** Drops every transaction that is not sealed. */
export async function clearPool(state: NodeState): Promise<Transition> {
  return { ...(await dropUnsealed(state, () => true)), result: undefined }
}

export type Returning = 'repool' | 'drop'

interface Rebatch {
  readonly index: number
  readonly transactions: readonly Transaction[]
}

/** True if a transaction was in the pool: deposits never are. */
export function isFromPool({ deposit }: Transaction): boolean {
  return deposit === undefined
}

/** Executes transactions one after another in a block; returns those that cannot execute there as `left`. */
export async function rerun(state: NodeState, start: OpenBlock, batches: readonly Rebatch[]) {
  const context = states.executionContext(state, start.rules)
  const left: { readonly transaction: Transaction; readonly reason: string }[] = []
  let open = start
  for (const { index, transactions } of batches) {
    open = await withEvm(context, open.state, async (instance) => {
      const run = new BlockRun(open, instance)
      for (const transaction of transactions) {
        const obstacle = run.obstacleTo(transaction)
        if (obstacle === undefined) await run.execute(transaction)
        else left.push({ transaction, reason: obstacle.reason })
      }
      return addPartial(open, { index, executed: run.executed }, instance.writer.current)
    })
  }
  return { open, left }
}

export function unincluded(transaction: Transaction, reason: DropReason, { pool }: NodeState): NodeEvent {
  return { type: 'transactionUnincluded', transaction, reason, isPooled: pool.byHash.has(transaction.hash) }
}

/** The state with the pool cleared of transactions whose nonces are used. */
export function pruned(state: NodeState): NodeState {
  const world = states.pendingWorld(state)
  return { ...state, pool: pruneOvertaken(state.pool, (sender) => readAccount(world, sender).nonce) }
}
