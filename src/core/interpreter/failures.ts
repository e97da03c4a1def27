// Failures of precompiles and creations: all gas is gone, and nothing is returned. The words are geth's.

import { EVMError, type ExecResult } from '@ethereumjs/evm'
import { EMPTY_BYTES } from '../primitives/hex.ts'

type Words = typeof EVMError.errorMessages.OUT_OF_GAS

/** An error that @ethereumjs/evm passes on as it is; any other error of arithmetic it calls a revert. */
export function precompileError(words: string): EVMError {
  return new EVMError(words as Words)
}

export function failed(gasLimit: bigint, words: string): ExecResult {
  return { returnValue: EMPTY_BYTES, executionGasUsed: gasLimit, exceptionError: precompileError(words) }
}

export function outOfGas(gasLimit: bigint): ExecResult {
  return failed(gasLimit, EVMError.errorMessages.OUT_OF_GAS)
}

export function reverted(executionGasUsed: bigint, returnValue: Uint8Array): ExecResult {
  return { executionGasUsed, returnValue, exceptionError: new EVMError(EVMError.errorMessages.REVERT) }
}
