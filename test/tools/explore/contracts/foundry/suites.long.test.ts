// Invariant suites of Foundry come to what forge 1.7.1 says of them, with three seeds.

import { expect, test } from 'vitest'
import { failuresOf, recorded, startChain, testsIn } from './failures.ts'

const CASES = [1, 2, 3].flatMap((seed) => testsIn('Suites.sol').map((name) => [name, seed] as const))

test.each(CASES)('%s, seed %i', async (name, seed) => {
  const chain = await startChain()
  const found = await failuresOf(chain, ['Suites.sol', name], { runs: 100, seed, until: 'end' })
  expect([...new Set(found)]).toEqual(recorded.tests[name]?.plain)
})
