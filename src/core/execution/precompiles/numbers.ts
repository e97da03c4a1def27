// MODEXP and BLAKE2F, which share a WebAssembly module. Modular powers run in WebAssembly for a modulus of up to 256
// bits, where a BigInt costs more than its arithmetic, and with BigInts above. Four bits of the exponent are taken at a
// time.

import { failed, outOfGas, type Precompile } from '../../interpreter/evm-interface.ts'
import type { ForkParameters } from '../../interpreter/fork-parameters.ts'
import * as hex from '../../primitives/hex.ts'
import { compileModule, type ExportedAddress, instantiateModule } from '../../primitives/web-assembly.ts'
import { MODULE } from './generated.ts'

/** Exports of assembly/precompiles/index.ts. */
interface ModuleExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly BLOCK: ExportedAddress
  readonly compress: (rounds: number, isLast: number) => void
  readonly MODULUS: ExportedAddress
  readonly BASE: ExportedAddress
  readonly ONE: ExportedAddress
  readonly RESULT: ExportedAddress
  readonly EXPONENT: ExportedAddress
  readonly begin: (limbs: number) => void
  readonly beginOdd: (limbs: number) => void
  readonly absorb: (length: number) => void
  readonly finish: () => void
}

interface PrecompileModule {
  readonly exports: ModuleExports
  readonly bytes: Uint8Array
  readonly limbs: BigUint64Array
}

async function openModule(): Promise<PrecompileModule> {
  const exports = instantiateModule(await compileModule(MODULE)) as ModuleExports
  const { buffer } = exports.memory
  return { exports, bytes: new Uint8Array(buffer), limbs: new BigUint64Array(buffer) }
}

const MAX_LIMBS = 4
const MAX_BITS = 64 * MAX_LIMBS
const CHUNK_BYTES = 1024

function powerOfBigInts(base: bigint, exponent: Uint8Array, modulus: bigint): bigint {
  const powers = [1n]
  for (let digit = 1; digit < 16; digit++) powers.push(((powers[digit - 1] as bigint) * base) % modulus)
  let result = 1n
  for (const byte of exponent) {
    for (const digit of [byte >> 4, byte & 15]) {
      if (result !== 1n) for (let i = 0; i < 4; i++) result = (result * result) % modulus
      if (digit !== 0) result = (result * (powers[digit] as bigint)) % modulus
    }
  }
  return result
}

function writeNumber({ limbs }: PrecompileModule, at: number, value: bigint): void {
  for (let i = 0; i < MAX_LIMBS; i++) limbs[(at >>> 3) + i] = value >> BigInt(64 * i)
}

function readNumber({ limbs }: PrecompileModule, at: number, count: number): bigint {
  let value = 0n
  for (let i = count - 1; i >= 0; i--) value = (value << 64n) | (limbs[(at >>> 3) + i] as bigint)
  return value
}

function absorb({ exports, bytes }: PrecompileModule, exponent: Uint8Array): void {
  for (let at = 0; at < exponent.length; at += CHUNK_BYTES) {
    const chunk = exponent.subarray(at, at + CHUNK_BYTES)
    bytes.set(chunk, exports.EXPONENT.value)
    exports.absorb(chunk.length)
  }
}

function limbsOf(value: bigint): number {
  let count = 1
  while (value >> BigInt(64 * count) > 0n) count++
  return count
}

function powerOdd(module: PrecompileModule, base: bigint, exponent: Uint8Array, modulus: bigint): bigint {
  if (modulus === 1n) return 0n
  const { exports } = module
  const limbs = limbsOf(modulus)
  const shift = BigInt(64 * limbs)
  writeNumber(module, exports.MODULUS.value, modulus)
  writeNumber(module, exports.BASE.value, (base << shift) % modulus)
  writeNumber(module, exports.ONE.value, (1n << shift) % modulus)
  exports.beginOdd(limbs)
  absorb(module, exponent)
  exports.finish()
  return readNumber(module, exports.RESULT.value, limbs)
}

function powerOfTwo(module: PrecompileModule, base: bigint, exponent: Uint8Array, modulus: bigint): bigint {
  const { exports } = module
  const limbs = limbsOf(modulus - 1n)
  writeNumber(module, exports.BASE.value, base % modulus)
  writeNumber(module, exports.ONE.value, 1n)
  exports.begin(limbs)
  absorb(module, exponent)
  return readNumber(module, exports.RESULT.value, limbs) % modulus
}

/** 1 / odd modulo a power of two: each step of Newton's iteration doubles the correct bits. */
function inverseOf(odd: bigint, powerOfTwo: bigint): bigint {
  const mask = powerOfTwo - 1n
  let inverse = odd & mask
  for (let bits = 3; bits < MAX_BITS; bits *= 2) inverse = (inverse * (2n - odd * inverse)) & mask
  return inverse
}

/** base ^ exponent mod modulus. The exponent is big-endian and has no leading zeros. */
function power(module: PrecompileModule, base: bigint, exponent: Uint8Array, modulus: bigint): bigint {
  if (modulus <= 1n) return 0n
  if (exponent.length === 0) return 1n
  const reduced = base % modulus
  if (modulus >> BigInt(MAX_BITS) > 0n) return powerOfBigInts(reduced, exponent, modulus)
  const two = modulus & -modulus
  const odd = modulus / two
  const oddPart = powerOdd(module, reduced, exponent, odd)
  if (two === 1n) return oddPart
  const evenPart = powerOfTwo(module, reduced, exponent, two)
  // The Chinese remainder theorem.
  return oddPart + odd * (((evenPart - oddPart) * inverseOf(odd, two)) & (two - 1n))
}

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
  const word = (index: number): bigint => hex.bytesToBigInt(readPadded(data, 32 * index, 32))
  return { base: word(0), exponent: word(1), modulus: word(2) }
}

/** The bits of the exponent without its first 1, where bytes after its first 32 count as `perByte` bits each. */
function iterationCount(data: Uint8Array, { base, exponent }: Lengths, perByte: bigint): bigint {
  const start = HEAD_BYTES + Number(base)
  const headLength = Number(exponent < WORD ? exponent : WORD)
  const head = start < data.length ? hex.bytesToBigInt(readPadded(data, start, headLength)) : 0n
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
      return { executionGasUsed: gas, returnValue: hex.EMPTY_BYTES }
    const longest = Object.values(lengths).reduce((most, length) => (length > most ? length : most))
    if (isBounded && longest > MAX_PART_BYTES) return failed(gasLimit, TOO_LONG)
    if (longest > MAX_ARRAY_BYTES) return outOfGas(gasLimit)
    const [base, exponent, modulus] = [
      Number(lengths.base),
      Number(lengths.exponent),
      Number(lengths.modulus),
    ]
    const afterBase = HEAD_BYTES + base
    const result = power(
      module,
      hex.bytesToBigInt(readPadded(data, HEAD_BYTES, base)),
      hex.stripLeadingZeros(readPadded(data, afterBase, exponent)),
      hex.bytesToBigInt(readPadded(data, afterBase + exponent, modulus)),
    )
    return { executionGasUsed: gas, returnValue: hex.padLeft(hex.bigIntToBytes(result), modulus) }
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
