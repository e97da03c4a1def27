// Idle time: only partial blocks fall due, and no waiting transaction can enter them.

import type { QuietEvents, Transition } from '../events.ts'
import { type NodeState, sealDueAt } from '../node-state.ts'
import { nextPartialAt } from '../production/block-production.ts'
import { closeEmptyPartial } from './empty-events.ts'
import { isPoolStuck } from './quiet-pool.ts'

/**
 * Performs the partial blocks of the next `ms` at once, and returns the time that they take; `undefined` if a block may
 * be sealed meanwhile, a transaction may enter one of them, or none falls due.
 */
export function passIdle(start: NodeState, ms: number): Transition<number> | undefined {
  const { nowMs, partialsClosed, settings } = start
  const firstAt = nextPartialAt(start)
  if (sealDueAt(start) !== undefined || firstAt > nowMs + ms || !isPoolStuck(start)) return undefined
  const count = Math.floor((nowMs + ms - firstAt) / settings.partialBlockTimeMs) + 1
  const lastAt = firstAt + (count - 1) * settings.partialBlockTimeMs
  const state = { ...start, nowMs: lastAt, partialsClosed: partialsClosed + count }
  const events: QuietEvents = function* (audienceOf) {
    let passed = start
    for (let position = 0; position < count && audienceOf() === 'partials'; position++) {
      const event = closeEmptyPartial({ ...passed, nowMs: nextPartialAt(passed) })
      yield event
      passed = event.state
    }
  }
  const { chain } = state
  return { state, events: [{ type: 'quietPassed', events, chain, count: 0 }], result: lastAt - nowMs }
}
