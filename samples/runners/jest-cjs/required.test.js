const { createEmulator } = require('tickchain')

test('the package is required as it is', async () => {
  const chain = await createEmulator()
  await chain.advance(2000)
  expect(await chain.request('eth_blockNumber')).toBe('0x1')
})

// Those of vitest and Hardhat are ES modules, as these are, and so is the one that starts workers.
test('every other entry is there for require', () => {
  const { exports } = require('tickchain/package.json')
  const entries = Object.keys(exports).filter(
    (name) => !/vitest|hardhat|explore-node|package|ethers|explore$/.test(name),
  )
  expect(entries.length).toBeGreaterThan(5)
  for (const entry of entries)
    expect(Object.keys(require(`tickchain/${entry.slice(2)}`.replace(/\/$/, ''))).length).toBeGreaterThan(0)
})
