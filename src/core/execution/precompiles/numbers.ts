// MODEXP and BLAKE2F, which share a WebAssembly module.

import type { Precompile } from '../../interpreter/evm-interface.ts'
import { failed, outOfGas } from './failures.ts'
import { modexp } from './modexp.ts'
import { openModule, type PrecompileModule } from './module.ts'

const INPUT_BYTES = 213
/** The state, the message block and the counters stand between the number of rounds and the flag. */
const BLOCK_START = 4
const FLAG = 212
const STATE_BYTES = 64

function blake2f({ exports, bytes }: PrecompileModule): Precompile {
  return ({ data, gasLimit, common }) => {
    if (data.length !== INPUT_BYTES) return failed(gasLimit, 'invalid input length')
    const flag = data[FLAG] as number
    const rounds = new DataView(data.buffer, data.byteOffset).getUint32(0)
    const gas = common.param('blake2RoundGas') * BigInt(rounds)
    if (gasLimit < gas) return outOfGas(gasLimit)
    if (flag > 1) return failed(gasLimit, 'invalid final flag')
    const at = exports.BLOCK.value
    bytes.set(data.subarray(BLOCK_START, FLAG), at)
    exports.compress(rounds, flag)
    return { executionGasUsed: gas, returnValue: bytes.slice(at, at + STATE_BYTES) }
  }
}

export async function openNumbers(): Promise<Readonly<Record<'modexp' | 'blake2f', Precompile>>> {
  const module = await openModule()
  return { modexp: modexp(module), blake2f: blake2f(module) }
}
