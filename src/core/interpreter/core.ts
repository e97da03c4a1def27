// An instance of the WebAssembly interpreter, with views of its linear memory and access to the words in it.

import { type Address, bytesToHex, type Hash } from '../primitives/hex.ts'
import type { SharedBytes } from '../primitives/shared-bytes.ts'
import { EvmAddress, wordsOf } from './evm-address.ts'
import type { CoreExports } from './module.ts'

/** Direct-mapped cache of what words stand for, by their bytes. */
interface WordCache<Value> {
  readonly words: Uint32Array
  readonly values: (Value | undefined)[]
}

export interface Core {
  readonly exports: CoreExports
  /** Where the state of assembly/slots.ts is in `numbers`. Engines are slow with exported globals. */
  readonly slotsAt: number
  bytes: Uint8Array
  numbers: Uint32Array
  limbs: BigUint64Array
  doubles: Float64Array
  /** Where copies of memory go that are soon dropped; without it, each has memory of its own. */
  readonly copies: SharedBytes | undefined
  readonly slotNames: WordCache<Hash>
  readonly addresses: WordCache<EvmAddress>
}

const CACHE_LINES = 1024

function wordCache<Value>(): WordCache<Value> {
  return { words: new Uint32Array(8 * CACHE_LINES), values: new Array(CACHE_LINES).fill(undefined) }
}

/** Makes new views of linear memory: growing it detaches the old buffer. */
export function refreshViews(core: Core): void {
  const { buffer } = core.exports.memory
  core.bytes = new Uint8Array(buffer)
  core.numbers = new Uint32Array(buffer)
  core.limbs = new BigUint64Array(buffer)
  core.doubles = new Float64Array(buffer)
}

export function createCore(exports: CoreExports, copies?: SharedBytes): Core {
  const slotsAt = exports.slotsState.value >>> 2
  const core = { exports, slotsAt, copies, slotNames: wordCache(), addresses: wordCache() } as Core
  refreshViews(core)
  return core
}

/** Grows linear memory up to `end`. */
export function reserve(core: Core, end: number): void {
  if (end <= core.bytes.length) return
  if (core.exports.reserve(BigInt(end)) === 0) throw new RangeError('out of memory')
  refreshViews(core)
}

/** A copy of bytes of linear memory. */
export function copyBytes({ bytes, copies }: Core, start: number, length: number): Uint8Array {
  return copies === undefined ? bytes.slice(start, start + length) : copies.copy(bytes, start, length)
}

export function readNumber({ numbers }: Core, at: number): number {
  return numbers[at >>> 2] as number
}

export function writeNumber({ numbers }: Core, at: number, value: number): void {
  numbers[at >>> 2] = value
}

export function readWord({ limbs }: Core, at: number): bigint {
  const place = at >>> 3
  const low = limbs[place] as bigint
  const second = limbs[place + 1] as bigint
  const third = limbs[place + 2] as bigint
  const high = limbs[place + 3] as bigint
  if (high === 0n && third === 0n) return second === 0n ? low : (second << 64n) | low
  return (((((high << 64n) | third) << 64n) | second) << 64n) | low
}

export function writeWord({ limbs }: Core, at: number, value: bigint): void {
  const place = at >>> 3
  limbs[place] = value
  if (value < 1n << 64n) {
    limbs.fill(0n, place + 1, place + 4)
    return
  }
  limbs[place + 1] = value >> 64n
  limbs[place + 2] = value >> 128n
  limbs[place + 3] = value >> 192n
}

/** Writes an integer below 2^53. */
export function writeInteger({ numbers }: Core, at: number, value: number): void {
  const place = at >>> 2
  numbers[place] = value
  numbers[place + 1] = Math.floor(value / 2 ** 32)
  numbers.fill(0, place + 2, place + 8)
}

/** Writes up to 32 big-endian bytes as a word. */
export function writeBytes({ bytes, numbers }: Core, at: number, value: Uint8Array): void {
  numbers.fill(0, at >>> 2, (at >>> 2) + 8)
  const last = value.length - 1
  for (let i = 0; i <= last; i++) bytes[at + i] = value[last - i] as number
}

/** Writes an address as a word. */
export function writeAddress({ numbers }: Core, at: number, address: EvmAddress): void {
  const words = wordsOf(address)
  const place = at >>> 2
  for (let i = 0; i < 8; i++) numbers[place + i] = words[i] as number
}

export function isZeroWord({ numbers }: Core, at: number): boolean {
  const place = at >>> 2
  for (let i = place; i < place + 8; i++) if (numbers[i] !== 0) return false
  return true
}

/** The low `length` bytes of a word, big-endian. */
export function readBytes({ bytes }: Core, at: number, length: number): Uint8Array {
  return bytes.slice(at, at + length).reverse()
}

/** A copy of a word, big-endian. */
export function copyWord(core: Core, at: number): Uint8Array {
  return copyBytes(core, at, 32).reverse()
}

/** The bytes of a word without leading zeros, as storage keeps them. */
export function readShortest({ bytes }: Core, at: number): Uint8Array {
  let length = 32
  while (length > 0 && bytes[at + length - 1] === 0) length--
  const shortest = new Uint8Array(length)
  for (let i = 0; i < length; i++) shortest[i] = bytes[at + length - 1 - i] as number
  return shortest
}

/** Cached, because hex is slow to make and code uses the same few slots and addresses. */
function cached<Value>(
  core: Core,
  cache: WordCache<Value>,
  at: number,
  length: 20 | 32,
  make: (bytes: Uint8Array) => Value,
): Value {
  const { numbers } = core
  const { words, values } = cache
  const place = at >>> 2
  const count = length >>> 2
  let hash = 0
  for (let i = 0; i < count; i++) hash = Math.imul(hash ^ (numbers[place + i] as number), 0x9e3779b1)
  const line = (hash >>> 16) & (CACHE_LINES - 1)
  const known = values[line]
  let isSame = known !== undefined
  for (let i = 0; isSame && i < count; i++) isSame = words[8 * line + i] === numbers[place + i]
  if (isSame) return known as Value
  for (let i = 0; i < count; i++) words[8 * line + i] = numbers[place + i] as number
  const made = make(readBytes(core, at, length))
  values[line] = made
  return made
}

export function readSlot(core: Core, at: number): Hash {
  return cached(core, core.slotNames, at, 32, bytesToHex)
}

const toAddress = (bytes: Uint8Array): EvmAddress => new EvmAddress(bytes)

/** The address in the low 20 bytes of a word. */
export function readEvmAddress(core: Core, at: number): EvmAddress {
  return cached(core, core.addresses, at, 20, toAddress)
}

export function readAddress(core: Core, at: number): Address {
  return readEvmAddress(core, at).hex
}
