// Points of y² = x³ + 7, affine (x, y) or Jacobian (x, y, z and a flag for infinity). Formulas and magnitudes are those
// of libsecp256k1; coordinates have a magnitude of at most 4.

import {
  add,
  copy,
  FIELD_BYTES,
  fromBytes,
  halve,
  isZero,
  multiply,
  negate,
  normalize,
  scale,
  setInteger,
  square,
} from './field'
import { invertField } from './moduli'

export const AFFINE_BYTES: usize = 2 * FIELD_BYTES
export const JACOBIAN_BYTES: usize = 3 * FIELD_BYTES + 8

const GENERATOR = memory.data<u8>([
  0x79, 0xbe, 0x66, 0x7e, 0xf9, 0xdc, 0xbb, 0xac, 0x55, 0xa0, 0x62, 0x95, 0xce, 0x87, 0x0b, 0x07, 0x02, 0x9b,
  0xfc, 0xdb, 0x2d, 0xce, 0x28, 0xd9, 0x59, 0xf2, 0x81, 0x5b, 0x16, 0xf8, 0x17, 0x98, 0x48, 0x3a, 0xda, 0x77,
  0x26, 0xa3, 0xc4, 0x65, 0x5d, 0xa4, 0xfb, 0xfc, 0x0e, 0x11, 0x08, 0xa8, 0xfd, 0x17, 0xb4, 0x48, 0xa6, 0x85,
  0x54, 0x19, 0x9c, 0x47, 0xd0, 0x8f, 0xfb, 0x10, 0xd4, 0xb8,
])

const Y = FIELD_BYTES
const Z: usize = 2 * FIELD_BYTES
const INFINITY: usize = 3 * FIELD_BYTES

const z2 = memory.data(40)
const u2 = memory.data(40)
const s2 = memory.data(40)
const scaledZ = memory.data(40)
const h = memory.data(40)
const i = memory.data(40)
const h2 = memory.data(40)
const h3 = memory.data(40)
const t = memory.data(40)
const s = memory.data(40)
const l = memory.data(40)

/** r = G. */
export function readGenerator(r: usize): void {
  fromBytes(r, GENERATOR)
  fromBytes(r + Y, GENERATOR + 32)
}

export function copyAffine(r: usize, a: usize): void {
  copy(r, a)
  copy(r + Y, a + Y)
}

export function setInfinity(r: usize): void {
  store<u32>(r + INFINITY, 1)
}

export function isInfinity(a: usize): bool {
  return load<u32>(a + INFINITY) != 0
}

/** r = a, with z = 1. */
export function fromAffine(r: usize, a: usize): void {
  copyAffine(r, a)
  setInteger(r + Z, 1)
  store<u32>(r + INFINITY, 0)
}

/** Maps an affine point to the isomorphic curve with z scaled by `ratio`, in place. */
export function rescale(a: usize, ratio: usize): void {
  square(z2, ratio)
  multiply(a, a, z2)
  multiply(z2, z2, ratio)
  multiply(a + Y, a + Y, z2)
}

/** Converts a Jacobian point to a normalized affine one. */
export function toAffine(r: usize, a: usize): void {
  invertField(scaledZ, a + Z)
  copyAffine(r, a)
  rescale(r, scaledZ)
  normalize(r)
  normalize(r + Y)
}

/** a = 2a. There is no special case: the curve has no point of order two. */
export function double(a: usize): void {
  if (isInfinity(a)) return
  multiply(a + Z, a + Z, a + Y)
  square(s, a + Y)
  square(l, a)
  scale(l, 3)
  halve(l)
  negate(t, s, 1)
  multiply(t, t, a)
  square(a, l)
  add(a, a, t)
  add(a, a, t)
  square(s, s)
  add(t, t, a)
  multiply(a + Y, t, l)
  add(a + Y, a + Y, s)
  negate(a + Y, a + Y, 2)
}

/**
 * a = a + b, where b is affine. With `inverse`, b is on the curve itself and a on the isomorphic curve whose z is
 * `inverse` times smaller. Writes the factor of a's new z to `ratio`.
 */
export function addAffine(a: usize, b: usize, inverse: usize, ratio: usize): void {
  if (isInfinity(a)) {
    fromAffine(a, b)
    if (inverse != 0) rescale(a, inverse)
    return
  }
  let z = a + Z
  if (inverse != 0) {
    multiply(scaledZ, a + Z, inverse)
    z = scaledZ
  }
  square(z2, z)
  multiply(u2, b, z2)
  multiply(s2, b + Y, z2)
  multiply(s2, s2, z)
  negate(h, a, 4)
  add(h, h, u2)
  negate(i, s2, 1)
  add(i, i, a + Y)
  if (isZero(h)) {
    // b is a or -a.
    if (isZero(i)) double(a)
    else setInfinity(a)
    return
  }
  if (ratio != 0) copy(ratio, h)
  multiply(a + Z, a + Z, h)
  square(h2, h)
  negate(h2, h2, 1)
  multiply(h3, h2, h)
  multiply(t, a, h2)
  square(a, i)
  add(a, a, h3)
  add(a, a, t)
  add(a, a, t)
  add(t, t, a)
  multiply(h3, h3, a + Y)
  multiply(a + Y, t, i)
  add(a + Y, a + Y, h3)
}
