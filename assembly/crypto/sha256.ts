// SHA-256 (FIPS 180-4).

import { INPUT } from './keccak'

const BLOCK_BYTES: i32 = 64
const HASH_BYTES: usize = 32

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const CONSTANTS = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
])
/** The same of the square roots of the first eight primes. */
const BEGINNING = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
])

const state = memory.data(32, 8)
const schedule = memory.data(256, 8)

/** Starts a message. */
export function beginSha256(): void {
  memory.copy(state, BEGINNING, HASH_BYTES)
}

function expand(block: usize): void {
  for (let i: usize = 0; i < 64; i += 4) store<u32>(schedule + i, bswap<u32>(load<u32>(block + i)))
  for (let i: usize = 64; i < 256; i += 4) {
    const w15 = load<u32>(schedule + i - 60)
    const w2 = load<u32>(schedule + i - 8)
    const s0 = rotr<u32>(w15, 7) ^ rotr<u32>(w15, 18) ^ (w15 >> 3)
    const s1 = rotr<u32>(w2, 17) ^ rotr<u32>(w2, 19) ^ (w2 >> 10)
    store<u32>(schedule + i, load<u32>(schedule + i - 64) + s0 + load<u32>(schedule + i - 28) + s1)
  }
}

function add(offset: usize, value: u32): void {
  store<u32>(state + offset, load<u32>(state + offset) + value)
}

/** Absorbs whole blocks. */
export function absorbSha256(start: usize, blocks: i32): void {
  for (let left = blocks; left > 0; left--, start += BLOCK_BYTES) {
    expand(start)
    let a = load<u32>(state)
    let b = load<u32>(state, 4)
    let c = load<u32>(state, 8)
    let d = load<u32>(state, 12)
    let e = load<u32>(state, 16)
    let f = load<u32>(state, 20)
    let g = load<u32>(state, 24)
    let h = load<u32>(state, 28)
    for (let i: usize = 0; i < 256; i += 4) {
      const s1 = rotr<u32>(e, 6) ^ rotr<u32>(e, 11) ^ rotr<u32>(e, 25)
      const chosen = (e & f) ^ (~e & g)
      const first = h + s1 + chosen + load<u32>(CONSTANTS + i) + load<u32>(schedule + i)
      const s0 = rotr<u32>(a, 2) ^ rotr<u32>(a, 13) ^ rotr<u32>(a, 22)
      const majority = (a & b) ^ (a & c) ^ (b & c)
      h = g
      g = f
      f = e
      e = d + first
      d = c
      c = b
      b = a
      a = first + s0 + majority
    }
    add(0, a)
    add(4, b)
    add(8, c)
    add(12, d)
    add(16, e)
    add(20, f)
    add(24, g)
    add(28, h)
  }
}

/** Absorbs the last `length` bytes of a message of `total` bytes with padding, and writes the hash to `r`. */
export function endSha256(r: usize, start: usize, length: i32, total: i32): void {
  const blocks = (length + 8) / BLOCK_BYTES + 1
  const end = start + <usize>(blocks * BLOCK_BYTES)
  const rest = start + <usize>length
  memory.fill(rest, 0, end - rest)
  store<u8>(rest, 0x80)
  store<u64>(end - 8, bswap<u64>(<u64>(<u32>total) << 3))
  absorbSha256(start, blocks)
  for (let i: usize = 0; i < HASH_BYTES; i += 4) store<u32>(r + i, bswap<u32>(load<u32>(state + i)))
}

/** Ends a message, and writes the hash to INPUT. */
export function finishSha256(start: usize, length: i32, total: i32): void {
  endSha256(INPUT, start, length, total)
}
