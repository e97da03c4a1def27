// MUL, EXP and products of words. WebAssembly has no 128-bit product, so its high half is composed from 32-bit digits.

import { copyWord, setNumber, setWord } from './word'

// @ts-ignore: decorator
@inline
export function multiplyHigh(a: u64, b: u64): u64 {
  const a0 = a & 0xffffffff
  const a1 = a >> 32
  const b0 = b & 0xffffffff
  const b1 = b >> 32
  const middle = a1 * b0 + ((a0 * b0) >> 32)
  const low = a0 * b1 + (middle & 0xffffffff)
  return a1 * b1 + (middle >> 32) + (low >> 32)
}

/** word(to) = word(a) × word(b) mod 2^256. */
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

/** word(to) = word(a) × limb mod 2^256. */
function multiplyByLimb(to: usize, a: usize, limb: u64): void {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  let t = a1 * limb
  const r1 = t + multiplyHigh(a0, limb)
  let carry = <u64>(r1 < t)
  t = a2 * limb
  const r2 = t + multiplyHigh(a1, limb) + carry
  carry = <u64>(r2 < t)
  setWord(to, a0 * limb, r1, r2, load<u64>(a, 24) * limb + multiplyHigh(a2, limb) + carry)
}

// @ts-ignore: decorator
@inline
export function multiply(x: usize): void {
  const a = load<u64>(x, 32)
  const b = load<u64>(x)
  const isShortA = (load<u64>(x, 40) | load<u64>(x, 48) | load<u64>(x, 56)) == 0
  const isShortB = (load<u64>(x, 8) | load<u64>(x, 16) | load<u64>(x, 24)) == 0
  if (isShortA) {
    if (isShortB) setWord(x, a * b, multiplyHigh(a, b), 0, 0)
    else multiplyByLimb(x, x, a)
  } else if (isShortB) multiplyByLimb(x, x + 32, b)
  else multiplyWords(x, x + 32, x)
}

/** word(to) += word(a) × limb; returns the carry. */
export function multiplyOnto(to: usize, a: usize, limb: u64): u64 {
  let carry: u64 = 0
  for (let i: usize = 0; i < 32; i += 8) {
    const factor = load<u64>(a + i)
    const low = factor * limb
    const sum = low + carry
    const total = sum + load<u64>(to + i)
    carry = multiplyHigh(factor, limb) + <u64>(sum < low) + <u64>(total < sum)
    store<u64>(to + i, total)
  }
  return carry
}

/** The 512-bit product of the words at `a` and `b`. */
export function multiplyFully(to: usize, a: usize, b: usize): void {
  setWord(to, 0, 0, 0, 0)
  for (let i: usize = 0; i < 32; i += 8) store<u64>(to + i, multiplyOnto(to + i, b, load<u64>(a + i)), 32)
}

const BASE: usize = memory.data(32, 16)
const EXPONENT: usize = memory.data(32, 16)

/** EXP: the operand at `x + 32` to the power of the operand at `x`. */
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
