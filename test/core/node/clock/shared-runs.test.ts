// Built blocks of a run are shared by all versions of a chain: clones, snapshots and filters.

import { type Hex, hexToNumber } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEmulator, type Emulator } from '../../../../src/index.ts'

const counter = vi.hoisted(() => ({ sealed: 0 }))

vi.mock('../../../../src/core/chain/block/block.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../../src/core/chain/block/block.ts')>()
  const sealBlock: typeof original.sealBlock = (...open) => {
    counter.sealed++
    return original.sealBlock(...open)
  }
  return { ...original, sealBlock }
})

async function mineSingly(chain: Emulator, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await chain.request('evm_mine')
}

async function hashAt(chain: Emulator, block: number | 'latest'): Promise<Hex | null | undefined> {
  const tag = block === 'latest' ? block : (`0x${block.toString(16)}` as const)
  return (await chain.request('eth_getBlockByNumber', [tag, false]))?.hash
}

beforeEach(() => {
  counter.sealed = 0
})

// Each test builds blocks: a count of zero means that the counting function is not in use.
afterEach(() => {
  expect(counter.sealed).toBeGreaterThan(0)
})

test('a block filter that is polled late builds each block once', async () => {
  const chain = await createEmulator({ production: 'manual' })
  const filter = await chain.request('eth_newBlockFilter')
  counter.sealed = 0
  await mineSingly(chain, 300)
  expect(counter.sealed).toBe(0)
  const hashes = await chain.request('eth_getFilterChanges', [filter])
  expect(hashes).toHaveLength(300)
  expect(hashes?.at(-1)).toBe(await hashAt(chain, 'latest'))
  expect(counter.sealed).toBe(300)
})

test('clones that continue independently build their common blocks once', async () => {
  const chain = await createEmulator({ production: 'manual' })
  await chain.request('evm_mine', [{ blocks: 400 }])
  counter.sealed = 0
  const hashes = new Set<unknown>()
  for (let i = 0; i < 10; i++) {
    const clone = chain.clone()
    await mineSingly(clone, 3)
    hashes.add(await hashAt(clone, 'latest'))
    expect(hexToNumber(await clone.request('eth_blockNumber'))).toBe(403)
    clone.dispose()
  }
  // The same calls, the same block.
  expect(hashes.size).toBe(1)
  // Of each clone, its own three blocks are the most that is built again.
  expect(counter.sealed).toBeLessThanOrEqual(400 + 10 * 3)
})

test('reads after many reverts build only new blocks', async () => {
  const chain = await createEmulator({ production: 'manual' })
  await mineSingly(chain, 200)
  counter.sealed = 0
  for (let i = 0; i < 10; i++) {
    const snapshot = chain.snapshot()
    await mineSingly(chain, 2)
    await hashAt(chain, 'latest')
    await chain.revert(snapshot)
  }
  expect(counter.sealed).toBeLessThanOrEqual(200 + 10 * 2)
})

test('scattered reads do not build the same blocks repeatedly', async () => {
  const chain = await createEmulator({ production: 'manual' })
  await mineSingly(chain, 1500)
  await hashAt(chain, 'latest')
  counter.sealed = 0
  for (let i = 0; i < 40; i++) {
    for (const number of [100 + i, 700 + i, 1300 + i]) expect(await hashAt(chain, number)).toMatch(/^0x/)
  }
  // Each of three places lies in three stretches of 32 blocks, at most.
  expect(counter.sealed).toBeLessThanOrEqual(3 * 3 * 32)
})
