// Quotients and remainders: long division by Knuth's algorithm D (The Art of Computer Programming, 4.3.1) over
// digits of 32 bits, with the machine's own division where both numbers fit it or the denominator is one digit.

import { multiplyFully, multiplyOnto } from './multiply'
import { add, copyWord, isLess, isNegative, isZero, negate, setNumber, setWord, subtract } from './word'

/** Up to 512 bits, with a digit to spare; what the division leaves of it is the remainder. */
const NUMERATOR: usize = memory.data(72, 16)
const DENOMINATOR: usize = memory.data(32, 16)
const QUOTIENT: usize = memory.data(72, 16)

/** How many of so many digits there are without leading zeros. */
function significant(digits: usize, count: i32): i32 {
  while (count > 0 && load<u32>(digits + (<usize>(count - 1) << 2)) == 0) count--
  return count
}

/** Divides so many limbs by one digit, and gives the remainder. */
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

/** Takes the denominator `digit` times from the numerator at `at`; true where that was once too often. */
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

/** The next digit of the quotient as the two leading digits of the denominator suggest: right, or one too much. */
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

/** Divides the `count` digits of the numerator by the denominator, which is not zero. */
function divideDigits(count: i32): void {
  // To fill it at once would be a call out of WebAssembly.
  for (let at = QUOTIENT; at < QUOTIENT + 72; at += 8) store<u64>(at, 0)
  store<u32>(NUMERATOR + (<usize>count << 2), 0)
  const length = significant(DENOMINATOR, 8)
  count = significant(NUMERATOR, count)
  if (count < length) return
  if (length == 1) {
    return setNumber(NUMERATOR, divideByDigit(QUOTIENT, NUMERATOR, (count + 1) >> 1, load<u32>(DENOMINATOR)))
  }
  // The leading digit of the denominator is made as large as it can be: so the estimates are good.
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

/** The first operand, at `x + 32`, by the second, which is where the result goes; by zero it is zero. */
export function divide(x: usize): void {
  if (isZero(x)) return
  if (isShort(x) && isShort(x + 32)) return setNumber(x, load<u64>(x, 32) / load<u64>(x))
  if (isLess(x + 32, x)) return setNumber(x, 0)
  // With its highest bit it goes once.
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

/** The remainder has the sign of the first operand. */
export function moduloSigned(x: usize): void {
  const isBelowZero = isNegative(x + 32)
  if (isNegative(x)) negate(x)
  if (isBelowZero) negate(x + 32)
  modulo(x)
  if (isBelowZero) negate(x)
}

// Three operands: the first is at `x + 64`, the second at `x + 32`; the third, the modulus, is where the result goes.

export function addModulo(x: usize): void {
  if (isZero(x)) return
  const carry = add(x + 32)
  copyWord(NUMERATOR, x + 32)
  store<u64>(NUMERATOR, carry, 32)
  copyWord(DENOMINATOR, x)
  divideDigits(9)
  copyWord(x, NUMERATOR)
}

/** Whether a modulus is less than 2^64 below 2^256, as those of fields are that are quick to compute in. */
// @ts-ignore: decorator
@inline
function isNearlyFull(x: usize): bool {
  return (load<u64>(x, 8) & load<u64>(x, 16) & load<u64>(x, 24)) == u64.MAX_VALUE && load<u64>(x) != 0
}

/**
 * By such a modulus 2^256 leaves what the modulus lacks, so the upper half of the numerator times that is added to the
 * lower; what that carries, once more.
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
  // As operands are on the stack: the first above the second.
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
