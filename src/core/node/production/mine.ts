// Mining on command: one block or many.

import type { SealedBlock } from '../../chain/block/block.ts'
import { isDeposit } from '../../execution/transaction/run-transaction.ts'
import { failure } from '../../primitives/errors.ts'
import { drawBlockTime, timingAtInterval, timingOnCommand } from '../clock/block-timing.ts'
import { setNextTimestamp } from '../clock/clock.ts'
import { sealEmptyRun } from '../clock/empty-run.ts'
import { Steps, type Transition, unchanged } from '../events.ts'
import type { NodeState } from '../node-state.ts'
import * as states from '../node-state.ts'
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

function spaced(state: NodeState, intervalS: number): NodeState {
  const { timestamp } = state.chain.head.header
  return { ...state, nextTimestamp: Math.max(timestamp + intervalS, states.leastTimestamp(state)) }
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
function runLength(state: NodeState, done: number, left: number): number {
  if (!states.scheduleIn(state).buildsWithWork) return left
  const isReserved = done >= 2 && left >= LEAST_RESERVED && state.chain.head.executed.length === 0
  return isReserved ? left - 1 : 0
}

/**
 * True if a block has transactions beside deposits. The next one is mostly read, or built on, so it is sealed at once: to
 * begin a run and to build its block takes longer.
 */
function hasTransactions({ executed }: SealedBlock): boolean {
  return executed.some(({ transaction }) => !isDeposit(transaction))
}

export async function mineBlocks(start: NodeState, { count, timestamp, least, intervalS }: MiningOrder) {
  const most = Math.min(states.mostSteps(start), Number.MAX_SAFE_INTEGER - start.chain.head.header.number)
  if (count > most) throw failure('tooManySteps', { call: 'mining', steps: count, most })
  if (count === 0) return unchanged(start)
  const mined = new Steps(timestamp === undefined ? start : setNextTimestamp(start, timestamp, least).state)
  for (let done = 0; done < count; ) {
    const { state } = mined
    const isSpaced = done > 0 && intervalS !== undefined
    const timing = isSpaced ? timingAtInterval(state, intervalS) : timingOnCommand(state)
    // With an interval, the timestamp of the first block follows another rule than the later ones.
    const isUniform = timing !== undefined && (isSpaced || intervalS === undefined)
    const most = runLength(state, done, count - done)
    const isRun = isUniform && (most > 1 || !hasTransactions(state.chain.head))
    const run = isRun ? sealEmptyRun(state, { ...timing, count: most }) : undefined
    mined.add(run ?? (await sealBlockNow(isSpaced ? spaced(state, intervalS) : state)))
    done += run?.result ?? 1
  }
  return mined.finish()
}

/** Turns automine on or off. Pooled transactions are sealed together with the next one that is sent. */
export function setAutomine(state: NodeState, automines: boolean): NodeState {
  return states.withSettings(state, { automines })
}

/** Makes blocks fall due on the clock, the first one block time from now. */
export function sealOnTime(state: NodeState, blockTime: number | states.BlockTimeRange): NodeState {
  const range = typeof blockTime === 'number' ? { leastMs: blockTime, mostMs: blockTime } : blockTime
  if (state.nowMs + range.mostMs > states.LATEST_TIME_MS)
    throw failure('timeOutOfRange', { call: 'interval mining', latestMs: states.LATEST_TIME_MS })
  // Drawn from the head, as for a chain that is loaded.
  const { number, prevRandao } = state.chain.head.header
  return states.withSettings(
    { ...state, openedAtMs: state.nowMs },
    {
      sealsOnTime: true,
      blockTimeMs: drawBlockTime(range, number, prevRandao),
      blockTimeRange: range.leastMs === range.mostMs ? undefined : range,
    },
  )
}

export function stopSealingOnTime(state: NodeState): NodeState {
  return states.withSettings(state, { sealsOnTime: false })
}

/** Sets automine and sealing on time as the option `production` does. */
export function setProduction(state: NodeState, production: states.Production): NodeState {
  const { blockTimeMs, blockTimeRange } = state.settings
  const mode = setAutomine(state, production === 'auto')
  return production === 'interval' ? sealOnTime(mode, blockTimeRange ?? blockTimeMs) : stopSealingOnTime(mode)
}

/** Turns automine on; seals the pooled transactions if the chain produced no blocks before. */
export async function startMining(state: NodeState): Promise<Transition> {
  const { automines, sealsOnTime } = state.settings
  const started = setAutomine(state, true)
  if (automines || sealsOnTime) return unchanged(started)
  const sealed = await sealBlockNow(started)
  return sealed.state.chain.head.executed.length === 0 ? unchanged(started) : sealed
}
