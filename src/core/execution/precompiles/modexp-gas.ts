// The price of MODEXP: EIP-198 (byzantium), EIP-2565 (berlin) and EIP-7883 (osaka).

import type { ForkParameters } from '../../interpreter/fork-parameters.ts'
import { bytesToBigInt } from '../../primitives/hex.ts'

/** The lengths in the first three words of the input. */
export interface Lengths {
  readonly base: bigint
  readonly exponent: bigint
  readonly modulus: bigint
}

const HEAD_BYTES = 96
const WORD = 32n

/** A part of data that zeros follow without end. */
export function readPadded(data: Uint8Array, start: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  bytes.set(data.subarray(start, start + length))
  return bytes
}

export function readLengths(data: Uint8Array): Lengths {
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

export function modexpGas(common: ForkParameters, data: Uint8Array, lengths: Lengths): bigint {
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
