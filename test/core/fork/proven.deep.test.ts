// Forks with proven roots, with more seeds and more blocks.

import { test } from 'vitest'
import { allInLong, scaled } from '../../size.ts'
import { expectSameBlocks } from './same-blocks.ts'

const SEEDS = Array.from({ length: scaled(2) }, (_, index) => 100 + index)

test.each(
  allInLong(['osaka'], ['shanghai', 'cancun', 'prague', 'osaka']).flatMap((fork) =>
    SEEDS.map((seed) => [fork, seed] as const),
  ),
)('the same transactions make the same blocks under %s with seed %i', (hardfork, seed) =>
  expectSameBlocks(hardfork, { seed, blocks: 60 }),
)
