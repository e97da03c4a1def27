// The field of secp256k1: integers mod p = 2^256 - 2^32 - 977, as ten limbs of 26 bits (22 in the last), each in 32
// bits of memory, the lowest first. As in libsecp256k1's field_10x26, reduction is lazy: limbs of a number of magnitude
// m are up to 2m times their maximum. Products take magnitudes up to 8 and have magnitude 1.

import { limbsFromBytes, limbsToBytes } from './limbs'

export const FIELD_BYTES: usize = 40
export const LIMB_BITS: usize = 26

const MASK: u64 = 0x3ffffff
/** 2^260 mod p, in two limbs. */
const FOLD_0: u64 = 0x3d10
const FOLD_1: u64 = 0x400

// @ts-ignore: a decorator of AssemblyScript
@inline
function limb(a: usize, index: usize): u64 {
  return <u64>load<u32>(a + index * 4)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function setLimb(a: usize, index: usize, value: u64): void {
  store<u32>(a + index * 4, <u32>value)
}

export function copy(r: usize, a: usize): void {
  for (let i: usize = 0; i < 40; i += 8) store<u64>(r + i, load<u64>(a + i))
}

export function setInteger(r: usize, value: u32): void {
  memory.fill(r, 0, FIELD_BYTES)
  store<u32>(r, value)
}

/** r = a + b; the magnitudes add up. */
export function add(r: usize, a: usize, b: usize): void {
  // Two limbs at a time: none of them overflows its 32 bits.
  for (let i: usize = 0; i < 40; i += 8) store<u64>(r + i, load<u64>(a + i) + load<u64>(b + i))
}

/** r = -a, where a has a magnitude of at most `m`, and r has m + 1. */
export function negate(r: usize, a: usize, m: u32): void {
  const twice = 2 * (m + 1)
  store<u32>(r, 0x3fffc2f * twice - load<u32>(a))
  store<u32>(r + 4, 0x3ffffbf * twice - load<u32>(a + 4))
  for (let i: usize = 8; i < 36; i += 4) store<u32>(r + i, 0x3ffffff * twice - load<u32>(a + i))
  store<u32>(r + 36, 0x03fffff * twice - load<u32>(a + 36))
}

/** a × n in place, for a small n; multiplies the magnitude by n. */
export function scale(a: usize, n: u32): void {
  for (let i: usize = 0; i < 40; i += 4) store<u32>(a + i, load<u32>(a + i) * n)
}

/** a / 2 mod p in place; a magnitude of m becomes m / 2 + 1. */
export function halve(a: usize): void {
  // Adds p first if a is odd.
  const odd = load<u32>(a) & 1
  const mask: u32 = odd * 0x3ffffff
  let next = load<u32>(a) + (0x3fffc2f & mask)
  for (let i: usize = 4; i < 40; i += 4) {
    const part: u32 = i == 4 ? 0x3ffffbf & mask : i == 36 ? mask >> 4 : mask
    const current = load<u32>(a + i) + part
    store<u32>(a + i - 4, (next >> 1) + ((current & 1) << 25))
    next = current
  }
  store<u32>(a + 36, next >> 1)
}

/** Reduces the magnitude to 1, in place. */
export function tighten(a: usize): void {
  const over = load<u32>(a + 36) >> 22
  store<u32>(a + 36, load<u32>(a + 36) & 0x3fffff)
  let carry = load<u32>(a) + over * 0x3d1
  store<u32>(a, carry & 0x3ffffff)
  carry = load<u32>(a + 4) + (over << 6) + (carry >> 26)
  store<u32>(a + 4, carry & 0x3ffffff)
  for (let i: usize = 8; i < 36; i += 4) {
    carry = load<u32>(a + i) + (carry >> 26)
    store<u32>(a + i, carry & 0x3ffffff)
  }
  store<u32>(a + 36, load<u32>(a + 36) + (carry >> 26))
}

function isAtLeastP(a: usize): bool {
  if (load<u32>(a + 36) != 0x3fffff) return load<u32>(a + 36) > 0x3fffff
  for (let i: usize = 8; i < 36; i += 4) if (load<u32>(a + i) != 0x3ffffff) return false
  const low = <u64>load<u32>(a) | (<u64>load<u32>(a + 4) << 26)
  return low >= 0xffffefffffc2f
}

/** Reduces to the unique representation below p, in place. */
export function normalize(a: usize): void {
  tighten(a)
  // Twice: the first time may carry beyond 2^256.
  tighten(a)
  if (!isAtLeastP(a)) return
  // a - p = a + 2^32 + 977 - 2^256
  let carry = load<u32>(a) + 0x3d1
  store<u32>(a, carry & 0x3ffffff)
  carry = load<u32>(a + 4) + 0x40 + (carry >> 26)
  store<u32>(a + 4, carry & 0x3ffffff)
  for (let i: usize = 8; i < 40; i += 4) {
    carry = load<u32>(a + i) + (carry >> 26)
    store<u32>(a + i, carry & 0x3ffffff)
  }
  store<u32>(a + 36, load<u32>(a + 36) & 0x3fffff)
}

const compared = memory.data(40)

export function isZero(a: usize): bool {
  // Checks the lowest limb first: it must be that of 0 or of p.
  const low = (load<u32>(a) + (load<u32>(a + 36) >> 22) * 0x3d1) & 0x3ffffff
  if (low != 0 && low != 0x3fffc2f) return false
  copy(compared, a)
  normalize(compared)
  let bits: u64 = 0
  for (let i: usize = 0; i < 40; i += 8) bits |= load<u64>(compared + i)
  return bits == 0
}

/** For a normalized number. */
export function isOdd(a: usize): bool {
  return (load<u32>(a) & 1) != 0
}

/** Reads 32 big-endian bytes. */
export function fromBytes(r: usize, bytes: usize): void {
  limbsFromBytes(r, bytes, LIMB_BITS)
}

/** Writes a normalized number as 32 big-endian bytes. */
export function toBytes(bytes: usize, a: usize): void {
  limbsToBytes(bytes, a, LIMB_BITS)
}

/**
 * r = the sum of columns of products, each worth 2^26 times the one before it. Folds the columns from the tenth on into
 * the lower ones, 26 bits at a time.
 */
// @ts-ignore: a decorator of AssemblyScript
@inline
function reduce(
  r: usize,
  c0: u64, c1: u64, c2: u64, c3: u64, c4: u64, c5: u64, c6: u64, c7: u64,
  c8: u64, c9: u64, c10: u64, c11: u64, c12: u64, c13: u64, c14: u64,
  c15: u64, c16: u64, c17: u64, c18: u64,
): void {
  let high = c9
  const t9 = high & MASK
  high = (high >> 26) + c10
  const f0 = high & MASK
  high = (high >> 26) + c11
  const f1 = high & MASK
  high = (high >> 26) + c12
  const f2 = high & MASK
  high = (high >> 26) + c13
  const f3 = high & MASK
  high = (high >> 26) + c14
  const f4 = high & MASK
  high = (high >> 26) + c15
  const f5 = high & MASK
  high = (high >> 26) + c16
  const f6 = high & MASK
  high = (high >> 26) + c17
  const f7 = high & MASK
  high = (high >> 26) + c18
  const f8 = high & MASK
  high >>= 26
  let low: u64 = c0 + f0 * FOLD_0
  const t0 = low & MASK
  low = (low >> 26) + c1 + f0 * FOLD_1 + f1 * FOLD_0
  const t1 = low & MASK
  low = (low >> 26) + c2 + f1 * FOLD_1 + f2 * FOLD_0
  const t2 = low & MASK
  low = (low >> 26) + c3 + f2 * FOLD_1 + f3 * FOLD_0
  setLimb(r, 3, low & MASK)
  low = (low >> 26) + c4 + f3 * FOLD_1 + f4 * FOLD_0
  setLimb(r, 4, low & MASK)
  low = (low >> 26) + c5 + f4 * FOLD_1 + f5 * FOLD_0
  setLimb(r, 5, low & MASK)
  low = (low >> 26) + c6 + f5 * FOLD_1 + f6 * FOLD_0
  setLimb(r, 6, low & MASK)
  low = (low >> 26) + c7 + f6 * FOLD_1 + f7 * FOLD_0
  setLimb(r, 7, low & MASK)
  low = (low >> 26) + c8 + f7 * FOLD_1 + f8 * FOLD_0
  setLimb(r, 8, low & MASK)
  low = (low >> 26) + f8 * FOLD_1
  low += high * FOLD_0 + t9
  setLimb(r, 9, low & (MASK >> 4))
  // The bits beyond 256.
  low = (low >> 22) + high * (FOLD_1 << 4)
  let carry = low * (FOLD_0 >> 4) + t0
  setLimb(r, 0, carry & MASK)
  carry = (carry >> 26) + low * (FOLD_1 >> 4) + t1
  setLimb(r, 1, carry & MASK)
  setLimb(r, 2, (carry >> 26) + t2)
}

/** r = a × b mod p. */
export function multiply(r: usize, a: usize, b: usize): void {
  const a0 = limb(a, 0)
  const a1 = limb(a, 1)
  const a2 = limb(a, 2)
  const a3 = limb(a, 3)
  const a4 = limb(a, 4)
  const a5 = limb(a, 5)
  const a6 = limb(a, 6)
  const a7 = limb(a, 7)
  const a8 = limb(a, 8)
  const a9 = limb(a, 9)
  const b0 = limb(b, 0)
  const b1 = limb(b, 1)
  const b2 = limb(b, 2)
  const b3 = limb(b, 3)
  const b4 = limb(b, 4)
  const b5 = limb(b, 5)
  const b6 = limb(b, 6)
  const b7 = limb(b, 7)
  const b8 = limb(b, 8)
  const b9 = limb(b, 9)
  reduce(
    r,
    a0 * b0,
    a0 * b1 + a1 * b0,
    a0 * b2 + a1 * b1 + a2 * b0,
    a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0,
    a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0,
    a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0,
    a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0,
    a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0,
    a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3 + a6 * b2 + a7 * b1 + a8 * b0,
    a0 * b9 + a1 * b8 + a2 * b7 + a3 * b6 + a4 * b5 + a5 * b4 + a6 * b3 + a7 * b2 + a8 * b1 + a9 * b0,
    a1 * b9 + a2 * b8 + a3 * b7 + a4 * b6 + a5 * b5 + a6 * b4 + a7 * b3 + a8 * b2 + a9 * b1,
    a2 * b9 + a3 * b8 + a4 * b7 + a5 * b6 + a6 * b5 + a7 * b4 + a8 * b3 + a9 * b2,
    a3 * b9 + a4 * b8 + a5 * b7 + a6 * b6 + a7 * b5 + a8 * b4 + a9 * b3,
    a4 * b9 + a5 * b8 + a6 * b7 + a7 * b6 + a8 * b5 + a9 * b4,
    a5 * b9 + a6 * b8 + a7 * b7 + a8 * b6 + a9 * b5,
    a6 * b9 + a7 * b8 + a8 * b7 + a9 * b6,
    a7 * b9 + a8 * b8 + a9 * b7,
    a8 * b9 + a9 * b8,
    a9 * b9,
  )
}

/** r = a² mod p. */
export function square(r: usize, a: usize): void {
  const a0 = limb(a, 0)
  const a1 = limb(a, 1)
  const a2 = limb(a, 2)
  const a3 = limb(a, 3)
  const a4 = limb(a, 4)
  const a5 = limb(a, 5)
  const a6 = limb(a, 6)
  const a7 = limb(a, 7)
  const a8 = limb(a, 8)
  const a9 = limb(a, 9)
  const d1 = a1 << 1
  const d2 = a2 << 1
  const d3 = a3 << 1
  const d4 = a4 << 1
  const d5 = a5 << 1
  const d6 = a6 << 1
  const d7 = a7 << 1
  const d8 = a8 << 1
  const d9 = a9 << 1
  reduce(
    r,
    a0 * a0,
    a0 * d1,
    a0 * d2 + a1 * a1,
    a0 * d3 + a1 * d2,
    a0 * d4 + a1 * d3 + a2 * a2,
    a0 * d5 + a1 * d4 + a2 * d3,
    a0 * d6 + a1 * d5 + a2 * d4 + a3 * a3,
    a0 * d7 + a1 * d6 + a2 * d5 + a3 * d4,
    a0 * d8 + a1 * d7 + a2 * d6 + a3 * d5 + a4 * a4,
    a0 * d9 + a1 * d8 + a2 * d7 + a3 * d6 + a4 * d5,
    a1 * d9 + a2 * d8 + a3 * d7 + a4 * d6 + a5 * a5,
    a2 * d9 + a3 * d8 + a4 * d7 + a5 * d6,
    a3 * d9 + a4 * d8 + a5 * d7 + a6 * a6,
    a4 * d9 + a5 * d8 + a6 * d7,
    a5 * d9 + a6 * d8 + a7 * a7,
    a6 * d9 + a7 * d8,
    a7 * d9 + a8 * a8,
    a8 * d9,
    a9 * a9,
  )
}

/** r = a^(2^n) × b */
function squareTimes(r: usize, a: usize, n: i32, b: usize): void {
  square(r, a)
  for (let i = 1; i < n; i++) square(r, r)
  multiply(r, r, b)
}

const x2 = memory.data(40)
const x3 = memory.data(40)
const x6 = memory.data(40)
const x9 = memory.data(40)
const x11 = memory.data(40)
const x22 = memory.data(40)
const x44 = memory.data(40)
const x88 = memory.data(40)
const x176 = memory.data(40)
const x220 = memory.data(40)
const x223 = memory.data(40)
const root = memory.data(40)

/** r = a^((p + 1) / 4), a square root of a; false if there is none. r must not be a. Addition chain of libsecp256k1. */
export function squareRoot(r: usize, a: usize): bool {
  squareTimes(x2, a, 1, a)
  squareTimes(x3, x2, 1, a)
  squareTimes(x6, x3, 3, x3)
  squareTimes(x9, x6, 3, x3)
  squareTimes(x11, x9, 2, x2)
  squareTimes(x22, x11, 11, x11)
  squareTimes(x44, x22, 22, x22)
  squareTimes(x88, x44, 44, x44)
  squareTimes(x176, x88, 88, x88)
  squareTimes(x220, x176, 44, x44)
  squareTimes(x223, x220, 3, x3)
  squareTimes(root, x223, 23, x22)
  squareTimes(root, root, 6, x2)
  square(root, root)
  square(r, root)
  // If a has no root, the square of the result differs from a.
  square(root, r)
  negate(root, root, 1)
  add(root, root, a)
  return isZero(root)
}
