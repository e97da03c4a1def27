// Tests of Foundry come to what forge 1.7.1 says of them: forge.peers.long.test.ts has recorded it. suites.long.test.ts has more
// runs.

import type { Emulator } from 'tickchain'
import { exploreContracts } from 'tickchain/explore'
import { beforeAll, describe, expect, test } from 'vitest'
import { sampled } from '../../../../size.ts'
import { contractIn, failuresOf, reasonsOf, recorded, startChain, testsIn } from './failures.ts'
import { LIBRARY, STATEMENTS } from './sources.ts'

/** Where forge has a test, which it deploys from there. */
const [AT, DEPLOYER] = [
  '0x7fa9385be102ac3eac297483dd6233d62b3e1496',
  '0x1804c8ab1f12e6bbf3894d4083f33e07309d1f38',
] as const

let chain: Emulator

beforeAll(async () => {
  chain = await startChain()
})

/** A chain with a contract where forge would have it, so that addresses in its words are the same. */
async function deployed(name: string): Promise<Emulator> {
  const own = await chain.clone()
  const { bytecode } = contractIn(`${name}.sol`, name)
  await own.setCode(LIBRARY, contractIn('Statements.sol', 'Lib').deployed)
  await own.request('hardhat_impersonateAccount', [DEPLOYER])
  await own.request('hardhat_setBalance', [DEPLOYER, '0x56bc75e2d63100000'])
  await own.request('hardhat_setNonce', [DEPLOYER, '0x1'])
  await own.request('eth_sendTransaction', [
    { from: DEPLOYER, data: `0x${bytecode.object}`, gas: '0x1c9c380' },
  ])
  await own.seal()
  expect(await own.request('eth_getCode', [AT, 'latest'])).not.toBe('0x')
  return own
}

describe.each(STATEMENTS)('%s', (contract) => {
  let own: Emulator
  beforeAll(async () => {
    own = await deployed(contract)
  })
  const { abi } = contractIn(`${contract}.sol`, contract)
  const names = (abi as { name?: string }[]).flatMap(({ name }) => (name?.startsWith('test_') ? [name] : []))

  test.each(sampled(names))('%s', async (name) => {
    const it = { address: AT, abi, functions: [name] }
    const once = { runs: 1, depth: 1, longestWait: 0, until: 'end', failOnRevert: true } as const
    const reason = recorded.statements[name] as string | null
    expect(await reasonsOf(exploreContracts(own, { contracts: { it }, ...once }))).toEqual(
      reason === null ? [] : [reason],
    )
  })
})

/** Where we say more than forge. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  // A failed assertion with words of its own is one, too.
  OwnWordsTest: ['own: 1 != 2'],
  // A chain id stays as the rest of the environment does. There it stays from setUp only.
  BlockChainTest: ['high'],
}

describe.each([
  ['as things are', 'plain'],
  ['with failOnRevert', 'strict'],
] as const)('handlers, %s', (_, mode) => {
  test.each(sampled(testsIn('Handlers.sol')))('%s', async (name) => {
    const { plain = [], strict = [] } = recorded.tests[name] ?? {}
    // All failures are told here, and one of each invariant there.
    const expected = [...plain, ...(mode === 'strict' ? strict : []), ...(MORE[name] ?? [])]
    const options = { runs: 12, until: 'end', failOnRevert: mode === 'strict' } as const
    const found = await failuresOf(chain, ['Handlers.sol', name], options)
    expect(found.filter((reason) => !expected.includes(reason))).toEqual([])
    expect(found.length > 0).toBe(expected.length > 0)
  })
})

// suites.long.test.ts has all of them.
test('suites: WethTest', async () => {
  expect(recorded.tests['WethTest']?.plain ?? []).toEqual([])
  expect(await failuresOf(chain, ['Suites.sol', 'WethTest'], { runs: 4 })).toEqual([])
})
