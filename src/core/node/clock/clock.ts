// Movement of the virtual clock. What is due is derived from the state, never stored, so that a revert or a clone needs
// no clean-up.

import { momentOf } from '../../chain/block/block.ts'
import { failure } from '../../primitives/errors.ts'
import { describe } from '../../primitives/text-of.ts'
import type { Transition } from '../events.ts'
import * as nodeEvents from '../events.ts'
import * as states from '../node-state.ts'
import { copyState, LATEST_TIME_MS, type NodeState } from '../node-state.ts'
import { closeDuePartial, isSealDue, nextPartialAt, sealBlockNow } from '../production/block-production.ts'
import { timingOnClock } from './block-timing.ts'
import { closeEmptyPartial, isPoolStuck, sealEmptyRun } from './empty-run.ts'

function* eventsOfIdle(start: NodeState, count: number, interestOf: () => nodeEvents.EventInterest) {
  let state = start
  for (let position = 0; position < count && interestOf() === 'partials'; position++) {
    const event = closeEmptyPartial({ ...state, nowMs: nextPartialAt(state) })
    yield event
    state = event.state
  }
}

/**
 * Performs the partial blocks of the next `ms` at once, up to a rollup's next seal, and returns the time that they
 * take; `undefined` if a block may be sealed meanwhile, a transaction may enter one of them, or none falls due. On a
 * rollup without blocks on time they show the block as it was at the start.
 */
function passIdle(start: NodeState, ms: number): Transition<number> | undefined {
  const { nowMs, settings, rollup } = start
  const firstAt = nextPartialAt(start)
  const sealAt = states.sealDueAt(start)
  const untilMs = Math.min(nowMs + ms, (sealAt ?? Number.POSITIVE_INFINITY) - 1)
  // Elsewhere a block that seals on time belongs to a run of empty blocks.
  const isSealing = sealAt !== undefined && rollup === undefined
  if (isSealing || firstAt > untilMs || rollup?.isOpeningTold === false || !isPoolStuck(start))
    return undefined
  const count = Math.floor((untilMs - firstAt) / settings.partialBlockTimeMs) + 1
  const lastAt = firstAt + (count - 1) * settings.partialBlockTimeMs
  const state = copyState(start)
  state.nowMs = lastAt
  state.partialsClosed += count
  const events: nodeEvents.EmptyBlockEvents = (interestOf) => eventsOfIdle(start, count, interestOf)
  const { chain } = state
  return { state, events: [{ type: 'emptyBlocksAdvanced', events, chain, count: 0 }], result: lastAt - nowMs }
}

/** True if anything falls due. If every transaction is sealed at once, only blocks on time do. */
function isClockDriven({ settings }: NodeState): boolean {
  return settings.sealsOnTime || !settings.automines
}

/** When the next partial block or seal is due; `undefined` if there is none. */
export function nextDueAt(state: NodeState): number | undefined {
  if (!isClockDriven(state)) return undefined
  const partialAt = nextPartialAt(state)
  const sealAt = states.sealDueAt(state)
  return sealAt === undefined ? partialAt : Math.min(partialAt, sealAt)
}

/** Throws `invalidCall` or `timeOutOfRange` for a move of a clock by `ms`. */
export function checkDuration(call: string, nowMs: number, ms: number): void {
  if (!Number.isSafeInteger(ms) || ms < 0) {
    const reason = `expected a whole number of milliseconds, not negative, got ${describe(ms)}`
    throw failure('invalidCall', { call, reason })
  }
  if (nowMs + ms > LATEST_TIME_MS) throw failure('timeOutOfRange', { call, latestMs: LATEST_TIME_MS })
}

function performDueStep(state: NodeState): Promise<Transition> {
  return isSealDue(state) ? sealBlockNow(state) : closeDuePartial(state)
}

/**
 * Performs at once what falls due in the next `ms`, up to the first block that may not be empty; returns the time
 * passed.
 */
function passQuiet(state: NodeState, ms: number): Transition<number> | undefined {
  if (!isClockDriven(state)) return undefined
  const canRun = state.rollup === undefined && !state.config.readsEachBlock
  const timing = canRun ? timingOnClock(state) : undefined
  if (timing === undefined) return passIdle(state, ms)
  // Each block has a difficulty and a reward of its own.
  if (states.scheduleIn(state).buildsWithWork) return undefined
  const firstInMs = timing.seals.firstMs - state.nowMs
  const count = Math.floor((ms - firstInMs) / timing.seals.intervalMs) + 1
  const run = sealEmptyRun(state, { ...timing, count })
  return run && { ...run, result: firstInMs + (run.result - 1) * timing.seals.intervalMs }
}

/** The least number of steps that fall due within `ms`: blocks, or partial blocks if blocks do not fall due. */
function countSteps(state: NodeState, ms: number): number {
  const { sealsOnTime, blockTimeRange, partialBlockTimeMs } = state.settings
  if (!isClockDriven(state)) return 0
  if (!sealsOnTime) return ms / partialBlockTimeMs
  return ms / (blockTimeRange?.mostMs ?? state.settings.blockTimeMs)
}

/** The most partial blocks and seals that a call performs individually. */
const MOST_ONE_BY_ONE = 1_000_000

/** The events of a rollup's blocks that a call holds before it commits: each holds a state. */
const MOST_HELD_EVENTS = 32

/**
 * Advances the clock by `ms`, performing every step on the way when it falls due. On a rollup, where every block is
 * made, a long time is committed on the way.
 */
export async function advanceClock(start: NodeState, ms: number, commit?: nodeEvents.Commit) {
  checkDuration('advance', start.nowMs, ms)
  const steps = Math.ceil(countSteps(start, ms))
  const most = states.mostSteps(start)
  if (steps > most) throw failure('tooManySteps', { call: 'advance', steps, most })
  let passed = new nodeEvents.Steps(start)
  // Beside a fork, a command may run again: nothing is committed on the way.
  const isCommittable = start.rollup !== undefined && start.chain.fork === undefined
  // Time left, not an end time: a block with a later timestamp of its own may move the clock forward.
  let leftMs = ms
  let performed = 0
  for (;;) {
    if (commit !== undefined && isCommittable && passed.events.length >= MOST_HELD_EVENTS)
      passed = new nodeEvents.Steps(await commit(passed.finish()))
    const { state } = passed
    // Within a block while transactions wait, it has just failed.
    const mayBeQuiet = state === start || state.partialsClosed === 0 || state.pool.bySender.size === 0
    const quiet = mayBeQuiet ? passQuiet(state, leftMs) : undefined
    if (quiet !== undefined) {
      leftMs -= quiet.result
      passed.add(quiet)
      continue
    }
    const dueAt = nextDueAt(state)
    if (dueAt === undefined || dueAt - state.nowMs > leftMs) break
    performed++
    if (performed > MOST_ONE_BY_ONE)
      throw failure('tooManySteps', { call: 'advance', steps: performed, most: MOST_ONE_BY_ONE })
    leftMs -= dueAt - state.nowMs
    const due = copyState(state)
    due.nowMs = dueAt
    passed.add(await performDueStep(due))
  }
  const after = copyState(passed.state)
  after.nowMs += leftMs
  passed.state = after
  return passed.finish()
}

/** Moves the clock by `ms` at once and seals at most one block, at the new time. */
export async function jumpClock(start: NodeState, ms: number): Promise<Transition> {
  checkDuration('jump', start.nowMs, ms)
  const landed = { ...start, nowMs: start.nowMs + ms }
  if (isSealDue(landed))
    return performDueStep({ ...landed, openedAtMs: landed.nowMs - landed.settings.blockTimeMs })
  const isPartialDue = (nextDueAt(start) ?? Number.POSITIVE_INFINITY) <= landed.nowMs
  return isPartialDue ? performDueStep(landed) : nodeEvents.unchanged(landed)
}

/** Moves to the next due step and performs it; does nothing if there is none. */
export async function advanceToNext(start: NodeState): Promise<Transition> {
  const dueAt = nextDueAt(start)
  if (dueAt === undefined) return nodeEvents.unchanged(start)
  checkDuration('next', start.nowMs, dueAt - start.nowMs)
  return performDueStep({ ...start, nowMs: dueAt })
}

/** Moves the clock without performing steps: they fall due that much later, or earlier. */
export function moveClock(start: NodeState, ms: number): NodeState {
  const { nowMs, openedAtMs, shiftedMs } = start
  return { ...start, nowMs: nowMs + ms, openedAtMs: openedAtMs + ms, shiftedMs: shiftedMs + ms }
}

export function shiftClock(start: NodeState, ms: number): Transition {
  checkDuration('evm_increaseTime', start.nowMs, ms)
  return nodeEvents.unchanged(moveClock(start, ms))
}

/** Sets the clock, forward or back, but not to before the head's timestamp; due times move along. */
export function setClock(start: NodeState, nowMs: number): Transition {
  const leastMs = momentOf(start.chain.head)
  if (nowMs < leastMs) throw failure('clockBeforeHead', { seconds: nowMs / 1000, least: leastMs / 1000 })
  if (nowMs > LATEST_TIME_MS) throw failure('timeOutOfRange', { call: 'setTime', latestMs: LATEST_TIME_MS })
  return nodeEvents.unchanged(moveClock(start, nowMs - start.nowMs))
}

/** Sets the timestamp, in seconds, of the next block; the clock follows when it is sealed. */
export function setNextTimestamp(
  start: NodeState,
  timestamp: number,
  least = states.leastTimestamp(start),
  most = LATEST_TIME_MS / 1000,
): Transition {
  if (start.chain.open !== undefined) throw failure('blockBegun')
  if (timestamp < least) throw failure('timestampTooLow', { timestamp, least })
  if (timestamp > most) throw failure('timestampTooHigh', { timestamp, most })
  return nodeEvents.unchanged({ ...start, nextTimestamp: timestamp })
}

/** Sets the seconds between a block's timestamp and its parent's; `undefined` for the clock's again. */
export function setTimestampInterval(start: NodeState, seconds: number | undefined): Transition {
  const most = LATEST_TIME_MS / 1000
  if (seconds !== undefined && seconds > most) throw failure('timestampTooHigh', { timestamp: seconds, most })
  return nodeEvents.unchanged({ ...start, controls: { ...start.controls, timestampIntervalS: seconds } })
}
