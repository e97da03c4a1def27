// The block of an upstream that a chain goes on from. Its transactions stay with the upstream.

import type { ForkHeader } from '../../fork/header-fields.ts'
import { completeHeader } from '../../rollup/header.ts'
import type { Rules } from '../../rollup/rules.ts'
import { commitOver } from '../../state/state-tries.ts'
import type { WorldState } from '../../state/world-state.ts'
import type { SealedBlock } from './block.ts'
import { EMPTY_BODY } from './body.ts'

/** The block with a state that stands on the upstream's. Its hash is given: networks may have fields of their own. */
export function createForkBlock(rules: Rules, fork: ForkHeader, state: WorldState): SealedBlock {
  const { hash, totalDifficulty, stateRoot, nonce } = fork
  return {
    rules,
    header: completeHeader(rules, fork),
    body: { ...EMPTY_BODY, nonce },
    hash,
    totalDifficulty,
    executed: [],
    committed: commitOver(state, stateRoot),
  }
}
