// Execution of a call under an observer, with the states before and after it, as if it were a transaction.

import type { BlockEnvironment } from '../../rollup/header.ts'
import type { Rules } from '../../rollup/rules.ts'
import type { WorldState } from '../../state/world-state.ts'
import { withEvm } from '../evm/evm-pool.ts'
import { runMessage } from '../evm/run-message.ts'
import { observe } from '../trace/observe.ts'
import type { Observer } from '../trace/observer.ts'
import { settlementOf } from '../transaction/payment.ts'
import { FREE_OF_ROLLUP_FEES } from '../transaction/rollup-fees.ts'
import { beginMessage, type CallMessage, type CallResult, checkCall, type PlacedCall } from './run-call.ts'

interface TracedCall {
  readonly result: CallResult
  readonly after: WorldState
}

/** A call that names no fee pays nobody, as in geth. */
function pricesOf(rules: Rules, { baseFeePerGas }: BlockEnvironment, { gasPrice: gas }: CallMessage) {
  if (gas === 0n) return { gas, tip: undefined, rollup: undefined }
  return { gas, tip: gas - baseFeePerGas, rollup: rules.rollup && FREE_OF_ROLLUP_FEES }
}

/**
 * Executes a call on a state; throws only if it cannot start. `observerOf` gets a function that returns the state that
 * the execution has reached.
 */
export async function traceCall(
  call: PlacedCall,
  observerOf: (state: () => WorldState) => Observer,
): Promise<TracedCall> {
  const { execution, state: before, environment, message } = call
  checkCall(call)
  return withEvm(execution, before, async (instance) => {
    const { rules, writer } = instance
    const observer = observerOf(() => writer.current)
    writer.reset(beginMessage(call))
    const payment = { sender: message.from, gasLimit: message.gasLimit }
    const prices = pricesOf(rules, environment, message)
    const settlement = settlementOf(rules, environment, payment, prices)
    const result = await observe(instance, observer, () =>
      runMessage(instance, environment, message, settlement),
    )
    return { result, after: writer.current }
  })
}
