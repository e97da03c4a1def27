// Copies of a node's state to change, for the steps that every block takes. Field by field: states of several shapes come
// together there, and engines then copy each field of a spread the slow way.

import type { NodeState } from './node-state.ts'

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

export function copyState(state: NodeState): Mutable<NodeState> {
  return {
    config: state.config,
    nowMs: state.nowMs,
    openedAtMs: state.openedAtMs,
    partialsClosed: state.partialsClosed,
    shiftedMs: state.shiftedMs,
    chain: state.chain,
    pool: state.pool,
    settings: state.settings,
    controls: state.controls,
    nextTimestamp: state.nextTimestamp,
    prevRandaoSource: state.prevRandaoSource,
    rollup: state.rollup,
    shownPending: state.shownPending,
    isRehearsed: state.isRehearsed,
    batch: state.batch,
    joint: state.joint,
  } satisfies Record<keyof NodeState, unknown>
}
