// Gas for estimates, recorded while an execution runs: the least with which it would have done the same. One run is
// enough, because gas changes what code does only by running out, unless the code reads how much is left.

/** One per EVM; describes the last execution. */
export interface GasWatch {
  /** True if the outcome depends on the exact gas, such as by GAS or by a message that ran out of it. */
  dependsOnGas: boolean
  /** True if code depends on a balance: the sender's depends on how much gas it bought. */
  readsBalance: boolean
  /** True if code sent messages: the caller may survive when one of them runs out of gas. */
  hasMessageCalls: boolean
  /** The least gas with which the message that ended last would have done the same. */
  minimumGas: number
}

export function createGasWatch(): GasWatch {
  return { dependsOnGas: false, readsBalance: false, hasMessageCalls: false, minimumGas: 0 }
}

/** The least gas that lets a frame forward `gas` to a message: all but one 64th (EIP-150). */
export function leastGasToForward(gas: number): number {
  return gas <= 0 ? 0 : gas + Math.floor((gas - 1) / 63)
}
