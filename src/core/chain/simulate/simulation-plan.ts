// Numbers and timestamps of simulated blocks; gaps in the numbers are filled with empty blocks
// (geth, internal/ethapi/simulate.go).

import type { BlockOverrides } from '../../execution/call/block-overrides.ts'
import { failure } from '../../primitives/errors.ts'
import type { Hash } from '../../primitives/hex.ts'
import { NO_STATE_OVERRIDES, type StateOverrides } from '../../state/overrides.ts'
import type { Withdrawal } from '../block/body.ts'
import type { SimulatedCall } from './simulated-call.ts'

/** Maximum distance of a simulated block from its base, as in geth. */
const MAX_BLOCKS = 256
/** Default seconds between simulated blocks, as in geth. */
const BLOCK_SECONDS = 12

/** Header fields that replace those derived from the parent. */
interface SimulatedHeader extends BlockOverrides {
  readonly beaconRoot: Hash | undefined
  readonly withdrawals: readonly Withdrawal[]
}

export interface SimulatedBlock {
  readonly header: SimulatedHeader
  readonly stateOverrides: StateOverrides
  readonly calls: readonly SimulatedCall[]
}

export interface PlannedBlock extends SimulatedBlock {
  readonly number: number
  /** Seconds. */
  readonly timestamp: number
}

const NO_OVERRIDES: SimulatedHeader = {
  number: undefined,
  timestamp: undefined,
  coinbase: undefined,
  gasLimit: undefined,
  prevRandao: undefined,
  baseFeePerGas: undefined,
  blobBaseFee: undefined,
  difficulty: undefined,
  beaconRoot: undefined,
  withdrawals: [],
}

interface Position {
  readonly number: number
  readonly timestamp: number
}

/** The empty blocks between two numbers. */
function fillGap(after: Position, until: number): PlannedBlock[] {
  const filled: PlannedBlock[] = []
  for (let number = after.number + 1; number < until; number++) {
    const timestamp = after.timestamp + (number - after.number) * BLOCK_SECONDS
    filled.push({ header: NO_OVERRIDES, stateOverrides: NO_STATE_OVERRIDES, calls: [], number, timestamp })
  }
  return filled
}

/** Assigns numbers and timestamps; throws if they do not increase or exceed the limit. */
export function planBlocks(base: Position, blocks: readonly SimulatedBlock[]): PlannedBlock[] {
  if (blocks.length > MAX_BLOCKS) throw failure('simulationTooLarge', { what: 'blocks', most: MAX_BLOCKS })
  const planned: PlannedBlock[] = []
  let previous = base
  for (const block of blocks) {
    const number = block.header.number ?? previous.number + 1
    if (number <= previous.number) {
      throw failure('simulatedNumbersNotInOrder', { number, previous: previous.number })
    }
    if (number - base.number > MAX_BLOCKS) {
      throw failure('simulationTooLarge', { what: 'blocks', most: MAX_BLOCKS })
    }
    const filled = fillGap(previous, number)
    previous = filled.at(-1) ?? previous
    const timestamp = block.header.timestamp ?? previous.timestamp + BLOCK_SECONDS
    if (timestamp <= previous.timestamp) {
      throw failure('simulatedTimestampsNotInOrder', { timestamp, previous: previous.timestamp })
    }
    previous = { number, timestamp }
    planned.push(...filled, { ...block, number, timestamp })
  }
  return planned
}
