// The turns of the batcher and the proposer.

import type { PairSteps } from '../pair-steps.ts'
import { isNamed, postBatches } from './batcher.ts'
import { proposeOutput, resolutionTimes, resolveGames } from './proposer.ts'

/** The next multiple of an interval, counted from the epoch: a jump does not shift it. */
export function nextTurn(atMs: number, intervalMs: number): number {
  return (Math.floor(atMs / intervalMs) + 1) * intervalMs
}

/** The times at which the games of a layer 2 can be resolved, in order. */
export function* resolutionsOf(steps: PairSteps, index: number): IterableIterator<number> {
  const { gameMs } = steps.chainConfig(index).proposer
  for (const [, atMs] of resolutionTimes(steps.chain(index), gameMs)) yield atMs
}

/** The time at which an actor of a layer 2 has something to do after a time. */
export function nextActionAt(steps: PairSteps, index: number, afterMs: number): number {
  const { batcher, proposer } = steps.chain(index)
  const times = batcher.isWithheld ? [] : [batcher.nextAtMs]
  if (!proposer.isWithheld) {
    times.push(proposer.nextAtMs)
    for (const atMs of resolutionsOf(steps, index)) {
      times.push(atMs)
      if (atMs > afterMs) break
    }
  }
  return Math.min(...times.filter((atMs) => atMs > afterMs))
}

async function actFor(steps: PairSteps, index: number, atMs: number): Promise<void> {
  const { batcher, proposer } = steps.chainConfig(index)
  const { batcher: batching, proposer: proposing } = steps.chain(index)
  if (!batching.isWithheld && batching.nextAtMs <= atMs) {
    if (isNamed(steps.chain(index), batcher.sender)) await postBatches(steps, index)
    const nextAtMs = nextTurn(atMs, batcher.intervalMs)
    steps.change(index, { batcher: { ...steps.chain(index).batcher, nextAtMs } })
  }
  if (proposing.isWithheld) return
  await resolveGames(steps, index, atMs)
  if (proposing.nextAtMs > atMs) return
  await proposeOutput(steps, index)
  const nextAtMs = nextTurn(atMs, proposer.intervalMs)
  steps.change(index, { proposer: { ...steps.chain(index).proposer, nextAtMs } })
}

/** Lets all actors do what is due. */
export async function act(steps: PairSteps, atMs: number): Promise<void> {
  for (const index of steps.indices) await actFor(steps, index, atMs)
}
