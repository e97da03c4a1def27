// The compression function F of BLAKE2b with any number of rounds (RFC 7693 section 3.2, EIP-152).

/** The state (64 bytes), the message block (128) and the two counters (16), in the order of EIP-152's input. */
export const BLOCK = memory.data(208, 8)

const MESSAGE: usize = BLOCK + 64

/** The permutations of the ten rounds (RFC 7693 section 2.7), as addresses of words within the message. */
const SIGMA = memory.data<u8>([
  0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120,
  112, 80, 32, 64, 72, 120, 104, 48, 8, 96, 0, 16, 88, 56, 40, 24,
  88, 64, 96, 0, 40, 16, 120, 104, 80, 112, 24, 48, 56, 8, 72, 32,
  56, 72, 24, 8, 104, 96, 88, 112, 16, 48, 40, 80, 32, 0, 120, 64,
  72, 0, 40, 56, 16, 32, 80, 120, 112, 8, 88, 96, 48, 64, 24, 104,
  16, 96, 48, 80, 0, 88, 64, 24, 32, 104, 56, 40, 120, 112, 8, 72,
  96, 40, 8, 120, 112, 104, 32, 80, 0, 56, 48, 24, 72, 16, 64, 88,
  104, 88, 56, 112, 96, 8, 24, 72, 40, 0, 120, 32, 64, 48, 16, 80,
  48, 120, 112, 72, 88, 24, 0, 64, 96, 16, 104, 56, 8, 32, 80, 40,
  80, 16, 64, 32, 56, 48, 8, 40, 120, 88, 72, 112, 24, 96, 104, 0,
])
const SIGMA_END: usize = SIGMA + 160

// @ts-ignore: a decorator of AssemblyScript
@inline
function word(sigma: usize, index: usize): u64 {
  return load<u64>(MESSAGE + <usize>load<u8>(sigma + index))
}

/** Replaces the state in BLOCK. The state of a round is in local variables. */
export function compress(rounds: u32, isLast: bool): void {
  let v0 = load<u64>(BLOCK, 0)
  let v1 = load<u64>(BLOCK, 8)
  let v2 = load<u64>(BLOCK, 16)
  let v3 = load<u64>(BLOCK, 24)
  let v4 = load<u64>(BLOCK, 32)
  let v5 = load<u64>(BLOCK, 40)
  let v6 = load<u64>(BLOCK, 48)
  let v7 = load<u64>(BLOCK, 56)
  let v8: u64 = 0x6a09e667f3bcc908
  let v9: u64 = 0xbb67ae8584caa73b
  let v10: u64 = 0x3c6ef372fe94f82b
  let v11: u64 = 0xa54ff53a5f1d36f1
  let v12: u64 = 0x510e527fade682d1 ^ load<u64>(BLOCK, 192)
  let v13: u64 = 0x9b05688c2b3e6c1f ^ load<u64>(BLOCK, 200)
  let v14: u64 = 0x1f83d9abfb41bd6b
  let v15: u64 = 0x5be0cd19137e2179
  if (isLast) v14 = ~v14
  let sigma: usize = SIGMA
  for (let round: u32 = 0; round < rounds; round++) {
    v0 += v4 + word(sigma, 0)
    v12 = rotr(v12 ^ v0, 32)
    v8 += v12
    v4 = rotr(v4 ^ v8, 24)
    v0 += v4 + word(sigma, 1)
    v12 = rotr(v12 ^ v0, 16)
    v8 += v12
    v4 = rotr(v4 ^ v8, 63)
    v1 += v5 + word(sigma, 2)
    v13 = rotr(v13 ^ v1, 32)
    v9 += v13
    v5 = rotr(v5 ^ v9, 24)
    v1 += v5 + word(sigma, 3)
    v13 = rotr(v13 ^ v1, 16)
    v9 += v13
    v5 = rotr(v5 ^ v9, 63)
    v2 += v6 + word(sigma, 4)
    v14 = rotr(v14 ^ v2, 32)
    v10 += v14
    v6 = rotr(v6 ^ v10, 24)
    v2 += v6 + word(sigma, 5)
    v14 = rotr(v14 ^ v2, 16)
    v10 += v14
    v6 = rotr(v6 ^ v10, 63)
    v3 += v7 + word(sigma, 6)
    v15 = rotr(v15 ^ v3, 32)
    v11 += v15
    v7 = rotr(v7 ^ v11, 24)
    v3 += v7 + word(sigma, 7)
    v15 = rotr(v15 ^ v3, 16)
    v11 += v15
    v7 = rotr(v7 ^ v11, 63)
    v0 += v5 + word(sigma, 8)
    v15 = rotr(v15 ^ v0, 32)
    v10 += v15
    v5 = rotr(v5 ^ v10, 24)
    v0 += v5 + word(sigma, 9)
    v15 = rotr(v15 ^ v0, 16)
    v10 += v15
    v5 = rotr(v5 ^ v10, 63)
    v1 += v6 + word(sigma, 10)
    v12 = rotr(v12 ^ v1, 32)
    v11 += v12
    v6 = rotr(v6 ^ v11, 24)
    v1 += v6 + word(sigma, 11)
    v12 = rotr(v12 ^ v1, 16)
    v11 += v12
    v6 = rotr(v6 ^ v11, 63)
    v2 += v7 + word(sigma, 12)
    v13 = rotr(v13 ^ v2, 32)
    v8 += v13
    v7 = rotr(v7 ^ v8, 24)
    v2 += v7 + word(sigma, 13)
    v13 = rotr(v13 ^ v2, 16)
    v8 += v13
    v7 = rotr(v7 ^ v8, 63)
    v3 += v4 + word(sigma, 14)
    v14 = rotr(v14 ^ v3, 32)
    v9 += v14
    v4 = rotr(v4 ^ v9, 24)
    v3 += v4 + word(sigma, 15)
    v14 = rotr(v14 ^ v3, 16)
    v9 += v14
    v4 = rotr(v4 ^ v9, 63)
    sigma += 16
    if (sigma == SIGMA_END) sigma = SIGMA
  }
  store<u64>(BLOCK, load<u64>(BLOCK, 0) ^ v0 ^ v8, 0)
  store<u64>(BLOCK, load<u64>(BLOCK, 8) ^ v1 ^ v9, 8)
  store<u64>(BLOCK, load<u64>(BLOCK, 16) ^ v2 ^ v10, 16)
  store<u64>(BLOCK, load<u64>(BLOCK, 24) ^ v3 ^ v11, 24)
  store<u64>(BLOCK, load<u64>(BLOCK, 32) ^ v4 ^ v12, 32)
  store<u64>(BLOCK, load<u64>(BLOCK, 40) ^ v5 ^ v13, 40)
  store<u64>(BLOCK, load<u64>(BLOCK, 48) ^ v6 ^ v14, 48)
  store<u64>(BLOCK, load<u64>(BLOCK, 56) ^ v7 ^ v15, 56)
}
