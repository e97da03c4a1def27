// Powers modulo numbers of up to 256 bits: in Montgomery form for odd ones, and modulo 2^64 to 2^256. Numbers are
// little-endian, in digits of 32 bits; those of one limb of 64 bits are computed in 64 bits.

import { multiplyHigh } from '../multiply'

export const MODULUS = memory.data(32, 8)
/** The base; in Montgomery form for an odd modulus. */
export const BASE = memory.data(32, 8)
/** The number 1, in the same form. */
export const ONE = memory.data(32, 8)
export const RESULT = memory.data(32, 8)
export const EXPONENT = memory.data(1024, 8)

/** Powers of the base up to the 15th. */
const TABLE = memory.data(512, 8)
const PRODUCT = memory.data(48, 8)

/** Limbs of 64 bits of the modulus. */
let limbs: usize = 0
/** -1 / modulus mod 2^64; zero for a power of two, modulo which nothing has to be reduced. */
let inverse: u64 = 0

function copy(to: usize, from: usize): void {
  memory.copy(to, from, limbs << 3)
}

/** r = a × b mod 2^(32 × digits). */
function multiplyLow(r: usize, a: usize, b: usize): void {
  const size = limbs << 3
  memory.fill(PRODUCT, 0, size)
  for (let i: usize = 0; i < size; i += 4) {
    const digit = <u64>load<u32>(b + i)
    let carry: u64 = 0
    for (let j: usize = 0; i + j < size; j += 4) {
      const sum = <u64>load<u32>(PRODUCT + i + j) + <u64>load<u32>(a + j) * digit + carry
      store<u32>(PRODUCT + i + j, <u32>sum)
      carry = sum >> 32
    }
  }
  copy(r, PRODUCT)
}

/** Whether the product, with the digit above it, is at least the modulus. */
function isAtLeastModulus(size: usize): bool {
  if (load<u32>(PRODUCT + size) != 0) return true
  for (let at = size; at > 0; at -= 4) {
    const a = load<u32>(PRODUCT + at - 4)
    const b = load<u32>(MODULUS + at - 4)
    if (a != b) return a > b
  }
  return true
}

/** r = a × b / 2^(32 × digits) mod the modulus: Montgomery's product, reduced digit by digit. */
function multiplyMontgomery(r: usize, a: usize, b: usize): void {
  const size = limbs << 3
  memory.fill(PRODUCT, 0, size + 8)
  for (let i: usize = 0; i < size; i += 4) {
    const digit = <u64>load<u32>(b + i)
    let carry: u64 = 0
    for (let j: usize = 0; j < size; j += 4) {
      const sum = <u64>load<u32>(PRODUCT + j) + <u64>load<u32>(a + j) * digit + carry
      store<u32>(PRODUCT + j, <u32>sum)
      carry = sum >> 32
    }
    const top = <u64>load<u32>(PRODUCT + size) + carry
    const quotient = (<u64>load<u32>(PRODUCT) * inverse) & 0xffffffff
    carry = (<u64>load<u32>(PRODUCT) + quotient * <u64>load<u32>(MODULUS)) >> 32
    for (let j: usize = 4; j < size; j += 4) {
      const sum = <u64>load<u32>(PRODUCT + j) + quotient * <u64>load<u32>(MODULUS + j) + carry
      store<u32>(PRODUCT + j - 4, <u32>sum)
      carry = sum >> 32
    }
    const sum = (top & 0xffffffff) + carry
    store<u32>(PRODUCT + size - 4, <u32>sum)
    store<u32>(PRODUCT + size, <u32>((top >> 32) + (sum >> 32)))
  }
  if (isAtLeastModulus(size)) {
    let borrow: i64 = 0
    for (let at: usize = 0; at < size; at += 4) {
      const difference = <i64>load<u32>(PRODUCT + at) - <i64>load<u32>(MODULUS + at) + borrow
      store<u32>(PRODUCT + at, <u32>difference)
      borrow = difference >> 32
    }
  }
  copy(r, PRODUCT)
}

/** The same for one limb. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function multiplyLimb(a: u64, b: u64): u64 {
  if (inverse == 0) return a * b
  const modulus = load<u64>(MODULUS)
  const high = multiplyHigh(a, b)
  // The low halves cancel out: with 1 / modulus instead of -1 / modulus, their difference is zero.
  const reduction = multiplyHigh(a * b * (0 - inverse), modulus)
  return high >= reduction ? high - reduction : high - reduction + modulus
}

function multiply(r: usize, a: usize, b: usize): void {
  if (limbs == 1) store<u64>(r, multiplyLimb(load<u64>(a), load<u64>(b)))
  else if (inverse == 0) multiplyLow(r, a, b)
  else multiplyMontgomery(r, a, b)
}

/** Starts with the result 1, and BASE and ONE of `count` limbs, modulo 2^(64 × count). */
export function begin(count: u32): void {
  limbs = <usize>count
  inverse = 0
  fillTable()
}

/** The same modulo MODULUS, which is odd. */
export function beginOdd(count: u32): void {
  limbs = <usize>count
  const modulus = load<u64>(MODULUS)
  // Newton's iteration doubles the correct bits, of which an odd number has three at first.
  let x = modulus
  for (let i = 0; i < 5; i++) x *= 2 - modulus * x
  inverse = 0 - x
  fillTable()
}

function fillTable(): void {
  copy(RESULT, ONE)
  copy(TABLE, ONE)
  for (let at: usize = TABLE + 32; at < TABLE + 512; at += 32) multiply(at, at - 32, BASE)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function raise(digit: u32): void {
  if (limbs == 1) {
    let value = load<u64>(RESULT)
    for (let i = 0; i < 4; i++) value = multiplyLimb(value, value)
    if (digit != 0) value = multiplyLimb(value, load<u64>(TABLE + (<usize>digit << 5)))
    store<u64>(RESULT, value)
    return
  }
  for (let i = 0; i < 4; i++) multiply(RESULT, RESULT, RESULT)
  if (digit != 0) multiply(RESULT, RESULT, TABLE + (<usize>digit << 5))
}

/** Continues with the next `length` bytes of the exponent, from EXPONENT, the most significant first. */
export function absorb(length: u32): void {
  for (let i: usize = 0; i < <usize>length; i++) {
    const byte = <u32>load<u8>(EXPONENT + i)
    raise(byte >> 4)
    raise(byte & 15)
  }
}

/** Brings the result of an odd modulus back from Montgomery form. */
export function finish(): void {
  memory.fill(ONE, 0, 32)
  store<u64>(ONE, 1)
  multiply(RESULT, RESULT, ONE)
}
