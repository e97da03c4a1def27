// Arguments are read when a function is called, although the command waits for its turn.

import { createEmulator } from 'tickchain'
import { expect, test } from 'vitest'

test('reorg', async () => {
  const chain = await createEmulator()
  await chain.mine(3)
  const blocks: string[][] = [[]]
  const options = { depth: 3, blocks: blocks as `0x${string}`[][] }
  const waited = [chain.advance(2000), chain.reorg(options)]
  options.depth = 1
  blocks.push([], [], [])
  await Promise.all(waited)
  expect(await chain.request({ method: 'eth_blockNumber' })).toBe('0x2')
})

test('importBlocks and load', async () => {
  const chain = await createEmulator()
  const [importer, loader] = [chain.clone(), chain.clone()]
  await chain.mine(2)
  const [rlp, state] = [await chain.exportBlocks(), await chain.dump()]
  const waited = [importer.importBlocks(rlp), loader.load(state)]
  rlp.fill(0)
  state.fill(0)
  await Promise.all(waited)
  expect(await importer.request({ method: 'eth_blockNumber' })).toBe('0x2')
  expect(await loader.request({ method: 'eth_blockNumber' })).toBe('0x2')
})
