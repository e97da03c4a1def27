// Sealing empty blocks as a run, which costs the same for any number of them.
// docs/decisions/0008-runs-of-empty-blocks.md.

import { appendRun, planEmptyBlocks } from '../../chain/chain.ts'
import { type EmptyBlocks, timestampOf } from '../../chain/runs/runs.ts'
import { RESERVED_DIFFICULTY } from '../../rollup/difficulty.ts'
import type { EmptyBlockEvents, Transition } from '../events.ts'
import { LATEST_TIME_MS, type NodeConfig, type NodeState, scheduleIn } from '../node-state.ts'
import { sealedState } from '../production/block-production.ts'
import type { EmptyOrder } from './block-timing.ts'
import { eventsOfRuns, sealTimeOf } from './empty-events.ts'
import { countQuiet } from './quiet-pool.ts'

/** True if the next block has not begun and no setting applies to it alone. */
function isOrdinary({ chain, nextTimestamp, controls, settings }: NodeState): boolean {
  const { nextBaseFee, nextPrevRandao, dropsAtSeal } = controls
  const isAsked = nextTimestamp !== undefined || nextBaseFee !== undefined || nextPrevRandao !== undefined
  return (
    chain.open === undefined && !isAsked && dropsAtSeal.size === 0 && settings.blockTimeRange === undefined
  )
}

/** The number of leading indexes for which a condition holds; it must hold for no index after them. */
function countWhile(count: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}

interface Plan {
  readonly blocks: EmptyBlocks
  readonly count: number
}

/** The ordered blocks up to the end of the clock that have the same rules and are certain to be empty. */
function planBlocks(config: NodeConfig, state: NodeState, { count, timestamps }: EmptyOrder): Plan {
  const { chain, settings, prevRandaoSource } = state
  const number = chain.head.header.number + 1
  const schedule = scheduleIn(config, state)
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
  const isInTime = (index: number) => timestampOf(timestamps, index) * 1000 <= LATEST_TIME_MS
  const underRules = countWhile(count, (index) => isInTime(index) && rulesAt(index) === rules)
  return { blocks, count: countQuiet(state, blocks, underRules) }
}

/**
 * Seals as many of the ordered blocks as are certain to be empty and alike, and returns how many; `undefined` if the
 * next block must be built individually. On a chain with proof of work they are reserved as Hardhat reserves them:
 * nothing is paid for them.
 */
export function sealEmptyRun(
  config: NodeConfig,
  state: NodeState,
  order: EmptyOrder,
): Transition<number> | undefined {
  // Every block of a rollup has transactions: those of its opening.
  if (order.count < 1 || config.rollup !== undefined || !isOrdinary(state)) return undefined
  const { blocks, count } = planBlocks(config, state, order)
  if (count < 1) return undefined
  const slices = planEmptyBlocks(state.chain, blocks, count)
  const chain = slices.reduce((before, { run, to }) => appendRun(before, run, to), state.chain)
  const sealed = sealedState({ ...state, nowMs: sealTimeOf(order, count - 1) }, chain)
  const events: EmptyBlockEvents = (interestOf) => eventsOfRuns(state, slices, order, interestOf)
  return { state: sealed, events: [{ type: 'emptyBlocksAdvanced', events, chain, count }], result: count }
}
