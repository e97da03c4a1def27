// What an explorer remembers of blocks that were taken off the chain.

import { createEmulator } from 'tickchain'
import { expect, test } from 'vitest'
import { createMemory } from '../../../../src/tools/pages/explorer/memory.ts'
import type { Ask } from '../../../../src/tools/pages/explorer/source.ts'

test('the orphaned blocks are the same list until there is another', async () => {
  const chain = await createEmulator()
  const ask: Ask = (method, params) => chain.request(method as 'eth_chainId', params as never)
  const memory = createMemory()
  await chain.mine(3)
  await memory.follow(ask, 3)
  const before = memory.orphans()
  expect(before).toEqual([])
  await chain.mine(1)
  await memory.follow(ask, 4)
  // A page that is drawn by what it is handed does not draw it again.
  expect(memory.orphans()).toBe(before)
  const { hash } = (await chain.request('eth_getBlockByNumber', ['0x4', false])) ?? {}
  await chain.reorg({ depth: 1 })
  await memory.follow(ask, 4)
  const after = memory.orphans()
  expect(after.map((block) => block.hash)).toEqual([hash])
  await memory.follow(ask, 4)
  expect(memory.orphans()).toBe(after)
})
