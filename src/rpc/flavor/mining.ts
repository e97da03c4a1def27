// Where the emulators disagree about time and mining: what each does when it is asked for the same.

import { type BlockTimeRange, leastTimestamp, type NodeState } from '../../node/node-state.ts'
import { type MiningOrder, spacedOrder } from '../../node/production/mine.ts'
import { sealOnTime, setAutomine, stopSealingOnTime } from '../../node/production/mining-mode.ts'
import { failure, reworded } from '../../primitives/errors.ts'
import type { Flavor } from './flavor.ts'

/** The least timestamp that may be asked for: anvil lets a block have that of its parent. */
export function leastAskedTimestamp(flavor: Flavor, state: NodeState): number {
  return flavor === 'anvil' ? state.chain.head.header.timestamp : leastTimestamp(state)
}

/** Hardhat's code for what it does not take. */
const INVALID_INPUT = -32000

/** Refuses a timestamp that is too low, in the words that tests look for. */
export function checkAskedTimestamp(flavor: Flavor, state: NodeState, timestamp: number): void {
  const least = leastAskedTimestamp(flavor, state)
  if (timestamp >= least) return
  const previous = state.chain.head.header.timestamp
  const refusal = failure('timestampTooLow', { timestamp, least })
  if (flavor === 'ganache') throw refusal
  if (flavor === 'anvil') {
    const words = `Timestamp error: ${timestamp} is lower than previous block's timestamp`
    throw reworded(refusal, refusal.code, words)
  }
  const words =
    timestamp < previous
      ? `Timestamp ${timestamp} is lower than the previous block's timestamp ${previous}`
      : `Timestamp ${timestamp} is equal to the previous block's timestamp. Enable the 'allowBlocksWithSameTimestamp' option to allow this`
  throw reworded(refusal, INVALID_INPUT, words)
}

/**
 * Many blocks, with an interval in seconds between them. Hardhat's first block has the time that it would have
 * anyway, and no interval means a second; with anvil the clock goes forward by the interval before each block, and
 * none, or zero, leaves the time to the clock.
 */
export function miningOrder(
  flavor: Flavor,
  state: NodeState,
  count: number,
  intervalS: number | undefined,
): MiningOrder {
  if (flavor === 'hardhat') return { count, intervalS: intervalS ?? 1 }
  return intervalS === undefined || intervalS === 0 ? { count } : spacedOrder(state, count, intervalS)
}

/** anvil mines in one way at a time; the others can do so for each transaction and on time as well. */
export function withAutomine(flavor: Flavor, state: NodeState, isEnabled: boolean): NodeState {
  const changed = setAutomine(state, isEnabled)
  return flavor === 'anvil' && isEnabled ? stopSealingOnTime(changed) : changed
}

/** The same for mining on time; `undefined` turns it off. */
export function withIntervalMining(
  flavor: Flavor,
  state: NodeState,
  blockTime: number | BlockTimeRange | undefined,
): NodeState {
  const mode = flavor === 'anvil' ? setAutomine(state, false) : state
  return blockTime === undefined ? stopSealingOnTime(mode) : sealOnTime(mode, blockTime)
}
