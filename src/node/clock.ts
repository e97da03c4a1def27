// Moving the virtual clock. What is due is derived from the state, never stored, so that a revert or a clone
// has nothing to forget.

import { failure } from '../primitives/errors.ts'
import { Steps, type Transition, unchanged } from './events.ts'
import { LATEST_TIME_MS, leastTimestamp, type NodeConfig, type NodeState, sealDueAt } from './node-state.ts'
import { closeDuePartial, isSealDue, partialPositionAt, sealBlockNow } from './production.ts'

/** When the next partial block or seal is due; `undefined` where nothing ever is. */
function nextDueAt(state: NodeState): number | undefined {
  if (state.settings.production === 'auto') return undefined
  const nextPartialAt = state.openedAtMs + (partialPositionAt(state) + 1) * state.settings.partialBlockTimeMs
  const sealAt = sealDueAt(state)
  return sealAt === undefined ? nextPartialAt : Math.min(nextPartialAt, sealAt)
}

function checkDuration(call: string, state: NodeState, ms: number): void {
  if (!Number.isSafeInteger(ms) || ms < 0) {
    throw failure('invalidCall', {
      call,
      expected: 'a whole number of milliseconds, not negative',
      given: String(ms),
    })
  }
  if (state.nowMs + ms > LATEST_TIME_MS) throw failure('timeOutOfRange', { call, latestMs: LATEST_TIME_MS })
}

/** Performs what is due at the time where the clock stands. */
function performDueStep(config: NodeConfig, state: NodeState): Promise<Transition> {
  return isSealDue(state) ? sealBlockNow(config, state) : closeDuePartial(config, state)
}

/** How many steps fall due within `ms`, at least. */
function countSteps(state: NodeState, ms: number): number {
  const { production, blockTimeMs, partialBlockTimeMs } = state.settings
  if (production === 'auto') return 0
  const partials = Math.ceil(blockTimeMs / partialBlockTimeMs)
  return production === 'manual' ? ms / partialBlockTimeMs : (ms / blockTimeMs) * partials
}

/** Lets `ms` of virtual time pass, performing every step on the way when it falls due. */
export async function advanceClock(config: NodeConfig, start: NodeState, ms: number): Promise<Transition> {
  checkDuration('advance', start, ms)
  const steps = Math.ceil(countSteps(start, ms))
  const most = config.stepsPerCall
  if (steps > most) throw failure('tooManySteps', { call: 'advance', steps, most })
  const passed = new Steps(start)
  // Time left, not a moment to reach: a block with a timestamp of its own may put the clock forward by itself.
  let leftMs = ms
  for (;;) {
    const { state } = passed
    const dueAt = nextDueAt(state)
    if (dueAt === undefined || dueAt - state.nowMs > leftMs) break
    leftMs -= dueAt - state.nowMs
    passed.add(await performDueStep(config, { ...state, nowMs: dueAt }))
  }
  passed.state = { ...passed.state, nowMs: passed.state.nowMs + leftMs }
  return passed.finish()
}

/** Lands `ms` later, sealing at most one block, with the time of the landing. */
export async function jumpClock(config: NodeConfig, start: NodeState, ms: number): Promise<Transition> {
  checkDuration('jump', start, ms)
  const landed = { ...start, nowMs: start.nowMs + ms }
  if (isSealDue(landed)) {
    return performDueStep(config, { ...landed, openedAtMs: landed.nowMs - landed.settings.blockTimeMs })
  }
  const isPartialDue = (nextDueAt(start) ?? Number.POSITIVE_INFINITY) <= landed.nowMs
  return isPartialDue ? performDueStep(config, landed) : unchanged(landed)
}

/** Goes to the next step that is due and performs it; does nothing where none ever is. */
export async function advanceToNext(config: NodeConfig, start: NodeState): Promise<Transition> {
  const dueAt = nextDueAt(start)
  if (dueAt === undefined) return unchanged(start)
  checkDuration('next', start, dueAt - start.nowMs)
  return performDueStep(config, { ...start, nowMs: dueAt })
}

/** Puts the clock forward without anything happening: what was due is due that much later. */
export function shiftClock(start: NodeState, ms: number): Transition {
  checkDuration('evm_increaseTime', start, ms)
  const { nowMs, openedAtMs, shiftedMs } = start
  return unchanged({ ...start, nowMs: nowMs + ms, openedAtMs: openedAtMs + ms, shiftedMs: shiftedMs + ms })
}

/** Fixes the timestamp, in seconds, of the next block; the clock follows when it is sealed. */
export function setNextTimestamp(start: NodeState, timestamp: number): Transition {
  if (start.chain.open !== undefined) throw failure('blockBegun')
  const least = leastTimestamp(start)
  const most = LATEST_TIME_MS / 1000
  if (timestamp < least) throw failure('timestampTooLow', { timestamp, least })
  if (timestamp > most) throw failure('timestampTooHigh', { timestamp, most })
  return unchanged({ ...start, nextTimestamp: timestamp })
}

/** Seals `count` blocks now, the first with a timestamp of its own if one is given. */
export async function mineBlocks(
  config: NodeConfig,
  start: NodeState,
  count: number,
  timestamp: number | undefined,
): Promise<Transition> {
  if (count > config.stepsPerCall) {
    throw failure('tooManySteps', { call: 'evm_mine', steps: count, most: config.stepsPerCall })
  }
  const mined = new Steps(timestamp === undefined ? start : setNextTimestamp(start, timestamp).state)
  for (let i = 0; i < count; i++) mined.add(await sealBlockNow(config, mined.state))
  return mined.finish()
}
