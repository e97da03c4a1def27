// MODEXP and BLAKE2F, which share a WebAssembly module.

import type { Precompile } from '../../interpreter/evm-interface.ts'
import type { ForkParameters } from '../../interpreter/fork-parameters.ts'
import {
  bigIntToBytes,
  bytesToBigInt,
  EMPTY_BYTES,
  padLeft,
  stripLeadingZeros,
} from '../../primitives/hex.ts'
import { failed, outOfGas } from './failures.ts'
import { openModule, type PrecompileModule, power } from './power.ts'

/** The lengths in the first three words of the input. */
interface Lengths {
  readonly base: bigint
  readonly exponent: bigint
  readonly modulus: bigint
}

const WORD = 32n

/** A part of data that zeros follow without end. */
function readPadded(data: Uint8Array, start: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  bytes.set(data.subarray(start, start + length))
  return bytes
}

function readLengths(data: Uint8Array): Lengths {
  const word = (index: number): bigint => bytesToBigInt(readPadded(data, 32 * index, 32))
  return { base: word(0), exponent: word(1), modulus: word(2) }
}

/** The bits of the exponent without its first 1, where bytes after its first 32 count as `perByte` bits each. */
function iterationCount(data: Uint8Array, { base, exponent }: Lengths, perByte: bigint): bigint {
  const start = HEAD_BYTES + Number(base)
  const headLength = Number(exponent < WORD ? exponent : WORD)
  const head = start < data.length ? bytesToBigInt(readPadded(data, start, headLength)) : 0n
  const bits = BigInt(head.toString(2).length - 1)
  const count = bits + (exponent > WORD ? (exponent - WORD) * perByte : 0n)
  return count > 0n ? count : 1n
}

/** EIP-198 */
function multiplicationCost(length: bigint): bigint {
  if (length <= 64n) return length * length
  if (length <= 1024n) return (length * length) / 4n + 96n * length - 3072n
  return (length * length) / 16n + 480n * length - 199_680n
}

function modexpGas(common: ForkParameters, data: Uint8Array, lengths: Lengths): bigint {
  const longest = lengths.base > lengths.modulus ? lengths.base : lengths.modulus
  const words = (longest + 7n) / 8n
  if (common.isActivatedEIP(7883)) {
    const gas = iterationCount(data, lengths, 16n) * (longest > WORD ? 2n * words * words : 16n)
    return gas < 500n ? 500n : gas
  }
  const divisor = common.param('modexpGquaddivisorGas')
  const iterations = iterationCount(data, lengths, 8n)
  if (!common.isActivatedEIP(2565)) return (iterations * multiplicationCost(longest)) / divisor
  const gas = (iterations * words * words) / divisor
  return gas < 200n ? 200n : gas
}

const HEAD_BYTES = 96
/** The most bytes of a part (EIP-7823). */
const MAX_PART_BYTES = 1024n
const TOO_LONG = 'one or more of base/exponent/modulus length exceeded 1024 bytes'
/** The same before osaka, where gas is the limit: that of @ethereumjs/evm, which no gas limit in use can pay for. */
const MAX_ARRAY_BYTES = 2n ** 31n - 1n

function modexp(module: PrecompileModule): Precompile {
  return ({ data, gasLimit, common }) => {
    const lengths = readLengths(data)
    const gas = modexpGas(common, data, lengths)
    if (gasLimit < gas) return outOfGas(gasLimit)
    const isBounded = common.isActivatedEIP(7823)
    if (!isBounded && lengths.base === 0n && lengths.modulus === 0n)
      return { executionGasUsed: gas, returnValue: EMPTY_BYTES }
    const longest = Object.values(lengths).reduce((most, length) => (length > most ? length : most))
    if (isBounded && longest > MAX_PART_BYTES) return failed(gasLimit, TOO_LONG)
    if (longest > MAX_ARRAY_BYTES) return outOfGas(gasLimit)
    const [base, exponent, modulus] = [lengths.base, lengths.exponent, lengths.modulus].map(Number) as [
      number,
      number,
      number,
    ]
    const afterBase = HEAD_BYTES + base
    const result = power(
      module,
      bytesToBigInt(readPadded(data, HEAD_BYTES, base)),
      stripLeadingZeros(readPadded(data, afterBase, exponent)),
      bytesToBigInt(readPadded(data, afterBase + exponent, modulus)),
    )
    return { executionGasUsed: gas, returnValue: padLeft(bigIntToBytes(result), modulus) }
  }
}

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
