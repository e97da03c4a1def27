// Products of words. WebAssembly has no product of 128 bits, so the high half is put together from 32-bit digits.

import { copyWord, setNumber, setWord } from './word'

// @ts-ignore: decorator
@inline
function multiplyHigh(a: u64, b: u64): u64 {
  const a0 = a & 0xffffffff
  const a1 = a >> 32
  const b0 = b & 0xffffffff
  const b1 = b >> 32
  const middle = a1 * b0 + ((a0 * b0) >> 32)
  const low = a0 * b1 + (middle & 0xffffffff)
  return a1 * b1 + (middle >> 32) + (low >> 32)
}

/** `to` is the product of the words at `a` and `b`, modulo 2^256. */
function multiplyWords(to: usize, a: usize, b: usize): void {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const b0 = load<u64>(b)
  const b1 = load<u64>(b, 8)
  const b2 = load<u64>(b, 16)

  let r1 = multiplyHigh(a0, b0)
  let t = a0 * b1
  r1 += t
  let r2 = <u64>(r1 < t)
  t = a1 * b0
  r1 += t
  r2 += <u64>(r1 < t)

  let r3: u64 = 0
  t = multiplyHigh(a0, b1)
  r2 += t
  r3 += <u64>(r2 < t)
  t = multiplyHigh(a1, b0)
  r2 += t
  r3 += <u64>(r2 < t)
  t = a0 * b2
  r2 += t
  r3 += <u64>(r2 < t)
  t = a1 * b1
  r2 += t
  r3 += <u64>(r2 < t)
  t = a2 * b0
  r2 += t
  r3 += <u64>(r2 < t)

  r3 += multiplyHigh(a0, b2) + multiplyHigh(a1, b1) + multiplyHigh(a2, b0)
  r3 += a0 * load<u64>(b, 24) + a1 * b2 + a2 * b1 + load<u64>(a, 24) * b0
  setWord(to, a0 * b0, r1, r2, r3)
}

// @ts-ignore: decorator
@inline
export function multiply(x: usize): void {
  const highs =
    load<u64>(x, 8) | load<u64>(x, 16) | load<u64>(x, 24) | load<u64>(x, 40) | load<u64>(x, 48) | load<u64>(x, 56)
  if (highs == 0) {
    const a = load<u64>(x, 32)
    const b = load<u64>(x)
    return setWord(x, a * b, multiplyHigh(a, b), 0, 0)
  }
  multiplyWords(x, x + 32, x)
}

/** The product of the words at `a` and `b`, all 512 bits of it. */
export function multiplyFully(to: usize, a: usize, b: usize): void {
  memory.fill(to, 0, 64)
  for (let i: usize = 0; i < 32; i += 4) {
    const digit = <u64>load<u32>(a + i)
    if (digit == 0) continue
    let carry: u64 = 0
    for (let j: usize = 0; j < 32; j += 4) {
      const at = to + i + j
      const sum = digit * <u64>load<u32>(b + j) + <u64>load<u32>(at) + carry
      store<u32>(at, <u32>sum)
      carry = sum >> 32
    }
    store<u32>(to + i + 32, <u32>carry)
  }
}

const BASE: usize = memory.data(32, 16)
const EXPONENT: usize = memory.data(32, 16)

/** The first operand, at `x + 32`, to the power of the second, at `x`. */
export function power(x: usize): void {
  copyWord(BASE, x + 32)
  copyWord(EXPONENT, x)
  setNumber(x, 1)
  for (let i: usize = 0; i < 32; i += 8) {
    let bits = load<u64>(EXPONENT + i)
    let rest: u64 = 0
    for (let j = i + 8; j < 32; j += 8) rest |= load<u64>(EXPONENT + j)
    for (let left = 64; left > 0 && (bits | rest) != 0; left--) {
      if ((bits & 1) != 0) multiplyWords(x, BASE, x)
      multiplyWords(BASE, BASE, BASE)
      bits >>= 1
    }
  }
}

/** The length of the exponent in bytes. */
export function byteLength(x: usize): u64 {
  for (let i: usize = 32; i > 0; i -= 8) {
    const value = load<u64>(x + i - 8)
    if (value != 0) return i - (clz(value) >> 3)
  }
  return 0
}
