// What happened in runs of empty blocks, told block by block to whoever listens, as if each had been sealed by itself.

import { reopenBlock } from '../../chain/block/block.ts'
import { appendRun } from '../../chain/chain.ts'
import { momentOf, type Pace, timestampOf } from '../../chain/runs/block-timing.ts'
import type { EmptyRun } from '../../chain/runs/empty-run.ts'
import { buildBlockOf } from '../../chain/runs/run-blocks.ts'
import type { NodeEvent, QuietEvents } from '../events.ts'
import { foreseeOpenBlock, type NodeState, sealDueAt } from '../node-state.ts'
import { nextPartialAt, openingOf, sealedState } from '../production/block-production.ts'

/** Empty blocks, and when they are. */
export interface RunOrder {
  /** How many, at most. */
  readonly count: number
  /** Their timestamps. */
  readonly pace: Pace
  /** The times of their seals; where a block's timestamp is later, the clock follows. */
  readonly clock: Pace
  /** Whether they fall due one after another, with their partial blocks, or are told to be. */
  readonly manner: 'due' | 'told'
}

/** The time on the clock, in milliseconds, when the i-th block is sealed. */
export function sealTimeOf({ clock, pace }: RunOrder, index: number): number {
  return Math.max(momentOf(clock, index), timestampOf(pace, index) * 1000)
}

/** The state after a partial block that brought nothing, and its event. */
export function closeEmptyPartial(state: NodeState): Extract<NodeEvent, { type: 'partialBlockClosed' }> {
  const index = state.partialsClosed + 1
  const closed = { ...state, partialsClosed: index }
  return { type: 'partialBlockClosed', partial: { index, executed: [] }, state: closed }
}

/** The partial blocks of an empty block, up to the one that coincides with its seal. */
function* partialsOf(start: NodeState, manner: RunOrder['manner']) {
  const sealAt = manner === 'due' ? (sealDueAt(start) ?? start.nowMs) : start.nowMs
  let state = start
  for (let dueAt = nextPartialAt(state); dueAt < sealAt; dueAt = nextPartialAt(state)) {
    const event = closeEmptyPartial({ ...state, nowMs: dueAt })
    yield event
    state = event.state
  }
  yield closeEmptyPartial({ ...state, nowMs: sealAt })
}

/** The blocks of a run from the one at a position on. */
export interface Stretch {
  readonly run: EmptyRun
  readonly from: number
}

/** The events of stretches that follow one on another, and the first on the head of `start`. */
export function eventsOfRuns(start: NodeState, stretches: readonly Stretch[], order: RunOrder): QuietEvents {
  const lengthOf = ({ run, from }: Stretch): number => run.count - from
  const total = stretches.reduce((sum, stretch) => sum + lengthOf(stretch), 0)
  /** The chain before each stretch; made when somebody listens. */
  const chains = [start.chain]
  const chainBefore = (position: number): typeof start.chain => {
    while (chains.length <= position) {
      const last = chains.length - 1
      const { run } = stretches[last] as Stretch
      chains.push(appendRun(chains[last] as typeof start.chain, run))
    }
    return chains[position] as typeof start.chain
  }
  const locate = (index: number) => {
    let offset = index
    let position = 0
    while (offset >= lengthOf(stretches[position] as Stretch)) {
      offset -= lengthOf(stretches[position] as Stretch)
      position++
    }
    const { run, from } = stretches[position] as Stretch
    return { run, before: chainBefore(position), offset: from + offset }
  }
  /** Lets a state show the i-th block as the one that is being built. */
  const foresee = (state: NodeState, index: number): void => {
    if (index >= total) return
    const { run, offset } = locate(index)
    foreseeOpenBlock(state, () => reopenBlock(buildBlockOf(run, offset), state.chain.head))
  }
  return function* (audienceOf) {
    let state = start
    for (let index = 0; index < total; index++) {
      const audience = audienceOf()
      if (audience === 'nobody') return
      const { run, before, offset } = locate(index)
      if (audience === 'partials') {
        for (const event of partialsOf(state, order.manner)) {
          foresee(event.state, index)
          yield event
        }
      }
      const sealAt = sealTimeOf(order, index)
      state = sealedState({ ...state, nowMs: sealAt }, appendRun(before, run, offset + 1))
      yield { type: 'blockSealed', block: state.chain.head, state }
      if (audienceOf() !== 'partials') continue
      foresee(state, index + 1)
      yield* openingOf(state)
    }
  }
}
