// @ts-check
// Seeded random generator (sfc32): the same numbers for the same seed on every machine.

/**
 * @typedef {object} Random
 * @property {(end: number) => number} below a whole number from 0 up to, not including, `end`
 * @property {(times: number) => boolean} oneIn true once in `times`, on average
 * @property {<Item>(items: readonly Item[]) => Item} pick
 */

/** @param {number} seed @returns {Random} */
export function createRandom(seed) {
  let a = 0x9e3779b9
  let b = 0x243f6a88
  let c = seed | 0
  let counter = 1
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  for (let i = 0; i < 12; i++) next()
  const below = (/** @type {number} */ end) => Math.floor((next() / 2 ** 32) * end)
  return {
    below,
    oneIn: (times) => below(times) === 0,
    pick: (items) => {
      if (items.length === 0) throw new RangeError('nothing to pick from')
      return /** @type {any} */ (items[below(items.length)])
    },
  }
}

/**
 * A weighted choice.
 * @template Item
 * @param {Random} random
 * @param {readonly (readonly [weight: number, item: Item])[]} choices
 * @returns {Item}
 */
export function pickWeighted(random, choices) {
  let left = random.below(choices.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, item] of choices) {
    if (left < weight) return item
    left -= weight
  }
  throw new RangeError('nothing to pick from')
}
