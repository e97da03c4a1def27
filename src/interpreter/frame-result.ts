// The result of a frame, as @ethereumjs expects it.

import type { EVMError, ExecResult } from '@ethereumjs/evm'
import { type Frame, gasLeftOf, readOutput, refundOf } from './frame.ts'
import type { Host } from './host.ts'
import * as layout from './layout.ts'

export function resultOf(host: Host, frame: Frame, reason: number, error: EVMError | undefined): ExecResult {
  const { gasLimit } = frame.message
  const hasOutput = reason === layout.RETURNED || reason === layout.REVERTED
  const returnValue = hasOutput ? readOutput(host.core, frame) : new Uint8Array(0)
  const { createdAddresses } = frame
  const gasRefund = BigInt(refundOf(host.core, frame))
  if (error === undefined) {
    return {
      returnValue,
      executionGasUsed: gasLimit - gasLeftOf(host.core, frame),
      gasRefund,
      logs: frame.logs,
      selfdestruct: frame.selfdestruct,
      ...(createdAddresses === undefined ? {} : { createdAddresses }),
    }
  }
  return {
    returnValue,
    exceptionError: error,
    // A revert returns the gas that is left; other failures consume it.
    executionGasUsed: reason === layout.REVERTED ? gasLimit - gasLeftOf(host.core, frame) : gasLimit,
    gasRefund,
    logs: [],
    selfdestruct: new Map(),
    createdAddresses: new Set(),
  }
}
