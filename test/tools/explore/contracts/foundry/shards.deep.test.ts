// Suites with cheatcodes in one process and in shards: the same report.

import { type ExploreContractsReport, exploreContracts, merge } from 'tickchain/explore'
import { expect, test } from 'vitest'
import { allInLong } from '../../../../size.ts'
import { contractIn, startChain } from './failures.ts'

const OPTIONS = { runs: 32, searches: 4, depth: 8, seed: 3, shrinks: 0 } as const

async function explored(
  file: string,
  name: string,
  options: { shard?: string; report?: (text: string) => void },
) {
  const { abi, bytecode } = contractIn(file, name)
  return exploreContracts(await startChain(), { test: { abi, bytecode }, ...OPTIONS, ...options })
}

const ALL = [
  ['Suites.sol', 'WethTest'],
  ['Suites.sol', 'AuctionTest'],
  ['Handlers.sol', 'EmittedTest'],
] as const

test.each(allInLong(ALL.slice(-1), ALL))('%s: %s', async (file, name) => {
  const whole = await explored(file, name, {})
  const texts: string[] = []
  const report = (text: string): void => void texts.push(text)
  for (const index of [3, 2, 1]) await explored(file, name, { shard: `${index}/3`, report })
  expect(merge<ExploreContractsReport>(texts)).toEqual(whole)
})
