// Block timing of the next empty blocks: due on the clock, or sealed on command.

import type { SealedBlock } from '../../chain/block/block.ts'
import type { BlockTiming } from '../../chain/runs/runs.ts'
import { keccak256Hex } from '../../primitives/crypto.ts'
import { concatBytes, type Hash, hexToBytes, utf8ToBytes } from '../../primitives/hex.ts'
import type { Header } from '../../rollup/header.ts'
import * as states from '../node-state.ts'

type Ruled = Pick<SealedBlock, 'rules'>

/** A block time in the range, from the number and the prevRandao of its parent. */
export function drawBlockTime({ leastMs, mostMs }: states.BlockTimeRange, number: number, prevRandao: Hash) {
  const seed = concatBytes(utf8ToBytes(`block time after ${number}`), hexToBytes(prevRandao))
  return leastMs + Number(BigInt(keccak256Hex(seed)) % BigInt(mostMs - leastMs + 1))
}

/** The settings where a fork begins that decides the time of blocks, or is left by a rollback. */
function withSlot(settings: states.Settings, slotMs: number | undefined): states.Settings {
  const { blockTimeMs, partialBlockTimeMs, blockTimeRange } = settings
  if (slotMs === undefined) return { ...settings, ...settings.beforeSlots, beforeSlots: undefined }
  const slots = { blockTimeMs: slotMs, partialBlockTimeMs: slotMs, blockTimeRange: undefined }
  return { ...settings, ...slots, beforeSlots: { blockTimeMs, partialBlockTimeMs, blockTimeRange } }
}

export function settingsAfter(
  settings: states.Settings,
  head: Ruled & { readonly header: Pick<Header, 'number' | 'prevRandao'> },
  before: Ruled,
): states.Settings {
  const slotMs = head.rules.rollup?.changes.slotMs
  if (slotMs !== before.rules.rollup?.changes.slotMs) return withSlot(settings, slotMs)
  const { blockTimeRange } = settings
  if (blockTimeRange === undefined) return settings
  return {
    ...settings,
    blockTimeMs: drawBlockTime(blockTimeRange, head.header.number, head.header.prevRandao),
  }
}

export interface EmptyOrder {
  readonly count: number
  readonly timestamps: BlockTiming
  /** When they are sealed; the clock moves on to a block's timestamp if that is later. */
  readonly seals: BlockTiming
  /** Due on the clock, with partial blocks, or sealed on command. */
  readonly manner: 'due' | 'commanded'
}

type Timing = Omit<EmptyOrder, 'count'>

function everySeconds(timestamp: number, seconds: number): BlockTiming {
  return { firstMs: timestamp * 1000, intervalMs: seconds * 1000 }
}

/** The timing of blocks that fall due on the clock; `undefined` if the next one has another timestamp. */
export function timingOnClock(state: states.NodeState): Timing | undefined {
  const dueAt = states.sealDueAt(state)
  if (dueAt === undefined || dueAt < state.nowMs) return undefined
  const { blockTimeMs } = state.settings
  const seals = { firstMs: dueAt, intervalMs: blockTimeMs }
  const first = states.nextBlockTimestamp({ ...state, nowMs: dueAt })
  const { timestampIntervalS } = state.controls
  if (timestampIntervalS === undefined)
    return first === Math.floor(dueAt / 1000) ? { timestamps: seals, seals, manner: 'due' } : undefined
  // Timestamps that begin ahead of the clock and are slower are overtaken by it at some point.
  const isOvertaken = first * 1000 > dueAt && timestampIntervalS * 1000 < blockTimeMs
  return isOvertaken
    ? undefined
    : { timestamps: everySeconds(first, timestampIntervalS), seals, manner: 'due' }
}

/** The seconds between blocks that are sealed right after one another; `undefined` if they may vary. */
function secondsApart(state: states.NodeState, first: number): number | undefined {
  const { settings, controls, nowMs, openedAtMs } = state
  const least = states.leastTimestamp(state) - state.chain.head.header.timestamp
  if (controls.timestampIntervalS !== undefined) return controls.timestampIntervalS
  if (settings.automines || !settings.sealsOnTime) return least
  // Each block moves the clock to its own due time.
  if (first * 1000 >= nowMs) return Math.floor(settings.blockTimeMs / 1000)
  return openedAtMs === nowMs ? 0 : undefined
}

/** The timing of blocks that are sealed now; `undefined` if the next one has another timestamp. */
export function timingOnCommand(state: states.NodeState): Timing | undefined {
  const first = states.nextBlockTimestamp(state)
  const seconds = secondsApart(state, first)
  return seconds === undefined ? undefined : commanded(state, first, seconds)
}

function commanded(state: states.NodeState, first: number, seconds: number): Timing {
  const seals = { firstMs: state.nowMs, intervalMs: 0 }
  return { timestamps: everySeconds(first, seconds), seals, manner: 'commanded' }
}

/** The timing of blocks that are sealed now, at an interval in seconds. */
export function timingAtInterval(state: states.NodeState, seconds: number): Timing {
  const { timestamp } = state.chain.head.header
  const apart = Math.max(seconds, states.leastTimestamp(state) - timestamp)
  return commanded(state, timestamp + apart, apart)
}
