// Quotients and remainders: long division by Knuth's algorithm D (The Art of Computer Programming, 4.3.1) over
// digits of 32 bits, with the machine's own division where both numbers fit it.

import { multiplyFully } from './multiply'
import { add, copyWord, isNegative, isZero, negate, setNumber } from './word'

/** Up to 512 bits, with a digit to spare; what the division leaves of it is the remainder. */
const NUMERATOR: usize = memory.data(72, 16)
const DENOMINATOR: usize = memory.data(32, 16)
const QUOTIENT: usize = memory.data(72, 16)

/** How many of so many digits there are without leading zeros. */
function significant(digits: usize, count: i32): i32 {
  while (count > 0 && load<u32>(digits + (<usize>(count - 1) << 2)) == 0) count--
  return count
}

/** By a denominator of one digit. */
function divideByDigit(count: i32): void {
  const divisor = <u64>load<u32>(DENOMINATOR)
  let rest: u64 = 0
  for (let i = count - 1; i >= 0; i--) {
    const offset = <usize>i << 2
    const part = (rest << 32) | <u64>load<u32>(NUMERATOR + offset)
    store<u32>(QUOTIENT + offset, <u32>(part / divisor))
    store<u32>(NUMERATOR + offset, 0)
    rest = part % divisor
  }
  store<u32>(NUMERATOR, <u32>rest)
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
  memory.fill(QUOTIENT, 0, 72)
  store<u32>(NUMERATOR + (<usize>count << 2), 0)
  const length = significant(DENOMINATOR, 8)
  count = significant(NUMERATOR, count)
  if (count < length) return
  if (length == 1) return divideByDigit(count)
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

/** The first operand, at `x + 32`, by the second, which is where the result goes; by zero it is zero. */
export function divide(x: usize): void {
  if (isZero(x)) return
  if (isShort(x) && isShort(x + 32)) return setNumber(x, load<u64>(x, 32) / load<u64>(x))
  copyWord(NUMERATOR, x + 32)
  copyWord(DENOMINATOR, x)
  divideDigits(8)
  copyWord(x, QUOTIENT)
}

export function modulo(x: usize): void {
  if (isZero(x)) return
  if (isShort(x) && isShort(x + 32)) return setNumber(x, load<u64>(x, 32) % load<u64>(x))
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

export function multiplyModulo(x: usize): void {
  if (isZero(x)) return
  multiplyFully(NUMERATOR, x + 64, x + 32)
  copyWord(DENOMINATOR, x)
  divideDigits(16)
  copyWord(x, NUMERATOR)
}
