// Random numbers that follow from a seed and the number of a run, the same on any machine.

export interface Random {
  /** An integer from 0 on, below a bound of at most 2³². */
  readonly below: (bound: number) => number
  /** True `percent` times of a hundred. */
  readonly chance: (percent: number) => boolean
  readonly pick: <Item>(items: readonly Item[]) => Item
  /** An integer of up to so many bits. */
  readonly bits: (count: number) => bigint
}

const WARM_UP = 16

/** The generator sfc32 of PractRand. */
export function createRandom(seed: number, stream: number): Random {
  let [a, b, c, counter] = [seed | 0, stream | 0, 0x9e3779b9 | 0, 1]
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  for (let i = 0; i < WARM_UP; i++) next()
  const below = (bound: number): number => Math.floor((next() / 2 ** 32) * bound)
  return {
    below,
    chance: (percent) => below(100) < percent,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    bits(count) {
      let value = 0n
      for (let left = count; left > 0; left -= 32) value = (value << 32n) | BigInt(next())
      return BigInt.asUintN(count, value)
    },
  }
}
