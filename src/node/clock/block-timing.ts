// When blocks that follow one another are, where that is a rule: on the clock, or one after another on command.

import type { Pace } from '../../chain/runs/block-timing.ts'
import { leastTimestamp, type NodeState, nextBlockTimestamp, sealDueAt } from '../node-state.ts'
import type { RunOrder } from './run-events.ts'

type Timing = Omit<RunOrder, 'count'>

/** Timestamps from `timestamp` on, so many seconds apart. */
function everySeconds(timestamp: number, seconds: number): Pace {
  return { firstMs: timestamp * 1000, intervalMs: seconds * 1000 }
}

/** The timing of blocks that fall due on the clock; `undefined` where the next one is out of line. */
export function timingOnClock(state: NodeState): Timing | undefined {
  const dueAt = sealDueAt(state)
  if (dueAt === undefined || dueAt < state.nowMs) return undefined
  const { blockTimeMs } = state.settings
  const clock = { firstMs: dueAt, intervalMs: blockTimeMs }
  const first = nextBlockTimestamp({ ...state, nowMs: dueAt })
  const { timestampIntervalS } = state.controls
  if (timestampIntervalS === undefined) {
    return first === Math.floor(dueAt / 1000) ? { pace: clock, clock, manner: 'due' } : undefined
  }
  // Timestamps that begin ahead of the clock and are slower than it are overtaken by it, at some point.
  const isOvertaken = first * 1000 > dueAt && timestampIntervalS * 1000 < blockTimeMs
  return isOvertaken ? undefined : { pace: everySeconds(first, timestampIntervalS), clock, manner: 'due' }
}

/** By how many seconds a block that is sealed right after another is above it; `undefined` where that may change. */
function secondsApart(state: NodeState, first: number): number | undefined {
  const { settings, controls, nowMs, openedAtMs } = state
  const least = leastTimestamp(state) - state.chain.head.header.timestamp
  if (controls.timestampIntervalS !== undefined) return controls.timestampIntervalS
  if (settings.automines || !settings.sealsOnTime) return least
  // The block before stands at its own due time, as soon as that is what the clock shows.
  if (first * 1000 >= nowMs) return Math.floor(settings.blockTimeMs / 1000)
  return openedAtMs === nowMs ? 0 : undefined
}

/** The timing of blocks that are sealed now; `undefined` where the next one is out of line. */
export function timingOnCommand(state: NodeState): Timing | undefined {
  const first = nextBlockTimestamp(state)
  const seconds = secondsApart(state, first)
  if (seconds === undefined) return undefined
  return {
    pace: everySeconds(first, seconds),
    clock: { firstMs: state.nowMs, intervalMs: 0 },
    manner: 'told',
  }
}

/** The timing of blocks that are sealed now, each so many seconds above the one before. */
export function timingApart(state: NodeState, seconds: number): Timing {
  const { timestamp } = state.chain.head.header
  const apart = Math.max(seconds, leastTimestamp(state) - timestamp)
  const clock = { firstMs: state.nowMs, intervalMs: 0 }
  return { pace: everySeconds(timestamp + apart, apart), clock, manner: 'told' }
}
