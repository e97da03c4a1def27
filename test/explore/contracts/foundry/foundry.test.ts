// Tests of Foundry come to what forge 1.7.1 says of them: forge.peers.test.ts has recorded it. suites.deep.test.ts has more
// runs.

import type { Emulator } from 'tickchain'
import { exploreContracts } from 'tickchain/explore'
import { beforeAll, describe, expect, test } from 'vitest'
import { contractIn, failuresOf, reasonsOf, recorded, startChain, testsIn } from './failures.ts'
import { LIBRARY } from './sources.ts'

const AT = `0x${'c1'.repeat(20)}` as const

let chain: Emulator

beforeAll(async () => {
  chain = await startChain()
})

describe('statements', () => {
  beforeAll(async () => {
    await chain.setCode(AT, contractIn('Statements.sol', 'Statements').deployed)
    await chain.setCode(LIBRARY, contractIn('Statements.sol', 'Lib').deployed)
  })

  test.each(Object.entries(recorded.statements))('%s', async (name, reason) => {
    const { abi } = contractIn('Statements.sol', 'Statements')
    const it = { address: AT, abi, functions: [name] }
    const once = { runs: 1, depth: 1, longestWait: 0, until: 'end', failOnRevert: true } as const
    expect(await reasonsOf(exploreContracts(chain, { contracts: { it }, ...once }))).toEqual(
      reason === null ? [] : [reason],
    )
  })
})

/** Where we say more than forge: a failed assertion with words of its own is one, too. */
const MORE: Readonly<Record<string, readonly string[]>> = { OwnWordsTest: ['own: 1 != 2'] }

describe.each([
  ['as things are', 'plain'],
  ['with failOnRevert', 'strict'],
] as const)('handlers, %s', (_, mode) => {
  test.each(testsIn('Handlers.sol'))('%s', async (name) => {
    const { plain = [], strict = [] } = recorded.tests[name] ?? {}
    // All failures are told here, and one of each invariant there.
    const expected = [...plain, ...(mode === 'strict' ? strict : []), ...(MORE[name] ?? [])]
    const options = { runs: 12, until: 'end', failOnRevert: mode === 'strict' } as const
    const found = await failuresOf(chain, ['Handlers.sol', name], options)
    expect(found.filter((reason) => !expected.includes(reason))).toEqual([])
    expect(found.length > 0).toBe(expected.length > 0)
  })
})

test.each(testsIn('Suites.sol'))('suites: %s', async (name) => {
  const { plain = [] } = recorded.tests[name] ?? {}
  const found = await failuresOf(chain, ['Suites.sol', name], { runs: plain.length === 0 ? 4 : 48 })
  expect(found).toEqual(plain)
})
