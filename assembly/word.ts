// 256-bit words on the stack: four limbs of 64 bits, the least significant first. `x` is the address of a binary
// operation's second operand and of its result; the first operand, the top of the stack, is at `x + 32`.

// @ts-ignore: decorator
@inline
export function setWord(x: usize, w0: u64, w1: u64, w2: u64, w3: u64): void {
  store<u64>(x, w0)
  store<u64>(x, w1, 8)
  store<u64>(x, w2, 16)
  store<u64>(x, w3, 24)
}

// @ts-ignore: decorator
@inline
export function setNumber(x: usize, value: u64): void {
  setWord(x, value, 0, 0, 0)
}

// @ts-ignore: decorator
@inline
export function copyWord(to: usize, from: usize): void {
  setWord(to, load<u64>(from), load<u64>(from, 8), load<u64>(from, 16), load<u64>(from, 24))
}

/** Reads a word from big-endian bytes, as in memory and calldata. */
// @ts-ignore: decorator
@inline
export function readBytes(x: usize, from: usize): void {
  const w3 = bswap(load<u64>(from))
  const w2 = bswap(load<u64>(from, 8))
  const w1 = bswap(load<u64>(from, 16))
  setWord(x, bswap(load<u64>(from, 24)), w1, w2, w3)
}

// @ts-ignore: decorator
@inline
export function writeBytes(to: usize, x: usize): void {
  const w3 = bswap(load<u64>(x, 24))
  const w2 = bswap(load<u64>(x, 16))
  const w1 = bswap(load<u64>(x, 8))
  setWord(to, w3, w2, w1, bswap(load<u64>(x)))
}

/** The immediate of a PUSH with more than eight bytes. */
export function readImmediate(x: usize, from: usize, length: i32): void {
  let at = from + length - 8
  for (let end = x + 32; x < end; x += 8, at -= 8, length -= 8) {
    const limb = bswap(load<u64>(at))
    store<u64>(x, length >= 8 ? limb : length > 0 ? limb & ((1 << (<u64>length * 8)) - 1) : 0)
  }
}

/** Cap of offsets and lengths: gas below 2^53 cannot pay for 2^31 words of memory. */
export const FAR: u64 = 1 << 36

// @ts-ignore: decorator
@inline
export function asIndex(x: usize): u64 {
  const low = load<u64>(x)
  return (load<u64>(x, 8) | load<u64>(x, 16) | load<u64>(x, 24)) != 0 || low > FAR ? FAR : low
}

// @ts-ignore: decorator
@inline
export function isZero(x: usize): bool {
  return (load<u64>(x) | load<u64>(x, 8) | load<u64>(x, 16) | load<u64>(x, 24)) == 0
}

// @ts-ignore: decorator
@inline
export function isNegative(x: usize): bool {
  return <i64>load<u64>(x, 24) < 0
}

// @ts-ignore: decorator
@inline
export function isEqual(a: usize, b: usize): bool {
  return (
    ((load<u64>(a) ^ load<u64>(b)) |
      (load<u64>(a, 8) ^ load<u64>(b, 8)) |
      (load<u64>(a, 16) ^ load<u64>(b, 16)) |
      (load<u64>(a, 24) ^ load<u64>(b, 24))) ==
    0
  )
}

// @ts-ignore: decorator
@inline
export function isLess(a: usize, b: usize): bool {
  let left = load<u64>(a, 24)
  let right = load<u64>(b, 24)
  if (left == right) {
    left = load<u64>(a, 16)
    right = load<u64>(b, 16)
    if (left == right) {
      left = load<u64>(a, 8)
      right = load<u64>(b, 8)
      if (left == right) {
        left = load<u64>(a)
        right = load<u64>(b)
      }
    }
  }
  return left < right
}

// @ts-ignore: decorator
@inline
export function isLessSigned(a: usize, b: usize): bool {
  const left = isNegative(a)
  return left == isNegative(b) ? isLess(a, b) : left
}

/** ADD; returns the carry. */
// @ts-ignore: decorator
@inline
export function add(x: usize): u64 {
  const a0 = load<u64>(x, 32)
  const s0 = a0 + load<u64>(x)
  let carry = <u64>(s0 < a0)
  const a1 = load<u64>(x, 40)
  const t1 = a1 + load<u64>(x, 8)
  const s1 = t1 + carry
  carry = <u64>(t1 < a1) | <u64>(s1 < carry)
  const a2 = load<u64>(x, 48)
  const t2 = a2 + load<u64>(x, 16)
  const s2 = t2 + carry
  carry = <u64>(t2 < a2) | <u64>(s2 < carry)
  const a3 = load<u64>(x, 56)
  const t3 = a3 + load<u64>(x, 24)
  const s3 = t3 + carry
  setWord(x, s0, s1, s2, s3)
  return <u64>(t3 < a3) | <u64>(s3 < carry)
}

// @ts-ignore: decorator
@inline
export function subtract(x: usize): void {
  const a0 = load<u64>(x, 32)
  const b0 = load<u64>(x)
  let borrow = <u64>(a0 < b0)
  const a1 = load<u64>(x, 40)
  const b1 = load<u64>(x, 8)
  const d1 = a1 - b1 - borrow
  borrow = <u64>(a1 < b1) | (<u64>(a1 == b1) & borrow)
  const a2 = load<u64>(x, 48)
  const b2 = load<u64>(x, 16)
  const d2 = a2 - b2 - borrow
  borrow = <u64>(a2 < b2) | (<u64>(a2 == b2) & borrow)
  setWord(x, a0 - b0, d1, d2, load<u64>(x, 56) - load<u64>(x, 24) - borrow)
}

export function negate(x: usize): void {
  const w0 = -load<u64>(x)
  let carry = <u64>(w0 == 0)
  const w1 = ~load<u64>(x, 8) + carry
  carry &= <u64>(w1 == 0)
  const w2 = ~load<u64>(x, 16) + carry
  carry &= <u64>(w2 == 0)
  setWord(x, w0, w1, w2, ~load<u64>(x, 24) + carry)
}

/** The limb at an index, or `beyond` outside of the word. */
// @ts-ignore: decorator
@inline
function limb(x: usize, index: i32, beyond: u64): u64 {
  return <u32>index < 4 ? load<u64>(x + (<usize>index << 3)) : beyond
}

/** The upper of two adjacent limbs after a left shift by less than 64 bits. */
// @ts-ignore: decorator
@inline
function movedUp(high: u64, low: u64, bits: u64): u64 {
  return (high << bits) | ((low >> 1) >> (63 - bits))
}

/** The lower of two adjacent limbs after a right shift by less than 64 bits. */
// @ts-ignore: decorator
@inline
function movedDown(high: u64, low: u64, bits: u64): u64 {
  return (low >> bits) | ((high << 1) << (63 - bits))
}

// Shifts of the word at `x` by the one at `x + 32`.

export function shiftLeft(x: usize): void {
  const count = asIndex(x + 32)
  if (count < 64) {
    const w0 = load<u64>(x)
    const w1 = load<u64>(x, 8)
    const w2 = load<u64>(x, 16)
    const w3 = movedUp(load<u64>(x, 24), w2, count)
    return setWord(x, w0 << count, movedUp(w1, w0, count), movedUp(w2, w1, count), w3)
  }
  if (count >= 256) return setNumber(x, 0)
  const limbs = <i32>(count >> 6)
  const bits = count & 63
  for (let i: i32 = 3; i >= 0; i--) {
    const upper = limb(x, i - limbs, 0)
    store<u64>(x + (<usize>i << 3), movedUp(upper, limb(x, i - limbs - 1, 0), bits))
  }
}

/** SHR and SAR; `beyond` is the limb to shift in: all zeros, or all ones. */
export function shiftRight(x: usize, beyond: u64): void {
  const count = asIndex(x + 32)
  if (count < 64) {
    const w1 = load<u64>(x, 8)
    const w2 = load<u64>(x, 16)
    const w3 = load<u64>(x, 24)
    const w0 = movedDown(w1, load<u64>(x), count)
    return setWord(x, w0, movedDown(w2, w1, count), movedDown(w3, w2, count), movedDown(beyond, w3, count))
  }
  if (count >= 256) return setWord(x, beyond, beyond, beyond, beyond)
  const limbs = <i32>(count >> 6)
  const bits = count & 63
  for (let i: i32 = 0; i < 4; i++) {
    const lower = limb(x, i + limbs, beyond)
    store<u64>(x + (<usize>i << 3), movedDown(limb(x, i + limbs + 1, beyond), lower, bits))
  }
}

/** BYTE: the byte at the index in `x + 32`, counted from the most significant one. */
// @ts-ignore: decorator
@inline
export function pickByte(x: usize): void {
  const index = asIndex(x + 32)
  setNumber(x, index < 32 ? <u64>load<u8>(x + 31 - <usize>index) : 0)
}

export function extendSign(x: usize): void {
  const index = asIndex(x + 32)
  if (index >= 31) return
  const sign = x + <usize>index
  memory.fill(sign + 1, <u8>(<i8>load<u8>(sign) >> 7), 31 - <usize>index)
}

export function countLeadingZeros(x: usize): u64 {
  for (let i: u64 = 0; i < 4; i++) {
    const value = load<u64>(x + 24 - (<usize>i << 3))
    if (value != 0) return i * 64 + clz(value)
  }
  return 256
}
