// A small seeded generator, sfc32: the same seed, the same numbers, on every machine.

export interface Random {
  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number
  /** True once in `times`, on average. */
  oneIn(times: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

export function createRandom(seed: number): Random {
  let a = 0x9e3779b9
  let b = 0x243f6a88
  let c = seed | 0
  let counter = 1
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  for (let i = 0; i < 12; i++) next()
  const below = (end: number): number => Math.floor((next() / 2 ** 32) * end)
  return {
    below,
    oneIn: (times) => below(times) === 0,
    pick: (items) => {
      if (items.length === 0) throw new RangeError('nothing to pick from')
      return items[below(items.length)]!
    },
  }
}
