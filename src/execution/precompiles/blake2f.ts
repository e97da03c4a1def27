// BLAKE2F (EIP-152) in WebAssembly, a round for each unit of gas.

import { EVMError, type ExecResult } from '@ethereumjs/evm'
import type { Precompile } from '../../interpreter/evm-interface.ts'
import { EMPTY_BYTES } from '../../primitives/hex.ts'
import type { PrecompileModule } from './module.ts'
import { outOfGas } from './out-of-gas.ts'

const INPUT_BYTES = 213
/** The state, the message block and the counters stand between the number of rounds and the flag. */
const BLOCK_START = 4
const FLAG = 212
const STATE_BYTES = 64

/** @ethereumjs/evm has the same error for a wrong length and for a flag that is neither 0 nor 1. */
function malformed(gasLimit: bigint): ExecResult {
  const exceptionError = new EVMError(EVMError.errorMessages.OUT_OF_RANGE)
  return { returnValue: EMPTY_BYTES, executionGasUsed: gasLimit, exceptionError }
}

export function blake2f({ exports, bytes }: PrecompileModule): Precompile {
  return ({ data, gasLimit, common }) => {
    const flag = data[FLAG] as number
    if (data.length !== INPUT_BYTES || flag > 1) return malformed(gasLimit)
    const rounds = new DataView(data.buffer, data.byteOffset).getUint32(0)
    const gas = common.param('blake2RoundGas') * BigInt(rounds)
    if (gasLimit < gas) return outOfGas(gasLimit)
    const at = exports.BLOCK.value
    bytes.set(data.subarray(BLOCK_START, FLAG), at)
    exports.compress(rounds, flag)
    return { executionGasUsed: gas, returnValue: bytes.slice(at, at + STATE_BYTES) }
  }
}
