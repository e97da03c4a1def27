// Reorganisations and rollbacks: sealed blocks replaced, or taken off the chain.

import { momentOf, type OpenBlock } from '../../chain/block/block.ts'
import { blockAt, blocksAboveFirst, type Chain, fullBlocks, rewindChain } from '../../chain/chain.ts'
import type { Transaction } from '../../execution/transaction/transaction.ts'
import { type AdmissionContext, checkTransaction, readmit } from '../../pool/admit.ts'
import type { Pool } from '../../pool/pool.ts'
import { failure, type TickchainError } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { PersistentMap } from '../../primitives/persistent-map.ts'
import { settingsAfter } from '../clock/block-timing.ts'
import { consoleLogsOf, type NodeEvent, Steps, type Transition, unchanged } from '../events.ts'
import type { NodeState } from '../node-state.ts'
import * as states from '../node-state.ts'
import { openNextBlock, seal } from '../production/block-production.ts'
import { admissionContext } from '../production/submit.ts'
import { leaveOpening, withOpening } from '../rollup/opening.ts'
import { type Controls, withoutNext } from './controls.ts'
import { isFromPool, pruned, type Returning, rerun, unincluded } from './drop.ts'

/** A transaction of a replacement block: the hash of an orphaned or pooled one, or a new transaction. */
export type Replacement = Hash | Transaction

export interface Reorganisation {
  readonly depth: number
  /** The transactions of each new block, in order; `undefined` for as many empty blocks as are replaced. */
  readonly blocks: readonly (readonly Replacement[])[] | undefined
  /** Seconds, by position; the others take those of the blocks that they replace. */
  readonly timestamps?: readonly number[]
  /** On a rollup: the number of the first block's L1 origin; `undefined` leaves it to the rules. */
  readonly firstOrigin?: number
  readonly returning: Returning
  /** Pre-confirmed transactions that are not dropped: executed again, or returned to the pool. Default 'again'. */
  readonly preconfirmed?: 'again' | 'pooled'
}

function resolveReplacement(
  admission: AdmissionContext,
  pool: Pool,
  orphans: ReadonlyMap<Hash, Transaction>,
  replacement: Replacement,
): Transaction {
  if (typeof replacement !== 'string') {
    checkTransaction(admission, replacement)
    return replacement
  }
  const found = orphans.get(replacement) ?? pool.byHash.get(replacement)?.transaction
  if (found === undefined) throw failure('unknownTransaction', { hash: replacement })
  return found
}

/** Builds and seals one replacement block with all of the given transactions; throws `replacementNotExecutable`. */
async function sealReplacement(
  state: NodeState,
  transactions: readonly Transaction[],
  timestamp: number | undefined,
): Promise<Transition> {
  const timed = timestamp === undefined ? state : { ...state, nextTimestamp: timestamp }
  const slot = await withOpening(timed)
  const { open, left } = await rerun(slot, states.currentOpenBlock(slot), [{ index: 1, transactions }])
  const [refused] = left
  if (refused !== undefined) {
    const { transaction, reason } = refused
    throw failure('replacementNotExecutable', { hash: transaction.hash, reason })
  }
  const begun = leaveOpening(slot)
  const replacement = seal({ ...begun, chain: { ...begun.chain, open } })
  const logged = consoleLogsOf(open.executed, open.environment.number)
  const sealed = { ...replacement, events: [...logged, ...replacement.events] }
  // The clock and what is due stay as they are, unless the block is ahead of the clock.
  const { nowMs, openedAtMs, partialsClosed } = state
  const isAhead = sealed.state.nowMs > nowMs
  return isAhead ? sealed : { ...sealed, state: { ...sealed.state, openedAtMs, partialsClosed } }
}

/** Drops at the seal end with the block being built. */
function withoutDropsAtSeal(controls: Controls): Controls {
  return { ...controls, dropsAtSeal: PersistentMap.empty() }
}

/** A timestamp set for the next block stays, unless the block being built had used it or the new head is later. */
function keptTimestamp({ chain, nextTimestamp }: NodeState, after: NodeState): number | undefined {
  if (chain.open !== undefined || nextTimestamp === undefined) return undefined
  return nextTimestamp >= states.leastTimestamp(after) ? nextTimestamp : undefined
}

/** Executes what was pre-confirmed again, on the new head; what cannot run there stays in the pool. */
async function preconfirmAgain(state: NodeState, before: OpenBlock | undefined): Promise<NodeState> {
  const opened = await withOpening(state)
  if (before === undefined) return opened
  const batches = before.partials.map(({ index, executed }) => ({
    index,
    transactions: executed.map(({ transaction }) => transaction).filter(isFromPool),
  }))
  const empty = states.currentOpenBlock(opened)
  const { open } = await rerun(opened, empty, batches)
  if (open.executed.length === empty.executed.length) return opened
  const begun = leaveOpening(opened)
  return { ...begun, chain: { ...begun.chain, open } }
}

/** The transactions that are no longer in a block, or in another one; what is pre-confirmed again has kept its place. */
function displaced(orphans: readonly Transaction[], state: NodeState): NodeEvent[] {
  const isPreconfirmed = ({ hash }: Transaction): boolean =>
    states.blockBeingBuilt(state)?.indexByHash.has(hash) === true
  return orphans.flatMap((transaction) =>
    isPreconfirmed(transaction) ? [] : [unincluded(transaction, 'reorganised', state)],
  )
}

export function reorgTooDeep(chain: Chain, depth: number): TickchainError {
  const most = blocksAboveFirst(chain)
  const { first: block, fork } = chain
  return fork === undefined
    ? failure('reorgTooDeep', { depth, most })
    : failure('reorgBelowFork', { depth, most, block })
}

/**
 * Replaces the last blocks, and builds the open block again on the new head. Transactions return to the pool in order,
 * or are dropped, and the new blocks get the timestamps of the old. What was pre-confirmed stays so, as on the deployed
 * node, unless it is dropped or cannot run any more.
 */
export async function reorganise(
  state: NodeState,
  { depth, blocks, timestamps = [], firstOrigin, returning, preconfirmed: fate = 'again' }: Reorganisation,
): Promise<Transition> {
  if (depth > blocksAboveFirst(state.chain)) throw reorgTooDeep(state.chain, depth)
  const { chain, orphaned } = rewindChain(state.chain, depth)
  // Throws if the chain no longer keeps it.
  void chain.head.committed.state
  const preconfirmed = state.chain.open?.executed ?? []
  const last = state.chain.head.header.number
  const first = last - depth + 1
  const full = [...fullBlocks(state.chain, first, last)]
  const taken = [...full.flatMap((block) => block.executed), ...preconfirmed]
  const orphans = taken.map(({ transaction }) => transaction)
  const byHash = new Map(orphans.map((transaction) => [transaction.hash, transaction]))
  const admission = admissionContext(state)
  const returned = returning === 'repool' ? orphans.filter(isFromPool) : []
  const pool = readmit(admission, state.pool, returned)
  const controls = withoutNext(withoutDropsAtSeal(state.controls))
  const steps = new Steps({
    ...state,
    // An origin that was set is that of the block being built, which is another one afterwards.
    rollup: state.rollup && { ...state.rollup, nextOrigin: firstOrigin },
    chain,
    pool,
    nextTimestamp: undefined,
    controls,
    settings: settingsAfter(state.settings, chain.head, state.chain.head),
  })
  for (const [index, replacements] of (blocks ?? Array.from({ length: depth }, () => [])).entries()) {
    const resolved = replacements.map((each) => resolveReplacement(admission, state.pool, byHash, each))
    // A rollup's block opens with its own deposits.
    const transactions = resolved.filter(isFromPool)
    // A block takes the time of the one that it replaces, if there is one, with a fraction where a second has several.
    const replaced = blockAt(state.chain, first + index)
    const timestamp = timestamps[index] ?? (replaced && momentOf(replaced) / 1000)
    steps.add(await sealReplacement(steps.state, transactions, timestamp))
  }
  const onNewHead = {
    ...steps.state,
    nextTimestamp: keptTimestamp(state, steps.state),
    // What was set for the next block stays, unless the block being built had used it.
    controls: state.chain.open === undefined ? withoutDropsAtSeal(state.controls) : controls,
  }
  const isKept = returning === 'repool' && fate === 'again'
  const confirmed = isKept ? await preconfirmAgain(onNewHead, state.chain.open) : onNewHead
  const opened = await openNextBlock(pruned(confirmed))
  const next = opened.state
  const lost: NodeEvent = {
    type: 'blocksOrphaned',
    blocks: orphaned,
    full: [...full].reverse(),
    atMs: state.nowMs,
  }
  const events: readonly NodeEvent[] = [
    ...(depth > 0 ? [lost] : []),
    // Transactions that are in the new blocks, or that they have overtaken, are not pooled.
    ...displaced(orphans, next),
    ...steps.events,
    ...opened.events,
  ]
  return { state: next, events, result: undefined }
}

/** Takes the last blocks off the chain, and drops the block being built; the clock and what is due stay. */
export async function rollBack(state: NodeState, depth: number, returning: Returning): Promise<Transition> {
  if (depth === 0) return unchanged(state)
  return reorganise(state, { depth, blocks: [], returning })
}
