// Modular powers: in WebAssembly for a modulus of up to 256 bits, where a BigInt costs more than its arithmetic, and
// with BigInts above. Four bits of the exponent are taken at a time.

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

export interface PrecompileModule {
  readonly exports: ModuleExports
  readonly bytes: Uint8Array
  readonly limbs: BigUint64Array
}

export async function openModule(): Promise<PrecompileModule> {
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

/** The power modulo a power of two. */
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
export function power(module: PrecompileModule, base: bigint, exponent: Uint8Array, modulus: bigint): bigint {
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
