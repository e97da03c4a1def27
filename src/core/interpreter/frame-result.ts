// The result of a frame, as @ethereumjs expects it.

import type { EVMError, ExecResult } from '@ethereumjs/evm'
import { EMPTY_BYTES } from '../primitives/hex.ts'
import { type Frame, gasLeftOf, readOutput, refundOf } from './frame.ts'
import type { Host } from './host.ts'
import * as layout from './layout.ts'

export function resultOf(host: Host, frame: Frame, reason: number, error: EVMError | undefined): ExecResult {
  const { gasLimit } = frame.message
  const hasOutput = reason === layout.RETURNED || reason === layout.REVERTED
  const returnValue = hasOutput ? readOutput(host.core, frame) : EMPTY_BYTES
  const gasRefund = BigInt(refundOf(host.core, frame))
  if (error === undefined) {
    const executionGasUsed = gasLimit - gasLeftOf(host.core, frame)
    const result: ExecResult = { returnValue, executionGasUsed, gasRefund, logs: frame.logs }
    if (frame.selfdestruct !== undefined) result.selfdestruct = frame.selfdestruct
    if (frame.createdAddresses !== undefined) result.createdAddresses = frame.createdAddresses
    return result
  }
  // A revert returns the gas that is left; other failures consume it.
  const executionGasUsed = reason === layout.REVERTED ? gasLimit - gasLeftOf(host.core, frame) : gasLimit
  return { returnValue, exceptionError: error, executionGasUsed, gasRefund, logs: [] }
}
