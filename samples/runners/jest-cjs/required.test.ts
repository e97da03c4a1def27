import { expect, test } from '@jest/globals'
import { createEmulator, type Emulator, TickchainError } from 'tickchain'
import { emulatorConfig } from 'tickchain/viem'

// What imports compile to; its types are checked under node16, which takes declarations of CommonJS only.
test('the package is required as it is, with its types', async () => {
  const chain: Emulator = await createEmulator()
  await chain.advance(2000)
  const head: `0x${string}` = await chain.request('eth_blockNumber')
  expect(head).toBe('0x1')
  const id: number = emulatorConfig(chain).chain.id
  expect(id).toBe(31337)
  // @ts-expect-error: the types of options are there.
  await expect(createEmulator({ blockTimeMs: 'two seconds' })).rejects.toBeInstanceOf(TickchainError)
})

// Those of vitest and Hardhat are ES modules, as these are, and so are those that start workers.
test('every other entry is there for require', () => {
  const { exports } = require('tickchain/package.json')
  const entries = Object.keys(exports).filter(
    (name) => !/vitest|hardhat|explore-node|solidity-tests|package|ethers|explore$/.test(name),
  )
  expect(entries.length).toBeGreaterThan(5)
  for (const entry of entries)
    expect(Object.keys(require(`tickchain/${entry.slice(2)}`.replace(/\/$/, ''))).length).toBeGreaterThan(0)
})
