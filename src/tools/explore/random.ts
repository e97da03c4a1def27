// Chance that follows from a seed and the number of a run, the same on any machine.

import { Arbitrary, type Random, Stream, sample, Value } from 'fast-check'

export type Chance = ReturnType<typeof createRandom>

const WARM_UP = 16

/** The generator sfc32 of PractRand. */
export function createRandom(seed: number, stream: number) {
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
  /** An integer from 0 on, below a bound of at most 2³². */
  const below = (bound: number): number => Math.floor((next() / 2 ** 32) * bound)
  return {
    below,
    /** True `percent` times of a hundred. */
    chance: (percent: number): boolean => below(100) < percent,
    pick: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item,
    /** An integer of up to so many bits. */
    bits(count: number): bigint {
      let value = 0n
      for (let left = count; left > 0; left -= 32) value = (value << 32n) | BigInt(next())
      return BigInt.asUintN(count, value)
    },
  }
}

/** Hands out the generator that arbitraries of fast-check draw from. */
class Source extends Arbitrary<Random> {
  generate(random: Random): Value<Random> {
    return new Value(random, undefined)
  }

  canShrinkWithoutContext(value: unknown): value is Random {
    return value !== this
  }

  shrink(): Stream<Value<Random>> {
    return Stream.nil()
  }
}

const source = new Source()

/** The chance of a run for arbitraries of fast-check. */
export function arbitraryRandom(seed: number, run: number): Random {
  const ofRun = Number(BigInt.asIntN(32, createRandom(seed, run).bits(32)))
  return sample(source, { seed: ofRun, numRuns: 1 })[0] as Random
}
