// SHA-256 (FIPS 180-4) in JavaScript: there is nothing to load and to compile for what many a chain never hashes.

const BLOCK_BYTES = 64
const LENGTH_BYTES = 8
const ROUNDS = 64

/** The fractional parts of the cube roots of the first 64 primes (section 4.2.2). */
const CONSTANTS = Int32Array.of(
  ...[0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5],
  ...[0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174],
  ...[0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da],
  ...[0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967],
  ...[0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85],
  ...[0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070],
  ...[0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3],
  ...[0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2],
)

/** Those of the square roots of the first eight (section 5.3.3). */
const START = Int32Array.of(
  ...[0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19],
)

const schedule = new Int32Array(ROUNDS)

function expand(words: DataView, at: number): void {
  for (let t = 0; t < 16; t++) schedule[t] = words.getInt32(at + 4 * t)
  for (let t = 16; t < ROUNDS; t++) {
    const x = schedule[t - 15] as number
    const y = schedule[t - 2] as number
    const sigma0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const sigma1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    schedule[t] = (sigma1 + (schedule[t - 7] as number) + sigma0 + (schedule[t - 16] as number)) | 0
  }
}

/** Takes the block at `at` into the state (section 6.2.2). */
function compress(state: Int32Array, words: DataView, at: number): void {
  expand(words, at)
  let a = state[0] as number
  let b = state[1] as number
  let c = state[2] as number
  let d = state[3] as number
  let e = state[4] as number
  let f = state[5] as number
  let g = state[6] as number
  let h = state[7] as number
  for (let t = 0; t < ROUNDS; t++) {
    const sum1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const choice = (e & f) ^ (~e & g)
    const first = (h + sum1 + choice + (CONSTANTS[t] as number) + (schedule[t] as number)) | 0
    const sum0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + sum0 + majority) | 0
  }
  state[0] = (state[0] as number) + a
  state[1] = (state[1] as number) + b
  state[2] = (state[2] as number) + c
  state[3] = (state[3] as number) + d
  state[4] = (state[4] as number) + e
  state[5] = (state[5] as number) + f
  state[6] = (state[6] as number) + g
  state[7] = (state[7] as number) + h
}

export function sha256(message: Uint8Array): Uint8Array {
  const state = START.slice()
  const whole = message.length - (message.length % BLOCK_BYTES)
  const words = new DataView(message.buffer, message.byteOffset, whole)
  for (let at = 0; at < whole; at += BLOCK_BYTES) compress(state, words, at)
  // The rest, a one bit, zeros, and the length in bits (section 5.1.1).
  const rest = message.length - whole
  const last = new Uint8Array(rest + 1 + LENGTH_BYTES > BLOCK_BYTES ? 2 * BLOCK_BYTES : BLOCK_BYTES)
  last.set(message.subarray(whole))
  last[rest] = 0x80
  const lastWords = new DataView(last.buffer)
  lastWords.setBigUint64(last.length - LENGTH_BYTES, BigInt(message.length) * 8n)
  for (let at = 0; at < last.length; at += BLOCK_BYTES) compress(state, lastWords, at)
  const hash = new Uint8Array(4 * state.length)
  const hashWords = new DataView(hash.buffer)
  for (let at = 0; at < hash.length; at += 4) hashWords.setInt32(at, state[at / 4] as number)
  return hash
}
