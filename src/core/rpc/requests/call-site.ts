// Call sites: environment, state and rules of a block with the overrides of a request applied.

import type { BlockView } from '../../chain/view.ts'
import { type BlockOverrides, overrideEnvironment } from '../../execution/call/block-overrides.ts'
import type { ExecutionContext } from '../../execution/evm/pooled-evm.ts'
import { executionContext, scheduleIn } from '../../node/node-state.ts'
import { overridePrecompiles } from '../../rollup/precompiles.ts'
import { overrideState, type StateOverrides } from '../../state/overrides.ts'
import type { ReadContext } from '../read-context.ts'

/** Where a call runs: the end of a block, or another state in it. */
export type CallPlace = Pick<BlockView, 'environment' | 'state' | 'rules'>

export interface CallSite extends CallPlace {
  readonly execution: ExecutionContext
}

/** The fork depends on number and timestamp, so overriding these may select another one. */
function rulesOf({ config, state }: ReadContext, view: CallPlace, overrides: BlockOverrides | undefined) {
  if (overrides?.number === undefined && overrides?.timestamp === undefined) return view.rules
  const { number, timestamp, difficulty } = view.environment
  return scheduleIn(config, state).rulesAt({
    number: overrides.number ?? number,
    timestamp: overrides.timestamp ?? timestamp,
    difficulty,
  })
}

/** The site of a call at a block. */
export function callSiteAt(
  context: ReadContext,
  view: CallPlace,
  accounts: StateOverrides,
  block: BlockOverrides | undefined,
): CallSite {
  const rules = rulesOf(context, view, block)
  return {
    rules,
    environment: block === undefined ? view.environment : overrideEnvironment(rules, view.environment, block),
    state: overrideState(view.state, accounts),
    execution: {
      ...executionContext(context.config, context.state, rules),
      precompiles: overridePrecompiles(rules, accounts),
    },
  }
}
