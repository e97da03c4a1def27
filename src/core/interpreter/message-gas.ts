// The gas of messages: what a frame may give, what it pays, and the least with which it would have done the same.

import { EVMError, type EVMResult } from '@ethereumjs/evm'
import { type Frame, gasLeftOf, gasOf, requireGas, setGas, setGasLeft } from './frame.ts'
import { leastGasToForward } from './gas-watch.ts'
import type { Host } from './host.ts'

/** Subtracts a cost from the gas of a frame. */
export function chargeGas({ core }: Host, frame: Frame, cost: number): void {
  const left = gasOf(core, frame) - cost
  if (left < 0) throw new EVMError(EVMError.errorMessages.OUT_OF_GAS)
  setGas(core, frame, left)
}

/** Subtracts the gas of a message, which may be more than a double can represent. */
export function chargeMessage(host: Host, frame: Frame, used: bigint): void {
  if (frame.surplus === 0n) {
    chargeGas(host, frame, Number(used))
    return
  }
  const left = gasLeftOf(host.core, frame) - used
  if (left < 0n) throw new EVMError(EVMError.errorMessages.OUT_OF_GAS)
  setGasLeft(host.core, frame, left)
}

/** The most gas for a message: all but one 64th of what is left (EIP-150). */
export function maxMessageGas({ core }: Host, frame: Frame): bigint {
  if (frame.surplus === 0n) {
    const left = gasOf(core, frame)
    return BigInt(left - Math.floor(left / 64))
  }
  const left = gasLeftOf(core, frame)
  return left - left / 64n
}

/** Records the least gas of a message that has ended. One that ran out of gas might behave differently with more. */
export function watchMessage(
  { core, gasWatch }: Host,
  frame: Frame,
  { execResult }: EVMResult,
  stipend: number,
): void {
  const { exceptionError, executionGasUsed } = execResult
  const isOutOfGas = exceptionError !== undefined && exceptionError.error !== EVMError.errorMessages.REVERT
  if (isOutOfGas) gasWatch.dependsOnGas = true
  const minimum = Math.max(gasWatch.minimumGas, Number(executionGasUsed))
  // The frame's gas already includes the stipend, which the frame does not pay for.
  requireGas(core, frame, stipend + leastGasToForward(minimum - stipend))
}
