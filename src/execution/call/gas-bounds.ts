// What one run of a call says of runs of it with less gas: whether they would succeed, without running them.

import { beginGasWatch } from '../../interpreter/gas-watch.ts'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import { intrinsicGas } from '../transaction/intrinsic-gas.ts'
import type { Around, CallMessage, CallResult } from './run-call.ts'

export interface Foresight {
  /** With so much gas, up to what the run had, they succeed as well. */
  readonly enough: bigint
  /** Whether all with less fail. A message that fails for want of gas may leave its sender to go on. */
  readonly isLeast: boolean
}

function foresee(
  { gasWatch, rules }: EvmInstance,
  call: CallMessage,
  { outcome, peakGas }: CallResult,
): Foresight | undefined {
  if (gasWatch === undefined || outcome !== 'success' || gasWatch.dependsOnGas) return undefined
  // The sender has bought the gas, and may have been asked what is left.
  if (gasWatch.readsBalance && call.gasPrice > 0n) return undefined
  const need = intrinsicGas(rules, call) + BigInt(gasWatch.minimumGas)
  return { enough: need > peakGas ? need : peakGas, isLeast: !gasWatch.hasMessageCalls }
}

/** Looks at a run of `call`, and tells what follows from it, if anything does. */
export function watchGas(call: CallMessage, tell: (foresight: Foresight | undefined) => void): Around {
  return async (instance, run) => {
    if (instance.gasWatch !== undefined) beginGasWatch(instance.gasWatch)
    const result = await run()
    tell(foresee(instance, call, result))
    return result
  }
}
