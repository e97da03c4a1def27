// Sealing empty blocks as a run, which costs the same for any number of them.
// docs/decisions/0008-runs-of-empty-blocks.md.

import { appendRun, planEmptyBlocks } from '../../chain/chain.ts'
import { type EmptyBlocks, feesFrom, type RunSlice, timeMsOf, timestampOf } from '../../chain/runs/runs.ts'
import { maximumCost, type Transaction } from '../../execution/transaction/transaction.ts'
import { isForChain, maySendInSomeFork } from '../../execution/transaction/validity.ts'
import { countWhile } from '../../primitives/numbers.ts'
import { RESERVED_DIFFICULTY } from '../../rollup/difficulty.ts'
import { readAccount } from '../../state/world-state.ts'
import type { EmptyBlockEvents, EventInterest, NodeEvent, Transition } from '../events.ts'
import type { NodeState } from '../node-state.ts'
import * as states from '../node-state.ts'
import { nextPartialAt, openingOf, sealedState } from '../production/block-production.ts'
import type { EmptyOrder } from './block-timing.ts'

function sealTimeOf({ seals, timestamps }: EmptyOrder, index: number): number {
  return Math.max(timeMsOf(seals, index), timestampOf(timestamps, index) * 1000)
}

export function closeEmptyPartial(state: NodeState): Extract<NodeEvent, { type: 'partialBlock' }> {
  const index = state.partialsClosed + 1
  const closed = { ...state, partialsClosed: index }
  return { type: 'partialBlock', partial: { index, executed: [] }, state: closed }
}

/** The partial blocks of an empty block, up to the one that coincides with its seal. */
function* partialsOf(start: NodeState, manner: EmptyOrder['manner']) {
  const sealAt = manner === 'due' ? (states.sealDueAt(start) ?? start.nowMs) : start.nowMs
  let state = start
  for (let dueAt = nextPartialAt(state); dueAt < sealAt; dueAt = nextPartialAt(state)) {
    const event = closeEmptyPartial({ ...state, nowMs: dueAt })
    yield event
    state = event.state
  }
  yield closeEmptyPartial({ ...state, nowMs: sealAt })
}

/** The events of consecutive slices of runs; the first slice begins on the head of `start`. */
function* eventsOfRuns(
  start: NodeState,
  slices: readonly RunSlice[],
  order: EmptyOrder,
  interestOf: () => EventInterest,
): Iterable<NodeEvent> {
  let index = 0
  let state = start
  for (const { run, from, to } of slices) {
    // The block being built is the first of the run.
    if (from === 0) state = { ...state, chain: appendRun(state.chain, run, 0) }
    // Nobody could listen to so many.
    if (run.writes === 'reserved') {
      index += to - from
      const nowMs = sealTimeOf(order, index - 1)
      state = sealedState({ ...state, nowMs }, appendRun(state.chain, run, to))
      continue
    }
    for (let count = from + 1; count <= to; count++) {
      const nextTimestamp = timestampOf(order.timestamps, index)
      const open = states.nextBlockTimestamp(state) === nextTimestamp ? state : { ...state, nextTimestamp }
      if (index > 0 && interestOf() === 'partials') yield* openingOf(open)
      const audience = interestOf()
      if (audience === 'nobody') return
      if (audience === 'partials') yield* partialsOf(open, order.manner)
      state = sealedState({ ...state, nowMs: sealTimeOf(order, index) }, appendRun(state.chain, run, count))
      yield { type: 'blockSealed', block: state.chain.head, state }
      index++
    }
  }
  if (interestOf() === 'partials') yield* openingOf(state)
}

/** True if the next block has not begun and no setting applies to it alone. */
function isOrdinary({ chain, nextTimestamp, controls, settings }: NodeState): boolean {
  const { nextBaseFee, nextPrevRandao, dropsAtSeal } = controls
  const isAsked = nextTimestamp !== undefined || nextBaseFee !== undefined || nextPrevRandao !== undefined
  return (
    chain.open === undefined && !isAsked && dropsAtSeal.size === 0 && settings.blockTimeRange === undefined
  )
}

/** The ordered blocks up to the end of the clock that have the same rules and are certain to be empty. */
function planBlocks(state: NodeState, { count, timestamps }: EmptyOrder) {
  const { chain, settings, prevRandaoSource } = state
  const number = chain.head.header.number + 1
  const schedule = states.scheduleIn(state)
  const rulesAt = (index: number) =>
    schedule.rulesAt({ number: number + index, timestamp: timestampOf(timestamps, index), difficulty: 0n })
  const rules = rulesAt(0)
  const blocks: EmptyBlocks = {
    parent: chain.head,
    rules,
    timestamps,
    coinbase: settings.coinbase,
    gasLimit: settings.blockGasLimit,
    extraData: settings.extraData,
    difficulty: schedule.buildsWithWork ? RESERVED_DIFFICULTY : 0n,
    prevRandaoSource,
  }
  const isInTime = (index: number) => timestampOf(timestamps, index) * 1000 <= states.LATEST_TIME_MS
  const underRules = countWhile(count, (index) => isInTime(index) && rulesAt(index) === rules)
  return { blocks, count: countQuiet(state, blocks, underRules) }
}

/**
 * Seals as many of the ordered blocks as are certain to be empty and alike, and returns how many; `undefined` if the
 * next block must be built individually. On a chain with proof of work they are reserved as Hardhat reserves them:
 * nothing is paid for them.
 */
export function sealEmptyRun(state: NodeState, order: EmptyOrder): Transition<number> | undefined {
  // Every block of a rollup has transactions: those of its opening.
  if (order.count < 1 || state.rollup !== undefined || !isOrdinary(state)) return undefined
  const { blocks, count } = planBlocks(state, order)
  if (count < 1) return undefined
  const slices = planEmptyBlocks(state.chain, blocks, count)
  const chain = slices.reduce((before, { run, to }) => appendRun(before, run, to), state.chain)
  const sealed = sealedState({ ...state, nowMs: sealTimeOf(order, count - 1) }, chain)
  const events: EmptyBlockEvents = (interestOf) => eventsOfRuns(state, slices, order, interestOf)
  return { state: sealed, events: [{ type: 'emptyBlocksAdvanced', events, chain, count }], result: count }
}

/** True if no scheduler and no timed hold must be checked at each partial block. */
function isUnscheduled({ pool, controls }: NodeState): boolean {
  if (controls.scheduler !== undefined && pool.bySender.size > 0) return false
  for (const [hash, hold] of controls.holds.entries()) {
    if (hold.until !== 'released' || !pool.byHash.has(hash)) return false
  }
  return true
}

/** The next transactions of senders that only their price can keep out of a block. */
function* affordable(state: NodeState): IterableIterator<Transaction> {
  const { pool, controls } = state
  const world = states.pendingWorld(state)
  const gasLimit = states.nextGasLimit(state)
  for (const [address, { transactions }] of pool.bySender.entries()) {
    const transaction = transactions[0]?.transaction
    if (transaction === undefined || controls.holds.has(transaction.hash)) continue
    const sender = readAccount(world, address)
    if (transaction.maxFeePerGas < controls.leastGasPrice) continue
    if (transaction.nonce !== sender.nonce || sender.balance < maximumCost(transaction)) continue
    if (transaction.gasLimit <= gasLimit && maySendInSomeFork(sender, transaction)) yield transaction
  }
}

/** True if no waiting transaction can ever execute while nothing else happens. */
export function isPoolStuck(state: NodeState): boolean {
  return isUnscheduled(state) && affordable(state).next().done === true
}

/** Number of the next `count` empty blocks that are certain to stay empty at their fees. */
function countQuiet(state: NodeState, blocks: EmptyBlocks, count: number): number {
  if (state.pool.bySender.size === 0 && state.controls.holds.size === 0) return count
  if (!isUnscheduled(state)) return 0
  const waiting = [...affordable(state)].filter((transaction) => isForChain(blocks.rules, transaction))
  if (waiting.length === 0) return count
  return feesFrom(blocks).firstWhere(count, ({ baseFeePerGas, blobBaseFee }) =>
    waiting.some(
      ({ type, maxFeePerGas, maxFeePerBlobGas }) =>
        maxFeePerGas >= baseFeePerGas && (type !== 3 || maxFeePerBlobGas >= blobBaseFee),
    ),
  )
}
