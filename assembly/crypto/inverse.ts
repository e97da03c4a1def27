// Inverses mod an odd 256-bit number by Bernstein and Yang ("Fast constant-time gcd computation and modular
// inversion"), as in the variable-time variant of libsecp256k1's modinv32. Numbers are nine signed limbs of 30 bits.

export const INVERSE_LIMB_BITS: usize = 30
const MASK: i32 = 0x3fffffff
const LIMBS: usize = 36

const d = memory.data(36)
const e = memory.data(36)
const f = memory.data(36)
const g = memory.data(36)
/** The transition matrix of thirty division steps. */
let u: i32 = 0
let v: i32 = 0
let q: i32 = 0
let r: i32 = 0

/** Thirty division steps on the low limbs, accumulated in the matrix. */
function divide(start: i32, f0: u32, g0: u32): i32 {
  let eta = start
  let a: u32 = 1
  let b: u32 = 0
  let c: u32 = 0
  let h: u32 = 1
  let x = f0
  let y = g0
  let left: u32 = 30
  for (;;) {
    const zeros = <u32>ctz<u32>(y | (0xffffffff << left))
    y >>= zeros
    a <<= zeros
    b <<= zeros
    eta -= zeros
    left -= zeros
    if (left == 0) break
    if (eta < 0) {
      eta = -eta
      let swapped = x
      x = y
      y = 0 - swapped
      swapped = a
      a = c
      c = 0 - swapped
      swapped = b
      b = h
      h = 0 - swapped
    }
    // Cancels as many low bits of y as the steps allow, at most six: x × (x² - 2) is -1/x mod 64.
    const limit: u32 = <u32>(eta + 1) > left ? left : <u32>(eta + 1)
    const mask: u32 = (0xffffffff >> (32 - limit)) & 63
    const times = (x * y * (x * x - 2)) & mask
    y += x * times
    c += a * times
    h += b * times
  }
  u = <i32>a
  v = <i32>b
  q = <i32>c
  r = <i32>h
  return eta
}

/** d, e ← matrix × (d, e) / 2^30 mod the modulus. */
function updateInverses(modulus: usize, inverse30: u32): void {
  const signD = load<i32>(d + 32) >> 31
  const signE = load<i32>(e + 32) >> 31
  let md = (u & signD) + (v & signE)
  let me = (q & signD) + (r & signE)
  let di = <i64>load<i32>(d)
  let ei = <i64>load<i32>(e)
  let cd = <i64>u * di + <i64>v * ei
  let ce = <i64>q * di + <i64>r * ei
  md -= <i32>(inverse30 * <u32>cd + <u32>md) & MASK
  me -= <i32>(inverse30 * <u32>ce + <u32>me) & MASK
  cd += <i64>load<i32>(modulus) * <i64>md
  ce += <i64>load<i32>(modulus) * <i64>me
  cd >>= 30
  ce >>= 30
  for (let i: usize = 4; i < LIMBS; i += 4) {
    di = <i64>load<i32>(d + i)
    ei = <i64>load<i32>(e + i)
    cd += <i64>u * di + <i64>v * ei
    ce += <i64>q * di + <i64>r * ei
    // Most limbs of both moduli are zero.
    const mi = <i64>load<i32>(modulus + i)
    if (mi != 0) {
      cd += mi * <i64>md
      ce += mi * <i64>me
    }
    store<i32>(d + i - 4, <i32>cd & MASK)
    store<i32>(e + i - 4, <i32>ce & MASK)
    cd >>= 30
    ce >>= 30
  }
  store<i32>(d + 32, <i32>cd)
  store<i32>(e + 32, <i32>ce)
}

/** f, g ← matrix × (f, g) / 2^30, in the limbs before `end`. */
function updateRemainders(end: usize): void {
  let cf = <i64>u * <i64>load<i32>(f) + <i64>v * <i64>load<i32>(g)
  let cg = <i64>q * <i64>load<i32>(f) + <i64>r * <i64>load<i32>(g)
  cf >>= 30
  cg >>= 30
  for (let i: usize = 4; i < end; i += 4) {
    const fi = <i64>load<i32>(f + i)
    const gi = <i64>load<i32>(g + i)
    cf += <i64>u * fi + <i64>v * gi
    cg += <i64>q * fi + <i64>r * gi
    store<i32>(f + i - 4, <i32>cf & MASK)
    store<i32>(g + i - 4, <i32>cg & MASK)
    cf >>= 30
    cg >>= 30
  }
  store<i32>(f + end - 4, <i32>cf)
  store<i32>(g + end - 4, <i32>cg)
}

/** The end of f and g, one limb shorter if their last limbs are sign extensions. */
function shorten(end: usize): usize {
  const lastF = load<i32>(f + end - 4)
  const lastG = load<i32>(g + end - 4)
  if (end == 4 || ((lastF ^ (lastF >> 31)) | (lastG ^ (lastG >> 31))) != 0) return end
  store<i32>(f + end - 8, load<i32>(f + end - 8) | (lastF << 30))
  store<i32>(g + end - 8, load<i32>(g + end - 8) | (lastG << 30))
  return end - 4
}

function isZero(a: usize, end: usize): bool {
  for (let i: usize = 0; i < end; i += 4) if (load<i32>(a + i) != 0) return false
  return true
}

function carry(a: usize): void {
  for (let i: usize = 0; i < 32; i += 4) {
    const limb = load<i32>(a + i)
    store<i32>(a + i + 4, load<i32>(a + i + 4) + (limb >> 30))
    store<i32>(a + i, limb & MASK)
  }
}

function addIfNegative(a: usize, modulus: usize): void {
  if (load<i32>(a + 32) >= 0) return
  for (let i: usize = 0; i < LIMBS; i += 4) store<i32>(a + i, load<i32>(a + i) + load<i32>(modulus + i))
}

/** Reduces a number between -2 and 1 moduli to the range from 0 to the modulus, negated if `sign` is negative. */
function normalize(a: usize, sign: i32, modulus: usize): void {
  addIfNegative(a, modulus)
  if (sign < 0) for (let i: usize = 0; i < LIMBS; i += 4) store<i32>(a + i, -load<i32>(a + i))
  carry(a)
  addIfNegative(a, modulus)
  carry(a)
}

/** Replaces a number by its inverse; zero stays zero. `inverse30` is the inverse of the modulus mod 2^30. */
export function invert(a: usize, modulus: usize, inverse30: u32): void {
  memory.fill(d, 0, LIMBS)
  memory.fill(e, 0, LIMBS)
  store<i32>(e, 1)
  memory.copy(f, modulus, LIMBS)
  memory.copy(g, a, LIMBS)
  let eta: i32 = -1
  let end = LIMBS
  for (;;) {
    eta = divide(eta, load<u32>(f), load<u32>(g))
    updateInverses(modulus, inverse30)
    updateRemainders(end)
    if (isZero(g, end)) break
    end = shorten(end)
  }
  normalize(d, load<i32>(f + end - 4), modulus)
  memory.copy(a, d, LIMBS)
}
