// Mining on command: one block or many.

import { failure } from '../../primitives/errors.ts'
import { timingAtInterval, timingOnCommand } from '../clock/block-timing.ts'
import { setNextTimestamp } from '../clock/clock.ts'
import { sealEmptyRun } from '../clock/empty-run.ts'
import { Steps, type Transition, unchanged } from '../events.ts'
import { leastTimestamp, type NodeConfig, type NodeState, scheduleIn } from '../node-state.ts'
import { sealBlockNow } from './block-production.ts'

export interface MiningOrder {
  readonly count: number
  /** The timestamp of the first block in seconds; absent for the one that it would have anyway. */
  readonly timestamp?: number | undefined
  /** The least value of `timestamp`; absent for the least timestamp of a block. */
  readonly least?: number | undefined
  /** Seconds between the timestamps of the blocks; absent for the clock's. */
  readonly intervalS?: number | undefined
}

/** The state with the timestamp of the next block an interval after the head. */
function spaced(state: NodeState, intervalS: number): NodeState {
  const { timestamp } = state.chain.head.header
  return { ...state, nextTimestamp: Math.max(timestamp + intervalS, leastTimestamp(state)) }
}

/**
 * An order in which the first block is an interval after the clock. A block that has begun, or whose timestamp was
 * set, keeps its timestamp.
 */
export function spacedOrder(state: NodeState, count: number, intervalS: number): MiningOrder {
  const isFixed = state.chain.open !== undefined || state.nextTimestamp !== undefined
  const timestamp = Math.floor(state.nowMs / 1000) + intervalS
  return { count, intervalS, timestamp: isFixed ? undefined : timestamp }
}

/** Hardhat reserves no fewer blocks than this, with the block after them. */
const LEAST_RESERVED = 6

/**
 * Number of the `left` next blocks that may be a run of empty ones. On a chain with proof of work Hardhat seals two,
 * and then those before the pool is empty, and the last one, and reserves the others.
 */
function runLength(config: NodeConfig, state: NodeState, done: number, left: number): number {
  if (!scheduleIn(config, state).buildsWithWork) return left
  const isReserved = done >= 2 && left >= LEAST_RESERVED && state.chain.head.executed.length === 0
  return isReserved ? left - 1 : 0
}

/** Seals `count` blocks now. */
export async function mineBlocks(
  config: NodeConfig,
  start: NodeState,
  { count, timestamp, least, intervalS }: MiningOrder,
): Promise<Transition> {
  const most = Math.min(config.stepsPerCall, Number.MAX_SAFE_INTEGER - start.chain.head.header.number)
  if (count > most) throw failure('tooManySteps', { call: 'mining', steps: count, most })
  if (count === 0) return unchanged(start)
  const mined = new Steps(timestamp === undefined ? start : setNextTimestamp(start, timestamp, least).state)
  for (let done = 0; done < count; ) {
    const { state } = mined
    const isSpaced = done > 0 && intervalS !== undefined
    const timing = isSpaced ? timingAtInterval(state, intervalS) : timingOnCommand(state)
    // With an interval, the timestamp of the first block follows another rule than the later ones.
    const isAlike = timing !== undefined && (isSpaced || intervalS === undefined)
    const most = runLength(config, state, done, count - done)
    const run = isAlike ? sealEmptyRun(config, state, { ...timing, count: most }) : undefined
    mined.add(run ?? (await sealBlockNow(config, isSpaced ? spaced(state, intervalS) : state)))
    done += run?.result ?? 1
  }
  return mined.finish()
}
