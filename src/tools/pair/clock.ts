// The one clock of a pair. At equal times the layer 1 comes first, then the layers 2 hear of its block, then they go on.

import { blockAt } from '../../core/chain/chain.ts'
import { advanceClock, jumpClock, nextDueAt } from '../../core/node/clock/clock.ts'
import type { NodeState } from '../../core/node/node-state.ts'
import { act, nextActionAt, resolutionsOf } from './actors/actors.ts'
import type { PairSteps } from './pair-steps.ts'
import { relayToAll, sealForL1, withOriginFree } from './relay.ts'

/** The most stops that a jump makes for games to be resolved in time. */
const MOST_STOPS = 16

function passTime(state: NodeState, ms: number): NodeState {
  return { ...state, nowMs: state.nowMs + ms, openedAtMs: state.openedAtMs + ms }
}

async function advanceL2(steps: PairSteps, index: number, toMs: number): Promise<void> {
  const { l2, stopped } = steps.chain(index)
  const ms = toMs - l2.nowMs
  if (ms <= 0) return
  if (stopped === undefined) steps.add(index, await advanceClock(l2, ms))
  else steps.setState(index, passTime(l2, ms))
}

async function advanceAllL2(steps: PairSteps, toMs: number): Promise<void> {
  for (const index of steps.indices) await advanceL2(steps, index, toMs)
}

/** When the layer 1 does something next, or the layers 2 hear of it. What is overdue is done at the next stop anyway. */
function nextEventAt(steps: PairSteps): number {
  const { l1, chains } = steps.pair
  const { earliestMs } = steps
  const times = chains.flatMap((chain, index) => {
    const unread = blockAt(l1.chain, chain.lastRead + 1)
    const told = unread === undefined ? [] : [unread.header.timestamp * 1000]
    return [nextActionAt(steps, index, earliestMs), ...told]
  })
  return Math.min(
    ...[nextDueAt(l1) ?? Number.POSITIVE_INFINITY, ...times].filter((atMs) => atMs > earliestMs),
  )
}

/**
 * Brings all layers to a time, or to the time of the one that is ahead of it. Those that are behind do what falls due.
 * The actors do what is due up to that time: where the layers seal each transaction at once, blocks for theirs move the
 * clock, and more may fall due without end. It is left to the next call.
 * `commit` is called after each block of the layer 1, so that the events of a long time need not be held.
 */
export async function runTo(steps: PairSteps, toMs: number, commit?: () => Promise<void>): Promise<void> {
  const lastActionMs = Math.max(toMs, steps.latestMs)
  for (let isThere = false; !isThere; ) {
    isThere = await steps.attempt(async () => {
      const untilMs = Math.max(toMs, steps.latestMs)
      const atMs = Math.max(steps.earliestMs, Math.min(untilMs, nextEventAt(steps)))
      await advanceAllL2(steps, atMs - 1)
      const { l1 } = steps.pair
      if (l1.nowMs < atMs) steps.add('l1', await advanceClock(l1, atMs - l1.nowMs))
      await relayToAll(steps, atMs)
      await advanceAllL2(steps, atMs)
      await sealForL1(steps)
      if (atMs <= lastActionMs) await act(steps, atMs)
      return atMs >= untilMs && steps.earliestMs === steps.latestMs
    })
    await commit?.()
  }
}

/** Moves all layers to a time, each with at most one block. */
async function land(steps: PairSteps, toMs: number): Promise<void> {
  const { l1 } = steps.pair
  // What is sent waits for the block of the layer 1 at the time of arrival; where it would have one of its own, it is
  // sent then.
  if (!l1.settings.automines) await act(steps, toMs)
  steps.add('l1', await jumpClock(steps.pair.l1, Math.max(0, toMs - l1.nowMs)))
  const atMs = steps.pair.l1.nowMs
  await relayToAll(steps, atMs)
  for (const index of steps.indices) {
    const { l2, stopped } = steps.chain(index)
    const ms = Math.max(0, atMs - l2.nowMs)
    if (stopped === undefined) steps.add(index, await jumpClock(withOriginFree(l2), ms))
    else steps.setState(index, passTime(l2, ms))
  }
}

/** Brings all layers to a time at once, each with at most one block. */
export async function jumpAll(steps: PairSteps, toMs: number): Promise<void> {
  await steps.attempt(() => land(steps, toMs))
  await runTo(steps, steps.latestMs)
}

/** Where a jump stops: at the times at which games can be resolved, since the protocol's delays count from there. */
function stopsBefore(steps: PairSteps, toMs: number): number[] {
  const due = steps.indices.flatMap((index) => {
    const times = steps.chain(index).proposer.isWithheld ? [] : [...resolutionsOf(steps, index)]
    return times.map(([, atMs]) => atMs).filter((atMs) => atMs > steps.latestMs && atMs < toMs)
  })
  const times = [...new Set(due)].sort((a, b) => a - b)
  const each = Math.ceil(times.length / MOST_STOPS)
  return times.filter((_, position) => (times.length - 1 - position) % each === 0)
}

export async function jumpTo(steps: PairSteps, toMs: number): Promise<void> {
  for (const atMs of stopsBefore(steps, toMs)) if (atMs > steps.latestMs) await jumpAll(steps, atMs)
  if (toMs > steps.latestMs) await jumpAll(steps, toMs)
}

/** The time of the next step of any layer; `undefined` if none falls due. */
export function nextStepAt(steps: PairSteps): number | undefined {
  const layers = ['l1' as const, ...steps.indices.filter((index) => steps.chain(index).stopped === undefined)]
  const times = layers.flatMap((layer) => nextDueAt(steps.stateOf(layer)) ?? [])
  return times.length === 0 ? undefined : Math.min(...times)
}
