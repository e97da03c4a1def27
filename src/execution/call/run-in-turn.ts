// Execution of calls one after the other, each on the state that the one before left, under observers.

import type { WorldState } from '../../state/world-state.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import { withEvm } from '../evm/evm-pool.ts'
import type { ExecutionContext } from '../evm/pooled-evm.ts'
import { runMessage } from '../evm/run-message.ts'
import { observe } from '../trace/observe.ts'
import type { Observer } from '../trace/observer.ts'
import { settle } from '../transaction/payment.ts'
import { beginMessage, type CallMessage, type CallResult, checkMessage } from './run-call.ts'

export interface ObservedCall {
  readonly message: CallMessage
  readonly environment: BlockEnvironment
  readonly observer: Observer
}

/** The result of a call, with the states around it. */
export interface CallInTurn {
  readonly result: CallResult
  readonly before: WorldState
  readonly after: WorldState
}

/** Executes calls as transactions of one block, but for their nonces; throws if one cannot start. */
export function runInTurn(
  context: ExecutionContext,
  state: WorldState,
  calls: readonly ObservedCall[],
): Promise<readonly CallInTurn[]> {
  return withEvm(context, state, async (instance) => {
    const { rules, writer } = instance
    const results: CallInTurn[] = []
    for (const { message, environment, observer } of calls) {
      const { from: sender, gasLimit, gasPrice: gas } = message
      const before = writer.current
      checkMessage(rules, before, message)
      writer.reset(beginMessage(before, environment, message))
      const tip = gas === 0n ? undefined : gas - environment.baseFeePerGas
      const result = await observe(instance, observer, () =>
        runMessage(instance, environment, message, (left, end) =>
          settle(rules, left, environment, { sender, gasLimit }, { gas, tip }, end),
        ),
      )
      results.push({ result, before, after: writer.current })
    }
    return results
  })
}
