// What calls and creations have in common: the message goes back to the EVM, which may run it here or elsewhere.

import { EVMError, type EVMResult, type Message } from '@ethereumjs/evm'
import { EMPTY_BYTES } from '../primitives/hex.ts'
import { endOf, type Frame, gasOf, needGas, setGas, setReturnData } from './frame.ts'
import { leastToPass } from './gas-watch.ts'
import type { Host } from './host.ts'

/** Takes `cost` from the gas of a frame. */
export function pay({ core }: Host, frame: Frame, cost: number): void {
  const left = gasOf(core, frame) - cost
  if (left < 0) throw new EVMError(EVMError.errorMessages.OUT_OF_GAS)
  setGas(core, frame, left)
}

/** All but one 64th of the gas that is left (EIP-150). */
export function mostGasToPass({ core }: Host, frame: Frame): number {
  const left = gasOf(core, frame)
  return left - Math.floor(left / 64)
}

/** Remembers how much gas a message takes that has ended; one that took all that it got may have wanted more. */
function watchMessage(
  { core, gasWatch }: Host,
  frame: Frame,
  { execResult }: EVMResult,
  stipend: number,
): void {
  const { exceptionError, executionGasUsed } = execResult
  const isOutOfGas = exceptionError !== undefined && exceptionError.error !== EVMError.errorMessages.REVERT
  if (isOutOfGas) gasWatch.isGasSeen = true
  const need = Math.max(gasWatch.need, Number(executionGasUsed))
  // The stipend is there already, and it is not the frame's.
  needGas(core, frame, stipend + leastToPass(need - stipend))
}

/**
 * Runs a message of a frame and takes over what it did; what it gives back is for the caller to look at. The stipend is
 * what the message gets beyond the frame's gas.
 */
export async function sendMessage(
  host: Host,
  frame: Frame,
  message: Message,
  stipend = 0,
): Promise<EVMResult> {
  const { evm, costs, gasWatch } = host
  const selfdestruct = new Map(frame.selfdestruct)
  message.selfdestruct = selfdestruct
  message.gasRefund = frame.gasRefund
  if (costs.tracksCreations) message.createdAddresses = new Set(frame.createdAddresses)
  const { createdAddresses } = message
  host.top = endOf(host.core, frame)
  gasWatch.hasMessages = true
  gasWatch.need = 0
  const result = await evm.runCall({ message })
  watchMessage(host, frame, result, stipend)
  const { logs, executionGasUsed, exceptionError, gasRefund } = result.execResult
  if (logs !== undefined && logs.length > 0) frame.logs = frame.logs.concat(logs)
  pay(host, frame, Number(executionGasUsed))
  if (exceptionError === undefined) {
    for (const [address, heir] of selfdestruct) frame.selfdestruct.set(address, heir)
    if (createdAddresses !== undefined) {
      for (const address of createdAddresses) frame.createdAddresses?.add(address)
    }
    frame.gasRefund = gasRefund ?? 0n
  }
  return result
}

export function isRevert({ execResult }: EVMResult): boolean {
  return execResult.exceptionError?.error === EVMError.errorMessages.REVERT
}

export function clearReturnData(host: Host, frame: Frame): void {
  setReturnData(host.core, frame, EMPTY_BYTES)
}
