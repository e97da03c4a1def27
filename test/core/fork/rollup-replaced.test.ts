// Resets that fork a rollup, or leave one, and dumps of forked rollups: the chain is what the new state says.

import { expect, test } from 'vitest'
import type { Hex } from '../../../src/core/primitives/hex.ts'
import { base, createEmulator, type Emulator } from '../../../src/index.ts'
import { ask } from './upstreams.ts'

const FIRST: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const SECOND: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

/** Canyon brings its code. */
const DEPLOYER: Hex = '0x13b0d85ccb8bf860b6b79af3029fca081ae9bef2'

/** A payment, in the last block that it makes. */
async function pay(chain: Emulator) {
  await ask(chain, 'eth_sendTransaction', { from: FIRST, to: SECOND, value: '0x1' })
  await chain.advance(2000)
  return (await ask(chain, 'eth_getBlockByNumber', 'latest', true)) as { transactions: { type: Hex }[] }
}

const typesOf = async (chain: Emulator) => (await pay(chain)).transactions.map(({ type }) => type)

test('a reset forks a rollup as one, and another chain as what it is', async () => {
  const rollup = await createEmulator(base({ fork: 'jovian' }))
  await rollup.mine(3)
  const plain = await createEmulator()
  await plain.mine(3)
  const connect = (url: string) => (url.includes('base') ? rollup : plain)
  const chain = await createEmulator({ fork: { connect } })
  await ask(chain, 'hardhat_reset', { forking: { jsonRpcUrl: 'http://base.example' } })
  expect(chain.settings.rollup).toEqual({ stack: 'op', l1ChainId: 1 })
  expect(await typesOf(chain)).toEqual(['0x7e', '0x2'])
  await chain.deposit({ from: SECOND, to: SECOND, mint: 1n })
  await ask(chain, 'anvil_reset', { forking: { jsonRpcUrl: 'http://plain.example' } })
  expect(chain.settings.rollup).toBeUndefined()
  expect(await typesOf(chain)).toEqual(['0x2'])
})

test.each(['synthetic', 'proven'] as const)(
  'a dump of a forked rollup runs without its upstream, and with the same blocks: %s',
  async (roots) => {
    const live = await createEmulator(base({ fork: 'jovian' }))
    await live.mine(3)
    const fork = await createEmulator({ fork: { upstream: live, roots } })
    await pay(fork)
    const loaded = await createEmulator({ state: await fork.dump() })
    expect(await pay(loaded)).toEqual(await pay(fork))
    expect(loaded.settings.rollup).toEqual(fork.settings.rollup)
  },
)

test('a dump of a forked rollup comes to canyon with its contract', async () => {
  const rollup = { stack: 'op', fork: { regolith: 0, canyon: 1_704_067_200 + 9 } } as const
  const live = await createEmulator({ rollup })
  await live.mine(2)
  const fork = await createEmulator({ rollup, fork: { upstream: live } })
  await fork.mine(1)
  await ask(fork, 'eth_getBalance', DEPLOYER, 'latest')
  const loaded = await createEmulator({ state: await fork.dump() })
  for (const each of [fork, loaded]) {
    await each.mine(4)
    const code = await ask(each, 'eth_getCode', DEPLOYER, 'latest')
    expect(`${code}`.length).toBeGreaterThan(100)
  }
})

test('a rollup of its own is reset to a fork of another chain, and back', async () => {
  const live = await createEmulator(base({ fork: 'jovian' }))
  await live.mine(3)
  const plain = await createEmulator()
  await plain.mine(3)
  const connect = (url: string) => (url.includes('base') ? live : plain)
  const chain = await createEmulator({ rollup: { stack: 'op', fork: 'granite' }, fork: { connect } })
  await ask(chain, 'hardhat_reset', { forking: { jsonRpcUrl: 'http://base.example' } })
  expect(chain.settings.rollup).toEqual({ stack: 'op', l1ChainId: 1 })
  expect(await pay(chain)).toMatchObject({ number: '0x4', extraData: '0x010000007d0000000600000000004c4b40' })
  await ask(chain, 'hardhat_reset', { forking: { jsonRpcUrl: 'http://plain.example' } })
  expect(chain.settings.rollup).toBeUndefined()
  expect(await typesOf(chain)).toEqual(['0x2'])
  await ask(chain, 'hardhat_reset')
  expect(chain.settings.rollup).toEqual({ stack: 'op', l1ChainId: 900 })
  expect(await pay(chain)).toMatchObject({ number: '0x1', extraData: '0x' })
})

test.each(['synthetic', 'proven'] as const)(
  'a dump before the first block runs without its upstream: %s',
  { tags: 'gate' },
  async (roots) => {
    const live = await createEmulator({ rollup: { stack: 'op' } })
    await live.mine(3)
    const fork = await createEmulator({ fork: { upstream: live, roots } })
    await fork.deposit({ from: SECOND, to: SECOND, mint: 9n })
    await ask(fork, 'eth_sendTransaction', { from: FIRST, to: DEPLOYER, value: '0x1' })
    const loaded = await createEmulator({ state: await fork.dump() })
    for (const each of [fork, loaded]) await each.advance(2000)
    const [there, here] = await Promise.all(
      [fork, loaded].map((each) => ask(each, 'eth_getBlockByNumber', '0x4', true)),
    )
    expect(here).toEqual(there)
    expect(here).toMatchObject({ transactions: [{ type: '0x7e' }, { type: '0x7e' }, { to: DEPLOYER }] })
  },
)
