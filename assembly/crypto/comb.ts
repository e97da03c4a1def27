// Multiples of the generator by libsecp256k1's signed comb, to sign, to derive public keys, and to verify a signature
// against a known key: whether its R is such a multiple. The bits of a scalar stand for +1 and -1 and form blocks; the teeth of a block are SPACING bits
// apart, and the table has all sums of a block's teeth. Not constant-time: the keys are those of test accounts.

import {
  add,
  copy,
  FIELD_BYTES,
  fromBytes,
  isOdd,
  isZero,
  multiply,
  negate,
  normalize,
  square,
  tighten,
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
  JACOBIAN_BYTES,
  readGenerator,
  rescale,
  setInfinity,
  toAffine,
} from './points'

const BLOCKS: usize = 4
const TEETH: usize = 8
const SPACING: usize = 8
/** Entries with the top tooth set; the other half are their negatives. */
const ENTRIES: usize = 128
const TOP_TOOTH: usize = 128
const BLOCK_BYTES: usize = ENTRIES * AFFINE_BYTES

/** 256 bits, the lowest first: 1 stands for +1, 0 for -1. */
export const SIGNS = memory.data(32, 8)

/** 512 affine points. The index of an entry in its block has the bits of the lower teeth. */
const table = memory.data(40960)
/** The teeth and, from the 33rd on, their doubles. */
const teeth = memory.data(8192)
const affineTeeth = memory.data(5120)
/** Enough for the last step of the table, which computes half of the entries. */
const divisors = memory.data(10240)
const products = memory.data(10240)
const inverse = memory.data(40)
const ratio = memory.data(40)
const slope = memory.data(40)
const lastEntries = memory.data(320)
const sum = memory.data(128)
const chosen = memory.data(80)
const x = memory.data(40)

let isPrepared = false

/** Inverts all divisors with one inversion (Montgomery's trick). None may be zero. */
function invertDivisors(count: usize): void {
  copy(products, divisors)
  for (let i = FIELD_BYTES; i < count * FIELD_BYTES; i += FIELD_BYTES) {
    multiply(products + i, products + i - FIELD_BYTES, divisors + i)
  }
  invertField(inverse, products + (count - 1) * FIELD_BYTES)
  for (let i = (count - 1) * FIELD_BYTES; i > 0; i -= FIELD_BYTES) {
    multiply(ratio, inverse, products + i - FIELD_BYTES)
    multiply(inverse, inverse, divisors + i)
    copy(divisors + i, ratio)
  }
  copy(divisors, inverse)
}

/** Converts Jacobian points to affine ones. None may be infinity. */
function toAffinePoints(r: usize, points: usize, count: usize): void {
  for (let i: usize = 0; i < count; i++) {
    copy(divisors + i * FIELD_BYTES, points + i * JACOBIAN_BYTES + 2 * FIELD_BYTES)
  }
  invertDivisors(count)
  for (let i: usize = 0; i < count; i++) {
    copyAffine(r + i * AFFINE_BYTES, points + i * JACOBIAN_BYTES)
    rescale(r + i * AFFINE_BYTES, divisors + i * FIELD_BYTES)
  }
}

function prepareTeeth(): void {
  readGenerator(chosen)
  fromAffine(sum, chosen)
  for (let tooth: usize = 0; tooth < BLOCKS * TEETH; tooth++) {
    memory.copy(teeth + tooth * JACOBIAN_BYTES, sum, JACOBIAN_BYTES)
    double(sum)
    memory.copy(teeth + (BLOCKS * TEETH + tooth) * JACOBIAN_BYTES, sum, JACOBIAN_BYTES)
    for (let i: usize = 1; i < SPACING; i++) double(sum)
  }
  toAffinePoints(affineTeeth, teeth, 2 * BLOCKS * TEETH)
}

/** Computes the last entry of each block, which has all teeth set. */
function prepareLastEntries(): void {
  for (let block: usize = 0; block < BLOCKS; block++) {
    const first = affineTeeth + block * TEETH * AFFINE_BYTES
    const last = teeth + block * JACOBIAN_BYTES
    fromAffine(last, first)
    for (let tooth: usize = 1; tooth < TEETH; tooth++) addAffine(last, first + tooth * AFFINE_BYTES, 0, 0)
  }
  toAffinePoints(lastEntries, teeth, BLOCKS)
  for (let block: usize = 0; block < BLOCKS; block++) {
    copyAffine(table + block * BLOCK_BYTES + (ENTRIES - 1) * AFFINE_BYTES, lastEntries + block * AFFINE_BYTES)
  }
}

/** r = a - b, for affine points with different x; `inverted` is the inverse of the difference of their x. */
function subtractAffine(r: usize, a: usize, b: usize, inverted: usize): void {
  add(slope, a + FIELD_BYTES, b + FIELD_BYTES)
  multiply(slope, slope, inverted)
  square(r, slope)
  negate(x, a, 1)
  add(r, r, x)
  negate(x, b, 1)
  add(r, r, x)
  tighten(r)
  negate(x, r, 1)
  add(x, x, a)
  multiply(r + FIELD_BYTES, x, slope)
  negate(x, a + FIELD_BYTES, 1)
  add(r + FIELD_BYTES, r + FIELD_BYTES, x)
  tighten(r + FIELD_BYTES)
}

/** Computes the entries whose highest unset tooth is `tooth`: those with it set, minus twice the tooth. */
function turnTooth(tooth: usize): void {
  const count: usize = 1 << tooth
  const doubles = affineTeeth + (BLOCKS * TEETH + tooth) * AFFINE_BYTES
  let at = divisors
  for (let block: usize = 0; block < BLOCKS; block++) {
    const twice = doubles + block * TEETH * AFFINE_BYTES
    const end = table + (block + 1) * BLOCK_BYTES
    for (let from = end - count * AFFINE_BYTES; from < end; from += AFFINE_BYTES) {
      negate(at, twice, 1)
      add(at, at, from)
      at += FIELD_BYTES
    }
  }
  invertDivisors(BLOCKS * count)
  at = divisors
  for (let block: usize = 0; block < BLOCKS; block++) {
    const twice = doubles + block * TEETH * AFFINE_BYTES
    const end = table + (block + 1) * BLOCK_BYTES
    for (let from = end - count * AFFINE_BYTES; from < end; from += AFFINE_BYTES) {
      subtractAffine(from - count * AFFINE_BYTES, from, twice, at)
      at += FIELD_BYTES
    }
  }
}

function prepare(): void {
  prepareTeeth()
  prepareLastEntries()
  for (let tooth: usize = 0; tooth < TEETH - 1; tooth++) turnTooth(tooth)
  isPrepared = true
}

/** The teeth of a block at a step: every eighth of 64 bits, which the product moves together into its highest byte. */
function teethAt(block: usize, step: usize): usize {
  const bits = (load<u64>(SIGNS + block * 8) >> <u64>step) & 0x0101010101010101
  return <usize>((bits * 0x0102040810204080) >> 56)
}

/** sum = the multiple of G by the scalar in SIGNS. */
function multiplyGenerator(): void {
  if (!isPrepared) prepare()
  setInfinity(sum)
  for (let step = SPACING; step > 0; ) {
    step--
    double(sum)
    for (let block: usize = 0; block < BLOCKS; block++) {
      const set = teethAt(block, step)
      const entries = table + block * BLOCK_BYTES
      if ((set & TOP_TOOTH) != 0) {
        addAffine(sum, entries + (set - TOP_TOOTH) * AFFINE_BYTES, 0, 0)
        continue
      }
      copyAffine(chosen, entries + (ENTRIES - 1 - set) * AFFINE_BYTES)
      negate(chosen + FIELD_BYTES, chosen + FIELD_BYTES, 1)
      addAffine(sum, chosen, 0, 0)
    }
  }
}

/** Writes the multiple of G by the scalar in SIGNS, x and y, to BYTES; false if it is infinity. */
export function multiple(): bool {
  multiplyGenerator()
  if (isInfinity(sum)) return false
  toAffine(chosen, sum)
  toBytes(BYTES, chosen)
  toBytes(BYTES + 32, chosen + FIELD_BYTES)
  return true
}

/** Whether the multiple of G by the scalar in SIGNS has the x in BYTES and this parity of y. */
export function isMultiple(parity: u32): bool {
  multiplyGenerator()
  if (isInfinity(sum)) return false
  const z = sum + 2 * FIELD_BYTES
  fromBytes(x, BYTES)
  square(ratio, z)
  multiply(x, x, ratio)
  negate(x, x, 1)
  add(x, x, sum)
  if (!isZero(x)) return false
  invertField(inverse, z)
  rescale(sum, inverse)
  normalize(sum + FIELD_BYTES)
  return isOdd(sum + FIELD_BYTES) == (parity != 0)
}
