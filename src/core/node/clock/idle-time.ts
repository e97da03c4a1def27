// Idle time: only partial blocks fall due, and no waiting transaction can enter them.

import { copyState } from '../copy-state.ts'
import type { Audience, QuietEvents, Transition } from '../events.ts'
import { type NodeState, sealDueAt } from '../node-state.ts'
import { nextPartialAt } from '../production/block-production.ts'
import { closeEmptyPartial } from './empty-events.ts'
import { isPoolStuck } from './quiet-pool.ts'

/** The events of partial blocks in which nothing happens. */
function* eventsOfIdle(start: NodeState, count: number, audienceOf: () => Audience) {
  let state = start
  for (let position = 0; position < count && audienceOf() === 'partials'; position++) {
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
export function passIdle(start: NodeState, ms: number): Transition<number> | undefined {
  const { nowMs, settings, rollup } = start
  const firstAt = nextPartialAt(start)
  const sealAt = sealDueAt(start)
  const untilMs = Math.min(nowMs + ms, (sealAt ?? Number.POSITIVE_INFINITY) - 1)
  // Elsewhere a block that seals on time belongs to a run of empty blocks.
  const isSealing = sealAt !== undefined && rollup === undefined
  if (isSealing || firstAt > untilMs || rollup?.isOpeningTold === false || !isPoolStuck(start)) {
    return undefined
  }
  const count = Math.floor((untilMs - firstAt) / settings.partialBlockTimeMs) + 1
  const lastAt = firstAt + (count - 1) * settings.partialBlockTimeMs
  const state = copyState(start)
  state.nowMs = lastAt
  state.partialsClosed += count
  const events: QuietEvents = (audienceOf) => eventsOfIdle(start, count, audienceOf)
  const { chain } = state
  return { state, events: [{ type: 'quietPassed', events, chain, count: 0 }], result: lastAt - nowMs }
}
