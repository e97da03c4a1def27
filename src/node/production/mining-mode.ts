// When blocks are made: for every transaction, on the clock, both or neither.

import { failure } from '../../primitives/errors.ts'
import { drawBlockTime } from '../clock/block-time.ts'
import { type Transition, unchanged } from '../events.ts'
import {
  type BlockTimeRange,
  LATEST_TIME_MS,
  type NodeConfig,
  type NodeState,
  type Production,
  type Settings,
} from '../node-state.ts'
import { sealBlockNow } from './block-production.ts'

function withSettings(state: NodeState, changes: Partial<Settings>): NodeState {
  return { ...state, settings: { ...state.settings, ...changes } }
}

/** Turns automine on or off. What waits in the pool goes with the next transaction that is sent. */
export function setAutomine(state: NodeState, automines: boolean): NodeState {
  return withSettings(state, { automines })
}

/** Lets blocks fall due on the clock, the first of them a block time from now. */
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

/** No block falls due any more. */
export function stopSealingOnTime(state: NodeState): NodeState {
  return withSettings(state, { sealsOnTime: false })
}

/** The two facts that the option `production` names together. */
export function setProduction(state: NodeState, production: Production): NodeState {
  const { blockTimeMs, blockTimeRange } = state.settings
  const mode = setAutomine(state, production === 'auto')
  return production === 'interval' ? sealOnTime(mode, blockTimeRange ?? blockTimeMs) : stopSealingOnTime(mode)
}

/** Turns automine on, and where nothing was being mined, seals what waits. */
export async function startMining(config: NodeConfig, state: NodeState): Promise<Transition> {
  const { automines, sealsOnTime } = state.settings
  const started = setAutomine(state, true)
  if (automines || sealsOnTime) return unchanged(started)
  const sealed = await sealBlockNow(config, started)
  return sealed.state.chain.head.executed.length === 0 ? unchanged(started) : sealed
}
