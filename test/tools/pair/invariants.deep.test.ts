// The long version of invariants.test.ts: more seeds, which FIRST=200 moves, and more commands.
import { expect, test } from 'vitest'
import { scaled } from '../../size.ts'
import { play } from './random-play.ts'

test.each(Array.from({ length: scaled(12) }, (_, index) => Number(process.env['FIRST'] ?? 100) + index))(
  'seed %i',
  async (seed) => {
    const { l1, l2 } = await play(seed, 40)
    expect(l1.now).toBe(l2.now)
  },
)
