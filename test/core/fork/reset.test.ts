// Resets that fork, by the upstreams that a test supplies.

import { expect, test } from 'vitest'
import type { Hex } from '../../../src/core/primitives/hex.ts'
import { createEmulator, type Emulator, type TickchainError, type Upstream } from '../../../src/index.ts'
import { ask, wireTo } from './upstreams.ts'

const FIRST: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const SECOND: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const SOMEBODY: Hex = '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'

/** Two networks by their URLs: the first has five blocks under shanghai, the second three. */
async function networks() {
  const first = await createEmulator({ chainId: 7, hardfork: 'shanghai' })
  await first.mine(5)
  await first.setBalance(SOMEBODY, 11n)
  const second = await createEmulator({ chainId: 8 })
  await second.mine(3)
  await second.setBalance(SOMEBODY, 22n)
  const urls: string[] = []
  const connect = (url: string): Upstream => {
    urls.push(url)
    return url.includes('first') ? first : second
  }
  return { first, second, urls, connect }
}

const numberOf = async (chain: Emulator) => Number(await ask(chain, 'eth_blockNumber'))
const balanceOf = async (chain: Emulator) => Number(await ask(chain, 'eth_getBalance', SOMEBODY, 'latest'))

test.each(['anvil_reset', 'hardhat_reset'])('%s forks, forks again, and goes back', async (reset) => {
  const { first, connect, urls } = await networks()
  const chain = await createEmulator({ fork: { connect } })
  await chain.mine(1)
  expect(chain.fork).toBeUndefined()
  await ask(chain, reset, { forking: { jsonRpcUrl: 'http://first' } })
  expect([await numberOf(chain), await balanceOf(chain), await ask(chain, 'eth_chainId')]).toEqual([
    5,
    11,
    '0x7',
  ])
  expect(chain.fork).toMatchObject({ chainId: 7, blockNumber: 5 })
  expect(chain.now).toBe(first.now)
  expect(await ask(chain, 'anvil_nodeInfo')).toMatchObject({ hardFork: 'shanghai' })
  await ask(chain, 'eth_sendTransaction', { from: FIRST, to: SECOND, value: '0x1' })
  await chain.seal()
  expect(await numberOf(chain)).toBe(6)
  await ask(chain, reset, { forking: { blockNumber: 2 } })
  expect([await numberOf(chain), await balanceOf(chain)]).toEqual([2, 0])
  await ask(chain, reset, { forking: { jsonRpcUrl: 'http://second', blockNumber: '0x3' } })
  expect([await numberOf(chain), await balanceOf(chain), await ask(chain, 'eth_chainId')]).toEqual([
    3,
    22,
    '0x8',
  ])
  expect(await ask(chain, 'anvil_nodeInfo')).toMatchObject({ hardFork: 'prague' })
  await ask(chain, reset)
  expect([await numberOf(chain), await balanceOf(chain), await ask(chain, 'eth_chainId')]).toEqual([
    0,
    0,
    '0x7a69',
  ])
  expect(urls).toEqual(['http://first', 'http://second'])
})

test('a reset of a fork goes back to its block', async () => {
  const { first, connect } = await networks()
  const chain = await createEmulator({ fork: { upstream: first, connect } })
  await chain.setBalance(SOMEBODY, 1n)
  await chain.mine(2)
  await chain.reset()
  expect([await numberOf(chain), await balanceOf(chain)]).toEqual([5, 11])
  await ask(chain, 'hardhat_reset', { forking: { blockNumber: 4 } })
  expect(await numberOf(chain)).toBe(4)
})

test('a snapshot of before a reset brings back the chain that there was', async () => {
  const { connect } = await networks()
  const chain = await createEmulator({ fork: { connect } })
  await chain.mine(1)
  const snapshot = chain.snapshot()
  await ask(chain, 'anvil_reset', { forking: { jsonRpcUrl: 'http://first' } })
  const forked = chain.snapshot()
  await chain.revert(snapshot)
  expect([await numberOf(chain), chain.fork]).toEqual([1, undefined])
  await chain.revert(forked)
  expect([await numberOf(chain), await balanceOf(chain)]).toEqual([5, 11])
})

test('subscribers hear the blocks of the fork as new ones', async () => {
  const { connect } = await networks()
  const chain = await createEmulator({ fork: { connect } })
  await chain.mine(2)
  const filter = await ask(chain, 'eth_newBlockFilter')
  await ask(chain, 'anvil_reset', { forking: { jsonRpcUrl: 'http://first' } })
  await chain.mine(1)
  const heads = [5, 6].map((number) => ask(chain, 'eth_getBlockByNumber', `0x${number}`, false))
  const hashes = (await Promise.all(heads)).map((block) => (block as { hash: Hex }).hash)
  expect(await ask(chain, 'eth_getFilterChanges', filter)).toEqual(hashes)
})

test('anvil_setRpcUrl asks another upstream for the rest', async () => {
  const { first } = await networks()
  const wires = { old: wireTo(first), new: wireTo(first) }
  const connect = (url: string): Upstream => (url === 'http://new' ? wires.new : wires.old)
  const chain = await createEmulator({ fork: { upstream: wires.old, connect } })
  const asked = wires.old.asked.length
  expect(await ask(chain, 'anvil_setRpcUrl', 'http://new')).toBeNull()
  expect(await balanceOf(chain)).toBe(11)
  // The proof and the code; and who it is, as its balance was set without a block and its root does not show it.
  expect([wires.old.asked.length, wires.new.asked.length]).toEqual([asked, 3])
})

const refused = async (asked: Promise<unknown>): Promise<TickchainError> =>
  (await asked.catch((error) => error)) as TickchainError

test('without a function that connects, and with one that fails, nothing changes', async () => {
  const { first } = await networks()
  const fork = await createEmulator({ fork: { upstream: first } })
  await fork.mine(1)
  for (const asked of [
    ask(fork, 'anvil_reset', { forking: { jsonRpcUrl: 'http://first' } }),
    ask(fork, 'anvil_setRpcUrl', 'http://first'),
    ask(await createEmulator(), 'anvil_reset', { forking: { blockNumber: 1 } }),
  ]) {
    expect((await refused(asked)).kind).toBe('noNetwork')
  }
  expect(await ask(await createEmulator(), 'anvil_setRpcUrl', 'http://first')).toBeNull()
  const failing = (connect: (url: string) => Upstream) =>
    createEmulator({ fork: { upstream: first, connect } })
  const down = await failing(() => {
    throw new Error('down')
  })
  const error = await refused(ask(down, 'anvil_reset', { forking: { jsonRpcUrl: 'http://x' } }))
  expect(error).toMatchObject({ kind: 'callbackFailed', message: 'fork.connect failed: Error: down' })
  const empty = await failing(() => ({}) as Upstream)
  const none = await refused(ask(empty, 'anvil_reset', { forking: { jsonRpcUrl: 'http://x' } }))
  expect(none.message).toBe('fork.connect failed: it returned no upstream')
  const absent = await refused(ask(empty, 'anvil_reset', { forking: { blockNumber: 77 } }))
  expect(absent.kind).toBe('forkBlockNotFound')
  expect([await numberOf(fork), await numberOf(empty)]).toEqual([6, 5])
})
