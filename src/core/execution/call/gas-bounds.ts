// Gas bounds from one run of a call: with which gas limits other runs succeed or fail, without running them.

import { beginGasWatch } from '../../interpreter/gas-watch.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import { intrinsicGas } from '../transaction/intrinsic-gas.ts'
import type { CallMessage, CallResult, Instrumentation } from './run-call.ts'

export interface GasBounds {
  /** Runs with this gas or more, up to the gas of this run, succeed. */
  readonly sufficient: bigint
  /** Whether all runs with less gas fail. Unknown after message calls, whose callers may survive an out-of-gas. */
  readonly isMinimal: boolean
}

function gasBoundsOf(
  { gasWatch, rules }: EvmInstance,
  call: CallMessage,
  { outcome, peakGas }: CallResult,
): GasBounds | undefined {
  if (gasWatch === undefined || outcome !== 'success' || gasWatch.dependsOnGas) return undefined
  // The code may have read the sender's balance, which depends on the gas limit that the sender paid for.
  if (gasWatch.readsBalance && call.gasPrice > 0n) return undefined
  const required = intrinsicGas(rules, call) + BigInt(gasWatch.minimumGas)
  return { sufficient: required > peakGas ? required : peakGas, isMinimal: !gasWatch.hasMessageCalls }
}

/** Observes a run of `call` and reports its bounds, or `undefined` if it allows no conclusion. */
export function watchGasBounds(
  call: CallMessage,
  tell: (bounds: GasBounds | undefined) => void,
): Instrumentation {
  return async (instance, run) => {
    if (instance.gasWatch !== undefined) beginGasWatch(instance.gasWatch)
    const result = await run()
    tell(gasBoundsOf(instance, call, result))
    return result
  }
}
