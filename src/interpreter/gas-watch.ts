// What an execution would have done with less gas. Gas decides only whether there is enough of it, unless code asks how
// much there is; so from one run follows the least gas with which the same would have happened. An estimate asks for it.

/** One for each EVM; what is in it is of the execution that was begun last. */
export interface GasWatch {
  /** Whether what happened depends on how much gas there was in other ways than by there being enough. */
  isGasSeen: boolean
  /** Whether a balance was looked at: that of who bought the gas depends on how much was bought. */
  isBalanceSeen: boolean
  /** Whether messages were sent, whose want of gas is not their sender's. */
  hasMessages: boolean
  /** The least gas with which the last message that ended would have done the same. */
  need: number
}

export function createGasWatch(): GasWatch {
  return { isGasSeen: false, isBalanceSeen: false, hasMessages: false, need: 0 }
}

export function beginGasWatch(watch: GasWatch): void {
  watch.isGasSeen = false
  watch.isBalanceSeen = false
  watch.hasMessages = false
  watch.need = 0
}

/** The least gas of which as much as `need` can be passed to a message: all but one 64th (EIP-150). */
export function leastToPass(need: number): number {
  return need <= 0 ? 0 : need + Math.floor((need - 1) / 63)
}
