// Flavor of time and mining: timestamp limits, intervals between mined blocks, mining modes.

import { hasSlots } from '../../chain/block/moment.ts'
import { type BlockTimeRange, leastTimestamp, type NodeState } from '../../node/node-state.ts'
import {
  type MiningOrder,
  sealOnTime,
  setAutomine,
  spacedOrder,
  stopSealingOnTime,
} from '../../node/production/mine.ts'
import { failure, reworded } from '../../primitives/errors.ts'
import type { Flavor } from './flavor.ts'

/** The lowest timestamp that a request may name: anvil accepts the parent's. */
export function leastAskedTimestamp(flavor: Flavor, state: NodeState): number {
  const { head } = state.chain
  const isShared = flavor === 'anvil' && !hasSlots(head)
  return isShared ? head.header.timestamp : leastTimestamp(state)
}

/** Hardhat's error code for invalid input. */
const INVALID_INPUT = -32000

/** Refuses a timestamp that is too low, with the message that tests of the flavor compare. */
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
 * `count` blocks with an interval in seconds between them. In Hardhat the interval does not apply to the first block,
 * and its default is one second. In anvil the clock moves by the interval before each block; without an interval, or
 * with zero, the clock alone decides.
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

/** In anvil automining ends interval mining; in the others both can be on. */
export function withAutomine(flavor: Flavor, state: NodeState, isEnabled: boolean): NodeState {
  const changed = setAutomine(state, isEnabled)
  return flavor === 'anvil' && isEnabled ? stopSealingOnTime(changed) : changed
}

/** In anvil interval mining ends automining. `undefined` ends interval mining. */
export function withIntervalMining(
  flavor: Flavor,
  state: NodeState,
  blockTime: number | BlockTimeRange | undefined,
): NodeState {
  const mode = flavor === 'anvil' ? setAutomine(state, false) : state
  return blockTime === undefined ? stopSealingOnTime(mode) : sealOnTime(mode, blockTime)
}
