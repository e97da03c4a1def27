// Where a call runs: at a block, with what the request has otherwise than the chain.

import type { BlockView } from '../../chain/view.ts'
import { type BlockOverrides, overrideEnvironment } from '../../execution/call/block-overrides.ts'
import type { ExecutionContext } from '../../execution/evm/pooled-evm.ts'
import { executionContext, scheduleIn } from '../../node/node-state.ts'
import { overridePrecompiles } from '../../rollup/precompiles.ts'
import { overrideState, type StateOverrides } from '../../state/overrides.ts'
import type { ReadContext } from '../read-context.ts'

export interface CallSite extends Pick<BlockView, 'environment' | 'state' | 'rules'> {
  readonly execution: ExecutionContext
}

/** The rules follow the number and the time, so an override of them may call in another fork. */
function rulesOf({ config, state }: ReadContext, view: BlockView, overrides: BlockOverrides | undefined) {
  if (overrides?.number === undefined && overrides?.timestamp === undefined) return view.rules
  const { number, timestamp, difficulty } = view.environment
  return scheduleIn(config, state).rulesAt({
    number: overrides.number ?? number,
    timestamp: overrides.timestamp ?? timestamp,
    difficulty,
  })
}

/** The place of a call at a block. */
export function callSiteAt(
  context: ReadContext,
  view: BlockView,
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
