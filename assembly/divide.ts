// DIV, MOD and their relatives: long division by Knuth's algorithm D (The Art of Computer Programming, 4.3.1) with
// 32-bit digits; native 64-bit division if both operands fit it, or the denominator has one digit.

import { multiplyFully, multiplyOnto } from './multiply'
import { add, copyWord, isLess, isNegative, isZero, negate, setNumber, setWord, subtract } from './word'

/** Up to 512 bits and a spare digit; the division leaves the remainder in it. */
const NUMERATOR: usize = memory.data(72, 16)
const DENOMINATOR: usize = memory.data(32, 16)
const QUOTIENT: usize = memory.data(72, 16)

/** The number of digits without leading zeros. */
function significant(digits: usize, count: i32): i32 {
  while (count > 0 && load<u32>(digits + (<usize>(count - 1) << 2)) == 0) count--
  return count
}

/** Divides `limbs` limbs by one digit; returns the remainder. */
function divideByDigit(quotient: usize, numerator: usize, limbs: i32, divisor: u64): u64 {
  let rest: u64 = 0
  for (let i = limbs - 1; i >= 0; i--) {
    const offset = <usize>i << 3
    const limb = load<u64>(numerator + offset)
    const upper = (rest << 32) | (limb >> 32)
    const high = upper / divisor
    const lower = ((upper - high * divisor) << 32) | (limb & 0xffffffff)
    const low = lower / divisor
    store<u64>(quotient + offset, (high << 32) | low)
    rest = lower - low * divisor
  }
  return rest
}

function shiftDigitsLeft(digits: usize, count: i32, bits: u64): void {
  let carry: u64 = 0
  for (let i = 0; i < count; i++) {
    const at = digits + (<usize>i << 2)
    const shifted = (<u64>load<u32>(at) << bits) | carry
    store<u32>(at, <u32>shifted)
    carry = shifted >> 32
  }
}

function shiftDigitsRight(digits: usize, count: i32, bits: u64): void {
  for (let i = 0; i < count; i++) {
    const at = digits + (<usize>i << 2)
    const high = i + 1 < count ? <u64>load<u32>(at, 4) : 0
    store<u32>(at, <u32>(((high << 32) | <u64>load<u32>(at)) >> bits))
  }
}

/** Subtracts `digit` times the denominator from the numerator at `at`; true if the result is negative. */
function subtractMultiple(at: usize, digit: u64, length: i32): bool {
  let carry: u64 = 0
  let borrow: i64 = 0
  for (let i = 0; i < length; i++) {
    const offset = <usize>i << 2
    const product = digit * <u64>load<u32>(DENOMINATOR + offset) + carry
    carry = product >> 32
    const rest = <i64>load<u32>(at + offset) - <i64>(product & 0xffffffff) + borrow
    store<u32>(at + offset, <u32>rest)
    borrow = rest >> 32
  }
  const top = at + (<usize>length << 2)
  const rest = <i64>load<u32>(top) - <i64>carry + borrow
  store<u32>(top, <u32>rest)
  return rest < 0
}

function addBack(at: usize, length: i32): void {
  let carry: u64 = 0
  for (let i = 0; i < length; i++) {
    const offset = <usize>i << 2
    const sum = <u64>load<u32>(at + offset) + <u64>load<u32>(DENOMINATOR + offset) + carry
    store<u32>(at + offset, <u32>sum)
    carry = sum >> 32
  }
  const top = at + (<usize>length << 2)
  store<u32>(top, load<u32>(top) + <u32>carry)
}

/** Estimates the next digit of the quotient from the two leading digits of the denominator; at most one too high. */
// @ts-ignore: decorator
@inline
function estimateDigit(top: usize, leading: u64, second: u64): u64 {
  const part = (<u64>load<u32>(top) << 32) | <u64>load<u32>(top - 4)
  let digit = part / leading
  let rest = part % leading
  while (digit > 0xffffffff || digit * second > ((rest << 32) | <u64>load<u32>(top - 8))) {
    digit--
    rest += leading
    if (rest > 0xffffffff) break
  }
  return digit
}

/** Divides `count` digits of the numerator by the denominator, which must not be zero. */
function divideDigits(count: i32): void {
  // A loop, because memory.fill is a call out of WebAssembly code.
  for (let at = QUOTIENT; at < QUOTIENT + 72; at += 8) store<u64>(at, 0)
  store<u32>(NUMERATOR + (<usize>count << 2), 0)
  const length = significant(DENOMINATOR, 8)
  count = significant(NUMERATOR, count)
  if (count < length) return
  if (length == 1) {
    return setNumber(NUMERATOR, divideByDigit(QUOTIENT, NUMERATOR, (count + 1) >> 1, load<u32>(DENOMINATOR)))
  }
  // Normalizes the denominator, so that its highest bit is set and the estimates are accurate.
  const bits = <u64>clz(load<u32>(DENOMINATOR + (<usize>(length - 1) << 2)))
  shiftDigitsLeft(DENOMINATOR, length, bits)
  shiftDigitsLeft(NUMERATOR, count + 1, bits)
  const leading = <u64>load<u32>(DENOMINATOR + (<usize>(length - 1) << 2))
  const second = <u64>load<u32>(DENOMINATOR + (<usize>(length - 2) << 2))
  for (let i = count - length; i >= 0; i--) {
    const at = NUMERATOR + (<usize>i << 2)
    let digit = estimateDigit(at + (<usize>length << 2), leading, second)
    if (subtractMultiple(at, digit, length)) {
      addBack(at, length)
      digit--
    }
    store<u32>(QUOTIENT + (<usize>i << 2), <u32>digit)
  }
  shiftDigitsRight(NUMERATOR, length, bits)
}

// @ts-ignore: decorator
@inline
function isShort(x: usize): bool {
  return (load<u64>(x, 8) | load<u64>(x, 16) | load<u64>(x, 24)) == 0
}

// @ts-ignore: decorator
@inline
function isDigit(x: usize): bool {
  return isShort(x) && load<u64>(x) <= 0xffffffff
}

/** DIV: the operand at `x + 32` divided by the one at `x`; division by zero is zero. */
export function divide(x: usize): void {
  if (isZero(x)) return
  if (isShort(x) && isShort(x + 32)) return setNumber(x, load<u64>(x, 32) / load<u64>(x))
  if (isLess(x + 32, x)) return setNumber(x, 0)
  // A denominator with its highest bit set fits at most once.
  if (isNegative(x)) return setNumber(x, 1)
  if (isDigit(x)) {
    divideByDigit(x, x + 32, 4, load<u64>(x))
    return
  }
  copyWord(NUMERATOR, x + 32)
  copyWord(DENOMINATOR, x)
  divideDigits(8)
  copyWord(x, QUOTIENT)
}

export function modulo(x: usize): void {
  if (isZero(x)) return
  if (isShort(x) && isShort(x + 32)) return setNumber(x, load<u64>(x, 32) % load<u64>(x))
  if (isLess(x + 32, x)) return copyWord(x, x + 32)
  if (isNegative(x)) return subtract(x)
  if (isDigit(x)) return setNumber(x, divideByDigit(QUOTIENT, x + 32, 4, load<u64>(x)))
  copyWord(NUMERATOR, x + 32)
  copyWord(DENOMINATOR, x)
  divideDigits(8)
  copyWord(x, NUMERATOR)
}

export function divideSigned(x: usize): void {
  const isDifferent = isNegative(x) != isNegative(x + 32)
  if (isNegative(x)) negate(x)
  if (isNegative(x + 32)) negate(x + 32)
  divide(x)
  if (isDifferent) negate(x)
}

/** SMOD: the remainder has the sign of the first operand. */
export function moduloSigned(x: usize): void {
  const isBelowZero = isNegative(x + 32)
  if (isNegative(x)) negate(x)
  if (isBelowZero) negate(x + 32)
  modulo(x)
  if (isBelowZero) negate(x)
}

// ADDMOD and MULMOD: operands at `x + 64` and `x + 32`; the modulus at `x` is replaced by the result.

export function addModulo(x: usize): void {
  if (isZero(x)) return
  const carry = add(x + 32)
  copyWord(NUMERATOR, x + 32)
  store<u64>(NUMERATOR, carry, 32)
  copyWord(DENOMINATOR, x)
  divideDigits(9)
  copyWord(x, NUMERATOR)
}

/** Whether a modulus is above 2^256 - 2^64, as the primes of fast fields are. */
// @ts-ignore: decorator
@inline
function isNearlyFull(x: usize): bool {
  return (load<u64>(x, 8) & load<u64>(x, 16) & load<u64>(x, 24)) == u64.MAX_VALUE && load<u64>(x) != 0
}

/**
 * Reduction by such a modulus: 2^256 is congruent to 2^256 - modulus, so the upper half of the numerator times that
 * difference is added to the lower half, and the same again for the carry.
 */
function reduceNearlyFull(x: usize): void {
  const lack: u64 = 0 - load<u64>(x)
  const above = multiplyOnto(NUMERATOR, NUMERATOR + 32, lack)
  setWord(NUMERATOR + 32, above, 0, 0, 0)
  if (multiplyOnto(NUMERATOR, NUMERATOR + 32, lack) != 0) {
    setWord(NUMERATOR + 32, 1, 0, 0, 0)
    multiplyOnto(NUMERATOR, NUMERATOR + 32, lack)
  }
  if (isLess(NUMERATOR, x)) return copyWord(x, NUMERATOR)
  // Laid out like operands on the stack: the first above the second.
  copyWord(NUMERATOR + 32, NUMERATOR)
  copyWord(NUMERATOR, x)
  subtract(NUMERATOR)
  copyWord(x, NUMERATOR)
}

export function multiplyModulo(x: usize): void {
  if (isZero(x)) return
  multiplyFully(NUMERATOR, x + 64, x + 32)
  if (isNearlyFull(x)) return reduceNearlyFull(x)
  copyWord(DENOMINATOR, x)
  divideDigits(16)
  copyWord(x, NUMERATOR)
}
