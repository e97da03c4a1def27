// Public key recovery (SEC 1, 4.1.6): Q = u1·G + u2·R. As in libsecp256k1, each scalar is split into two halves
// (Gallant, Lambert and Vanstone), which the caller computes. Not constant-time, because no input is secret.

import {
  add,
  copy,
  FIELD_BYTES,
  fromBytes,
  isOdd,
  multiply,
  negate,
  normalize,
  setInteger,
  square,
  squareRoot,
  toBytes,
} from './field'
import { BYTES, invertField } from './moduli'
import {
  AFFINE_BYTES,
  addAffine,
  copyAffine,
  double,
  fromAffine,
  isInfinity,
  readGenerator,
  rescale,
  setInfinity,
  toAffine,
} from './points'

/** Digits of a half: 129 bits, and those that a window reaches beyond. */
const DIGITS: i32 = 136
const WINDOW_R: i32 = 5
const WINDOW_G: i32 = 8
const MULTIPLES_R: i32 = 8
const MULTIPLES_G: i32 = 64

/** The halves of u2 and of u1, 24 little-endian bytes each, with the sign in the last 32-bit word. */
export const HALVES = memory.data(96, 8)
/** A cube root of one: lambda times a point multiplies its x by this. */
const BETA_BYTES = memory.data<u8>([
  0x7a, 0xe9, 0x6a, 0x2b, 0x65, 0x7c, 0x07, 0x10, 0x6e, 0x64, 0x47, 0x9e, 0xac, 0x34, 0x34, 0xe9, 0x9c, 0xf0,
  0x49, 0x75, 0x12, 0xf5, 0x89, 0x95, 0xc1, 0x39, 0x6c, 0x28, 0x71, 0x95, 0x01, 0xee,
])

const beta = memory.data(40)

/** Odd multiples of G and of lambda·G, affine: 64 each. */
const tableG = memory.data(5120)
const tableLambdaG = memory.data(5120)
/** Odd multiples of R and of lambda·R, affine on an isomorphic curve: 8 each. */
const tableR = memory.data(640)
const tableLambdaR = memory.data(640)

const base = memory.data(80)
const doubled = memory.data(128)
const sum = memory.data(128)
const scaleZ = memory.data(40)
const scale2 = memory.data(40)
const ratios = memory.data(2560)
const chosen = memory.data(80)
const digits = memory.data(544)

let isPrepared = false

function timesLambda(table: usize, multiplied: usize, count: i32): void {
  for (let index = 0; index < count; index++) {
    const at = <usize>index * AFFINE_BYTES
    multiply(multiplied + at, table + at, beta)
    copy(multiplied + at + FIELD_BYTES, table + at + FIELD_BYTES)
  }
}

/**
 * Computes a table of odd multiples of `base`. The points are affine on the isomorphic curve of the last one, whose z
 * is `scaleZ` times smaller.
 */
function tabulate(table: usize, count: i32): void {
  fromAffine(doubled, base)
  double(doubled)
  const doubledZ = doubled + 2 * FIELD_BYTES
  // On the isomorphic curve where the doubled point is affine.
  square(scale2, doubledZ)
  multiply(table, base, scale2)
  multiply(scale2, scale2, doubledZ)
  multiply(table + FIELD_BYTES, base + FIELD_BYTES, scale2)
  fromAffine(sum, table)
  for (let index = 1; index < count; index++) {
    addAffine(sum, doubled, 0, ratios + <usize>index * FIELD_BYTES)
    copyAffine(table + <usize>index * AFFINE_BYTES, sum)
  }
  copy(scaleZ, ratios + <usize>(count - 1) * FIELD_BYTES)
  for (let index = count - 2; index >= 0; index--) {
    rescale(table + <usize>index * AFFINE_BYTES, scaleZ)
    if (index > 0) multiply(scaleZ, scaleZ, ratios + <usize>index * FIELD_BYTES)
  }
  multiply(scaleZ, sum + 2 * FIELD_BYTES, doubledZ)
}

/** Computes the tables of the generator at the first use. */
function prepare(): void {
  fromBytes(beta, BETA_BYTES)
  readGenerator(base)
  tabulate(tableG, MULTIPLES_G)
  // Converts the points to affine ones on the curve itself.
  invertField(scaleZ, scaleZ)
  for (let index = 0; index < MULTIPLES_G; index++) rescale(tableG + <usize>index * AFFINE_BYTES, scaleZ)
  timesLambda(tableG, tableLambdaG, MULTIPLES_G)
  isPrepared = true
}

function bitsAt(half: usize, bit: i32, count: i32): i32 {
  const both = load<u64>(half + <usize>(bit >> 5) * 4)
  return <i32>((both >> (bit & 31)) & ((1 << count) - 1))
}

/** The windowed non-adjacent form of a half: odd signed digits with zeros between them. */
function spread(half: usize, window: i32, r: usize): void {
  memory.fill(r, 0, DIGITS)
  const sign = load<u32>(half + 20) == 0 ? 1 : -1
  let carry = 0
  for (let bit = 0; bit < DIGITS - 8; ) {
    if (bitsAt(half, bit, 1) == carry) {
      bit++
      continue
    }
    let digit = bitsAt(half, bit, window) + carry
    carry = digit >> (window - 1)
    digit -= carry << window
    store<i8>(r + bit, <i8>(digit * sign))
    bit += window
  }
  if (carry != 0) store<i8>(r + DIGITS - 8, <i8>sign)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function addDigit(digit: i32, table: usize, inverse: usize): void {
  if (digit == 0) return
  const at = table + <usize>((abs(digit) - 1) >> 1) * AFFINE_BYTES
  if (digit > 0) {
    addAffine(sum, at, inverse, 0)
    return
  }
  copy(chosen, at)
  negate(chosen + FIELD_BYTES, at + FIELD_BYTES, 4)
  addAffine(sum, chosen, inverse, 0)
}

/** sum = u2·base + u1·G. */
function combine(): void {
  tabulate(tableR, MULTIPLES_R)
  timesLambda(tableR, tableLambdaR, MULTIPLES_R)
  const ofR = digits
  const ofLambdaR = digits + DIGITS
  const ofG = digits + 2 * DIGITS
  const ofLambdaG = digits + 3 * DIGITS
  spread(HALVES, WINDOW_R, ofR)
  spread(HALVES + 24, WINDOW_R, ofLambdaR)
  spread(HALVES + 48, WINDOW_G, ofG)
  spread(HALVES + 72, WINDOW_G, ofLambdaG)
  setInfinity(sum)
  for (let bit: usize = DIGITS - 8 + 1; bit > 0; ) {
    bit--
    double(sum)
    addDigit(load<i8>(ofR + bit), tableR, 0)
    addDigit(load<i8>(ofLambdaR + bit), tableLambdaR, 0)
    addDigit(load<i8>(ofG + bit), tableG, scaleZ)
    addDigit(load<i8>(ofLambdaG + bit), tableLambdaG, scaleZ)
  }
  multiply(sum + 2 * FIELD_BYTES, sum + 2 * FIELD_BYTES, scaleZ)
}

/** Sets `base` to the point with the x in BYTES and this parity of y; false if there is none. */
function lift(parity: u32): bool {
  fromBytes(base, BYTES)
  square(scale2, base)
  multiply(scale2, scale2, base)
  setInteger(scaleZ, 7)
  add(scale2, scale2, scaleZ)
  if (!squareRoot(base + FIELD_BYTES, scale2)) return false
  normalize(base + FIELD_BYTES)
  if (isOdd(base + FIELD_BYTES) != (parity != 0)) {
    negate(base + FIELD_BYTES, base + FIELD_BYTES, 1)
    normalize(base + FIELD_BYTES)
  }
  return true
}

/** Replaces the x of R in BYTES by the public key, x and y; false if there is none. */
export function recover(parity: u32): bool {
  if (!isPrepared) prepare()
  if (!lift(parity)) return false
  combine()
  if (isInfinity(sum)) return false
  toAffine(chosen, sum)
  toBytes(BYTES, chosen)
  toBytes(BYTES + 32, chosen + FIELD_BYTES)
  return true
}
