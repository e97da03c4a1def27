// @ts-check
// Words that expose errors in interpreters: ends of ranges, limb boundaries, signs, and operands for rare paths of
// division.

import { pickWeighted } from './random.js'

/** @typedef {import('./random.js').Random} Random */

const MOST = (1n << 256n) - 1n

/** @param {bigint} value */
export function wrap(value) {
  return value & MOST
}

const POWERS = [8, 16, 31, 32, 63, 64, 65, 96, 127, 128, 129, 159, 160, 191, 192, 193, 224, 254, 255]
const BOUNDARIES = [
  ...[0n, 1n, 2n, 3n, 7n, 10n, 30n, 31n, 32n, 33n, 63n, 64n, 127n, 128n, 255n, 256n, 257n].map(BigInt),
  ...POWERS.flatMap((bits) => [-1n, 0n, 1n].map((by) => (1n << BigInt(bits)) + by)),
  ...[0n, 1n, 2n, 3n, 31n, 32n, 255n, 256n].map((below) => MOST - below),
]

/** A random number of up to `bits` bits. @param {Random} random @param {number} bits */
export function randomBits(random, bits) {
  let value = 0n
  for (let i = 0; i < bits; i += 16) value = (value << 16n) | BigInt(random.below(0x10000))
  return value & ((1n << BigInt(bits)) - 1n)
}

/** A word whose limbs are boundary values or random. @param {Random} random @param {32 | 64} bits */
function limbs(random, bits) {
  const top = 1n << BigInt(bits - 1)
  const all = (1n << BigInt(bits)) - 1n
  let value = 0n
  for (let i = 0; i < 256 / bits; i++) {
    const limb = pickWeighted(random, [
      [4, 0n],
      [2, 1n],
      [2, top],
      [1, top - 1n],
      [4, all],
      [1, all - 1n],
      [3, randomBits(random, bits)],
    ])
    value = (value << BigInt(bits)) | limb
  }
  return value
}

/** A word for arithmetic. @param {Random} random @returns {bigint} */
export function randomWord(random) {
  return pickWeighted(random, [
    [8, () => random.pick(BOUNDARIES)],
    [2, () => wrap(-BigInt(random.below(300)))],
    [4, () => limbs(random, 64)],
    [2, () => limbs(random, 32)],
    [3, () => randomBits(random, 256)],
    [3, () => randomBits(random, 1 + random.below(256))],
    [2, () => wrap(random.pick(BOUNDARIES) << BigInt(random.below(256)))],
  ])()
}

/**
 * A dividend and a divisor with an extreme remainder, or for which the first estimate of a digit is too high.
 * @param {Random} random
 * @returns {[dividend: bigint, divisor: bigint]}
 */
export function randomDivision(random) {
  const divisor = randomWord(random)
  const quotient = randomBits(random, 1 + random.below(256))
  const remainder = divisor === 0n ? 0n : random.pick([0n, 1n, divisor - 1n, randomWord(random) % divisor])
  const dividend = wrap(divisor * quotient + remainder)
  return random.oneIn(4) ? [wrap(-dividend), divisor] : [dividend, random.oneIn(4) ? wrap(-divisor) : divisor]
}

/** Sizes beyond any gas limit, or any address space. */
export const HUGE = [
  1n << 16n,
  1n << 24n,
  (1n << 31n) - 1n,
  1n << 31n,
  (1n << 32n) - 32n,
  (1n << 32n) - 1n,
  1n << 32n,
  (1n << 32n) + 1n,
  (1n << 53n) - 1n,
  1n << 53n,
  (1n << 63n) - 1n,
  1n << 63n,
  (1n << 64n) - 32n,
  (1n << 64n) - 1n,
  1n << 64n,
  (1n << 64n) + 1n,
  1n << 128n,
  1n << 255n,
  MOST - 31n,
  MOST,
]
