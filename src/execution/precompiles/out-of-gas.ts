// The result of a precompile that has too little gas.

import { EVMError, type ExecResult } from '@ethereumjs/evm'
import { EMPTY_BYTES } from '../../primitives/hex.ts'

export function outOfGas(gasLimit: bigint): ExecResult {
  return {
    returnValue: EMPTY_BYTES,
    executionGasUsed: gasLimit,
    exceptionError: new EVMError(EVMError.errorMessages.OUT_OF_GAS),
  }
}
