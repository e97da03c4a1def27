// Events of empty blocks, generated lazily, as if each block had been sealed individually. Reserved blocks have none.

import { appendRun } from '../../chain/chain.ts'
import { type RunSlice, timeMsOf, timestampOf } from '../../chain/runs/runs.ts'
import type { EventInterest, NodeEvent } from '../events.ts'
import { type NodeState, nextBlockTimestamp, sealDueAt } from '../node-state.ts'
import { nextPartialAt, openingOf, sealedState } from '../production/block-production.ts'
import type { EmptyOrder } from './block-timing.ts'

/** The time on the clock, in milliseconds, when the i-th block is sealed. */
export function sealTimeOf({ seals, timestamps }: EmptyOrder, index: number): number {
  return Math.max(timeMsOf(seals, index), timestampOf(timestamps, index) * 1000)
}

/** The state after a partial block without transactions, and its event. */
export function closeEmptyPartial(state: NodeState): Extract<NodeEvent, { type: 'partialBlock' }> {
  const index = state.partialsClosed + 1
  const closed = { ...state, partialsClosed: index }
  return { type: 'partialBlock', partial: { index, executed: [] }, state: closed }
}

/** The partial blocks of an empty block, up to the one that coincides with its seal. */
function* partialsOf(start: NodeState, manner: EmptyOrder['manner']) {
  const sealAt = manner === 'due' ? (sealDueAt(start) ?? start.nowMs) : start.nowMs
  let state = start
  for (let dueAt = nextPartialAt(state); dueAt < sealAt; dueAt = nextPartialAt(state)) {
    const event = closeEmptyPartial({ ...state, nowMs: dueAt })
    yield event
    state = event.state
  }
  yield closeEmptyPartial({ ...state, nowMs: sealAt })
}

/** The state in which the next block has this timestamp. */
function stamped(state: NodeState, timestamp: number): NodeState {
  return nextBlockTimestamp(state) === timestamp ? state : { ...state, nextTimestamp: timestamp }
}

/** The events of consecutive slices of runs; the first slice begins on the head of `start`. */
export function* eventsOfRuns(
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
      const open = stamped(state, timestampOf(order.timestamps, index))
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
