// The candidates of a partial block under the controls of a test: holds, which keep transactions back, and a scheduler,
// which orders them. Without these, src/core/pool/select.ts decides.

import type { OpenBlock } from '../../chain/block/block.ts'
import { effectiveTip, type Transaction } from '../../execution/transaction/transaction.ts'
import type { PooledTransaction } from '../../pool/pool.ts'
import { fixedSelection, type Ordering, type Selection, selectFrom, withoutSome } from '../../pool/select.ts'
import { failure, resultOfCallback } from '../../primitives/errors.ts'
import { bytesToHex, type Hash } from '../../primitives/hex.ts'
import { shorten, textOf } from '../../primitives/text-of.ts'
import type { Candidate, Hold, PartialPlan, Scheduler } from '../control/controls.ts'
import { type Transition, unchanged } from '../events.ts'
import { type NodeState, withControls, withSettings } from '../node-state.ts'

function candidateOf({ transaction, arrival }: PooledTransaction, baseFee: bigint): Candidate {
  const { hash, sender, to, nonce, value, gasLimit } = transaction
  const input = bytesToHex(transaction.input)
  const tip = effectiveTip(transaction, baseFee)
  return { hash, from: sender, to, nonce, value, input, gasLimit, effectiveTip: tip, arrival }
}

/** All transactions that a selection would offer if each of them could run. */
function allCandidates(selection: Selection): PooledTransaction[] {
  const all: PooledTransaction[] = []
  for (;;) {
    const pooled = selection.take()
    if (pooled === undefined) return all
    all.push(pooled)
    selection.admitFollower()
  }
}

/** The selection of a scheduler; throws `callbackFailed` or `invalidSchedule`. */
function schedule(scheduler: Scheduler, plan: PartialPlan, pooled: readonly PooledTransaction[]): Selection {
  const { blockNumber, partialIndex } = plan
  const refuse = (reason: string): never => {
    throw failure('invalidSchedule', { blockNumber, partialIndex, reason })
  }
  const answer: unknown = resultOfCallback('the scheduler', () => scheduler(plan))
  if (!Array.isArray(answer)) return refuse('expected an array of transaction hashes')
  const left = new Map(pooled.map((each) => [each.transaction.hash, each]))
  const inOrder = answer.map((hash: unknown) => {
    const next = typeof hash === 'string' ? left.get(hash.toLowerCase() as Hash) : undefined
    if (next === undefined) return refuse(`${shorten(textOf(hash))} is no candidate, or is there twice`)
    left.delete(next.transaction.hash)
    return next
  })
  return fixedSelection(inOrder)
}

function isHeld({ controls, nowMs, chain }: NodeState, { hash }: Transaction): boolean {
  const hold = controls.holds.get(hash)
  if (hold === undefined) return false
  if (hold.until === 'block') return chain.head.header.number + 1 < hold.number
  if (hold.until === 'time') return nowMs < hold.ms
  return hold.until === 'released' || hold.left > 0
}

/** The candidates of a partial block without those that are held back, in the order of the setting `ordering`. */
export function freeSelection(state: NodeState, open: OpenBlock): Selection {
  const { pool, settings, controls, prevRandaoSource } = state
  const { prevRandao } = prevRandaoSource
  const { baseFeePerGas } = open.environment
  const { leastGasPrice, holds } = controls
  const all = selectFrom(pool, open.state, baseFeePerGas, settings.ordering, prevRandao, leastGasPrice)
  return holds.size === 0 ? all : withoutSome(all, ({ transaction }) => isHeld(state, transaction))
}

export function selectionFor(state: NodeState, open: OpenBlock, partialIndex: number, cumulativeGas: bigint) {
  const { scheduler } = state.controls
  const { baseFeePerGas, number: blockNumber } = open.environment
  const free = freeSelection(state, open)
  if (scheduler === undefined) return free
  const pooled = allCandidates(free)
  const candidates = pooled.map((each) => candidateOf(each, baseFeePerGas))
  const gasBudget = cumulativeGas - open.gasUsed
  return schedule(scheduler, { blockNumber, partialIndex, atMs: state.nowMs, gasBudget, candidates }, pooled)
}

/** The state after a partial block, with holds counted down, and removed if they are over. */
export function countPartial(state: NodeState): NodeState {
  let { holds } = state.controls
  if (holds.size === 0) return state
  for (const [hash, hold] of state.controls.holds.entries()) {
    const isOver = !state.pool.byHash.has(hash) || (hold.until === 'partials' && hold.left <= 1)
    if (isOver) holds = holds.delete(hash)
    else if (hold.until === 'partials') holds = holds.set(hash, { ...hold, left: hold.left - 1 })
  }
  return holds === state.controls.holds ? state : withControls(state, { holds })
}

/** The hold on a transaction: one of the three, or until it is released. */
export interface Delay {
  /** The number of partial blocks that it misses. */
  readonly partials?: number | undefined
  /** The number of blocks that it misses, including the one being built. */
  readonly blocks?: number | undefined
  /** Virtual time in milliseconds. */
  readonly untilMs?: number | undefined
}

function holdOf({ chain }: NodeState, { partials, blocks, untilMs }: Delay): Hold {
  if (partials !== undefined) return { until: 'partials', left: partials }
  if (blocks !== undefined) return { until: 'block', number: chain.head.header.number + 1 + blocks }
  return untilMs === undefined ? { until: 'released' } : { until: 'time', ms: untilMs }
}

/** Holds a transaction back in the pool; throws `notPooled`. */
export function delayTransaction(state: NodeState, hash: Hash, delay: Delay): Transition {
  if (!state.pool.byHash.has(hash)) throw failure('notPooled', { hash })
  const holds = state.controls.holds.set(hash, holdOf(state, delay))
  return unchanged(withControls(state, { holds }))
}

/** The state without the hold on a transaction; the same state if there is none. */
export function withoutHold(state: NodeState, hash: Hash): NodeState {
  const { holds } = state.controls
  if (!holds.has(hash)) return state
  return withControls(state, { holds: holds.delete(hash) })
}

export function setOrdering(state: NodeState, ordering: Ordering): Transition {
  return unchanged(withSettings(state, { ordering }))
}

/** Sets the scheduler; `undefined` for the setting `ordering` again. */
export function setScheduler(state: NodeState, scheduler: Scheduler | undefined): Transition {
  return unchanged(withControls(state, { scheduler }))
}
