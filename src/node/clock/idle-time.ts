// Time in which nothing is sealed and nothing waits: partial blocks fall due all the same, and bring nothing.

import type { NodeEvent, Transition } from '../events.ts'
import { type NodeState, sealDueAt } from '../node-state.ts'
import { nextPartialAt } from '../production/block-production.ts'
import { isPoolStuck } from './quiet-pool.ts'
import { closeEmptyPartial } from './run-events.ts'

/**
 * Passes the partial blocks of the next `ms` at once, and answers how long that takes; `undefined` where a block may
 * be sealed meanwhile, a transaction may get into one of them, or none falls due.
 */
export function passIdle(start: NodeState, ms: number): Transition<number> | undefined {
  const { nowMs, partialsClosed, settings } = start
  const firstAt = nextPartialAt(start)
  if (sealDueAt(start) !== undefined || firstAt > nowMs + ms || !isPoolStuck(start)) return undefined
  const count = Math.floor((nowMs + ms - firstAt) / settings.partialBlockTimeMs) + 1
  const lastAt = firstAt + (count - 1) * settings.partialBlockTimeMs
  const state = { ...start, nowMs: lastAt, partialsClosed: partialsClosed + count }
  const events = function* (audienceOf: () => string): IterableIterator<NodeEvent> {
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
