// Flavor of evm_revert: what a snapshot of Hardhat leaves out.

import { type NodeState, withControls, withSettings } from '../../node/node-state.ts'
import { sealOnTime, stopSealingOnTime } from '../../node/production/mining-mode.ts'
import type { Flavor } from './flavor.ts'

/** Hardhat's snapshots do not hold automine, interval mining, the minimum gas price and impersonated accounts. */
export function revertedState(flavor: Flavor, current: NodeState, saved: NodeState): NodeState {
  if (flavor !== 'hardhat') return saved
  const { automines, sealsOnTime, blockTimeMs, blockTimeRange } = current.settings
  const { impersonated, impersonatesAll, leastGasPrice } = current.controls
  const kept = withControls(saved, { impersonated, impersonatesAll, leastGasPrice })
  const state = withSettings(kept, { automines })
  return sealsOnTime ? sealOnTime(state, blockTimeRange ?? blockTimeMs) : stopSealingOnTime(state)
}
