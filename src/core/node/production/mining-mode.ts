// The mining mode: automine, blocks on time, both or neither.

import { failure } from '../../primitives/errors.ts'
import { drawBlockTime } from '../clock/block-time.ts'
import { type Transition, unchanged } from '../events.ts'
import {
  type BlockTimeRange,
  LATEST_TIME_MS,
  type NodeConfig,
  type NodeState,
  type Production,
  withSettings,
} from '../node-state.ts'
import { sealBlockNow } from './block-production.ts'

/** Turns automine on or off. Pooled transactions are sealed together with the next one that is sent. */
export function setAutomine(state: NodeState, automines: boolean): NodeState {
  return withSettings(state, { automines })
}

/** Makes blocks fall due on the clock, the first one block time from now. */
export function sealOnTime(state: NodeState, blockTime: number | BlockTimeRange): NodeState {
  const range = typeof blockTime === 'number' ? { leastMs: blockTime, mostMs: blockTime } : blockTime
  if (state.nowMs + range.mostMs > LATEST_TIME_MS) {
    throw failure('timeOutOfRange', { call: 'interval mining', latestMs: LATEST_TIME_MS })
  }
  return withSettings(
    { ...state, openedAtMs: state.nowMs },
    {
      sealsOnTime: true,
      blockTimeMs: drawBlockTime(range, state.chain.head.header.number, state.prevRandaoSource.prevRandao),
      blockTimeRange: range.leastMs === range.mostMs ? undefined : range,
    },
  )
}

/** Blocks no longer fall due. */
export function stopSealingOnTime(state: NodeState): NodeState {
  return withSettings(state, { sealsOnTime: false })
}

/** Sets automine and sealing on time as the option `production` does. */
export function setProduction(state: NodeState, production: Production): NodeState {
  const { blockTimeMs, blockTimeRange } = state.settings
  const mode = setAutomine(state, production === 'auto')
  return production === 'interval' ? sealOnTime(mode, blockTimeRange ?? blockTimeMs) : stopSealingOnTime(mode)
}

/** Turns automine on; seals the pooled transactions if the chain produced no blocks before. */
export async function startMining(config: NodeConfig, state: NodeState): Promise<Transition> {
  const { automines, sealsOnTime } = state.settings
  const started = setAutomine(state, true)
  if (automines || sealsOnTime) return unchanged(started)
  const sealed = await sealBlockNow(config, started)
  return sealed.state.chain.head.executed.length === 0 ? unchanged(started) : sealed
}
