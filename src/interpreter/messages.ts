// What calls and creations have in common: the message goes back to the EVM, which may run it here or elsewhere.

import { EVMError, type EVMResult, type Message } from '@ethereumjs/evm'
import { EMPTY_BYTES } from '../primitives/hex.ts'
import { endOf, type Frame, gasOf, setGas, setReturnData } from './frame.ts'
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

/** Runs a message of a frame and takes over what it did; what it gives back is for the caller to look at. */
export async function sendMessage(host: Host, frame: Frame, message: Message): Promise<EVMResult> {
  const { evm, costs } = host
  const selfdestruct = new Map(frame.selfdestruct)
  message.selfdestruct = selfdestruct
  message.gasRefund = frame.gasRefund
  if (costs.tracksCreations) message.createdAddresses = new Set(frame.createdAddresses)
  const { createdAddresses } = message
  host.top = endOf(host.core, frame)
  const result = await evm.runCall({ message })
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
