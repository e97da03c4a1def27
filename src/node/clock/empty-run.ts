// Empty blocks by the million: they join the chain as a run, which costs the same for any number of them, and are
// built when somebody looks. docs/decisions/0008-runs-of-empty-blocks.md.

import { appendRun, type Chain, unseenRunAtHead } from '../../chain/chain.ts'
import { type Pace, paceFrom, timestampOf } from '../../chain/runs/block-timing.ts'
import { type EmptyRun, extendRun, feesOf, goesOn } from '../../chain/runs/empty-run.ts'
import { standingOf } from '../../chain/runs/run-blocks.ts'
import { RING_SIZE, writesAtStart } from '../../rollup/system-contracts.ts'
import type { Transition } from '../events.ts'
import { LATEST_TIME_MS, type NodeConfig, type NodeState, scheduleIn } from '../node-state.ts'
import { sealedState } from '../production/block-production.ts'
import { countQuiet } from './quiet-pool.ts'
import { eventsOfRuns, type RunOrder, type Stretch, sealTimeOf } from './run-events.ts'

/** A run up to this length is exact: as long as the rings in which the protocol keeps the past. */
const MOST_EXACT = RING_SIZE

/** The last blocks of a longer run are exact: as many as BLOCKHASH reaches back. */
const EXACT_TAIL = 256

/** True where the next block is like the one after it: nothing was asked for it alone, and it has not begun. */
function isOrdinary({ chain, nextTimestamp, controls, settings }: NodeState): boolean {
  const { nextBaseFee, nextPrevRandao, vanishing } = controls
  const isAsked = nextTimestamp !== undefined || nextBaseFee !== undefined || nextPrevRandao !== undefined
  return chain.open === undefined && !isAsked && vanishing.size === 0 && settings.blockTimeRange === undefined
}

/** How many of the first `count` blocks of a pace have an end of the clock above them. */
function countInTime(pace: Pace, count: number): number {
  if (timestampOf(pace, 0) * 1000 > LATEST_TIME_MS) return 0
  if (pace.intervalMs === 0) return count
  const last = Math.floor((LATEST_TIME_MS + 999 - pace.firstMs) / pace.intervalMs)
  return Math.min(count, last + 1)
}

/** The largest of `count` for which a condition holds that holds for all smaller ones. */
function countWhile(count: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** A run of `count` blocks or fewer under one set of rules, all of them sure to be empty. */
function planRun(config: NodeConfig, state: NodeState, { count, pace }: RunOrder): EmptyRun {
  const { chain, settings, prevRandaoSource } = state
  const number = chain.head.header.number + 1
  const schedule = scheduleIn(config, state)
  const rulesAt = (index: number) =>
    schedule.rulesAt({ number: number + index, timestamp: timestampOf(pace, index), difficulty: 0n })
  const rules = rulesAt(0)
  const underRules = countWhile(countInTime(pace, count), (index) => rulesAt(index) === rules)
  const planned: EmptyRun = {
    parent: standingOf(chain.head),
    count: underRules,
    rules,
    pace,
    coinbase: settings.coinbase,
    gasLimit: settings.blockGasLimit,
    extraData: settings.extraData,
    prevRandaoSource,
    precision: 'exact',
  }
  return { ...planned, count: countQuiet(state, rules, feesOf(planned), underRules) }
}

/** The run in one part, or where it is long in two: what is old may be compact, what is recent is exact. */
function splitRun(run: EmptyRun): EmptyRun[] {
  const isWritten = writesAtStart(run.rules, run.parent.committed.state)
  // Where the protocol writes nothing, nothing is left out.
  if (!isWritten) return [{ ...run, precision: 'compact' }]
  if (run.count <= MOST_EXACT) return [run]
  return [
    { ...run, count: run.count - EXACT_TAIL, precision: 'compact' },
    { ...run, count: EXACT_TAIL, pace: paceFrom(run.pace, run.count - EXACT_TAIL) },
  ]
}

/** The run at the head with the planned one after it, where that goes on as it began; many of one become one of many. */
function extendHead({ chain, prevRandaoSource }: NodeState, planned: EmptyRun): Stretch | undefined {
  const part = unseenRunAtHead(chain)
  if (part === undefined || prevRandaoSource !== chain.head.header) return undefined
  const { run, count } = part
  if (count + planned.count > MOST_EXACT || !goesOn(run, count, planned)) return undefined
  return { run: extendRun(run, count, planned.count), from: count }
}

interface Appended {
  readonly chain: Chain
  readonly stretches: readonly Stretch[]
}

function appendPlanned(state: NodeState, planned: EmptyRun): Appended {
  const extended = extendHead(state, planned)
  if (extended !== undefined) return { chain: appendRun(state.chain, extended.run), stretches: [extended] }
  const stretches: Stretch[] = []
  let { chain } = state
  for (const part of splitRun(planned)) {
    const { head } = chain
    const run = stretches.length === 0 ? part : { ...part, parent: head, prevRandaoSource: head.header }
    stretches.push({ run, from: 0 })
    chain = appendRun(chain, run)
  }
  return { chain, stretches }
}

/**
 * Seals as many of the ordered blocks as are sure to be empty and alike, and answers how many; `undefined` where the
 * next block has to be built by itself.
 */
export function sealEmptyRun(
  config: NodeConfig,
  state: NodeState,
  order: RunOrder,
): Transition<number> | undefined {
  if (order.count < 1 || !isOrdinary(state)) return undefined
  const planned = planRun(config, state, order)
  if (planned.count < 1) return undefined
  const { chain, stretches } = appendPlanned(state, planned)
  const sealed = sealedState({ ...state, nowMs: sealTimeOf(order, planned.count - 1) }, chain)
  const events = eventsOfRuns(state, stretches, order)
  const { count } = planned
  return { state: sealed, events: [{ type: 'quietPassed', events, chain, count }], result: count }
}
