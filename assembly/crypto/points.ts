// Points of y² = x³ + 7. An affine point is x and y; a Jacobian one is x, y, z, and whether it is the point at
// infinity. Formulas and magnitudes are libsecp256k1's: coordinates stay within 4.

import { add, copy, FIELD_BYTES, halve, isZero, multiply, negate, scale, setInteger, square } from './field'

export const AFFINE_BYTES: usize = 2 * FIELD_BYTES

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

export function setInfinity(r: usize): void {
  store<u32>(r + INFINITY, 1)
}

export function isInfinity(a: usize): bool {
  return load<u32>(a + INFINITY) != 0
}

/** r = a, with z = 1. */
export function fromAffine(r: usize, a: usize): void {
  copy(r, a)
  copy(r + Y, a + Y)
  setInteger(r + Z, 1)
  store<u32>(r + INFINITY, 0)
}

/** a = 2a. No point has an order of two. */
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
 * a = a + b, where b is affine. With `inverse`, b is on the curve itself and a on that whose z counts `inverse` times
 * less. Into `ratio` goes by what the z of a was multiplied.
 */
export function addAffine(a: usize, b: usize, inverse: usize, ratio: usize): void {
  if (isInfinity(a)) {
    fromAffine(a, b)
    if (inverse == 0) return
    square(z2, inverse)
    multiply(a, a, z2)
    multiply(z2, z2, inverse)
    multiply(a + Y, a + Y, z2)
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
    // The same point, or its opposite.
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
