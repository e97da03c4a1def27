// Execution of a call under an observer, with the states before and after it, as if it were a transaction.

import type { WorldState } from '../../state/world-state.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import { withEvm } from '../evm/evm-pool.ts'
import type { ExecutionContext } from '../evm/pooled-evm.ts'
import { runMessage, type Settlement } from '../evm/run-message.ts'
import { observe } from '../trace/observe.ts'
import type { Observer } from '../trace/observer.ts'
import { settle } from '../transaction/payment.ts'
import { beginMessage, type CallMessage, type CallResult, checkCall } from './run-call.ts'

export interface TracedCall {
  readonly result: CallResult
  readonly after: WorldState
}

/** Wei per gas for the coinbase; none if the call names no fee, as in geth. */
function tipOf({ baseFeePerGas }: BlockEnvironment, { gasPrice }: CallMessage): bigint | undefined {
  return gasPrice === 0n ? undefined : gasPrice - baseFeePerGas
}

/**
 * Executes a call on a state; throws only if it cannot start. `observerOf` gets a function that returns the state that
 * the execution has reached.
 */
export async function traceCall(
  context: ExecutionContext,
  before: WorldState,
  environment: BlockEnvironment,
  call: CallMessage,
  observerOf: (state: () => WorldState) => Observer,
): Promise<TracedCall> {
  checkCall(context, before, call)
  return withEvm(context, before, async (instance) => {
    const { rules, writer } = instance
    const observer = observerOf(() => writer.current)
    writer.reset(beginMessage(before, environment, call))
    const payment = { sender: call.from, gasLimit: call.gasLimit }
    const prices = { gas: call.gasPrice, tip: tipOf(environment, call) }
    const settlement: Settlement = (state, result) =>
      settle(rules, state, environment, payment, prices, result)
    const result = await observe(instance, observer, () =>
      runMessage(instance, environment, call, settlement),
    )
    return { result, after: writer.current }
  })
}
