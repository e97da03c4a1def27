// Forks of rollups: options that contradict each other, and configurations that change at the place that is forked.

import { expect, test } from 'vitest'
import type { Hex } from '../../../src/core/primitives/hex.ts'
import { type OpFork, opForksUpTo } from '../../../src/core/rollup/op/forks.ts'
import { createEmulator, type Emulator, type SystemConfigOptions } from '../../../src/index.ts'
import { START_S } from '../node/rollup/scene.ts'
import { AS_THEY_ARE } from './same-blocks.ts'
import { ask } from './upstreams.ts'

const FIRST: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const SECOND: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

test.each([
  ['hardfork', { hardfork: 'prague' }],
  ['blobTransactions', { blobTransactions: 'accepted' }],
] as const)('%s beside rollup is refused on a fork, too', async (name, given) => {
  const upstream = await createEmulator({ rollup: { stack: 'op' } })
  const beginning = createEmulator({ ...given, rollup: { stack: 'op' }, fork: { upstream } })
  await expect(beginning).rejects.toThrow(`invalid option ${name}: expected no ${name} beside rollup`)
})

test('a fork at a transaction goes on with the configuration of its block', async () => {
  const chain = await createEmulator({ rollup: { stack: 'op' }, ordering: 'fifo' })
  await chain.advance(4000)
  const eip1559 = { denominator: 77, elasticity: 3 }
  await chain.setSystemConfig({ baseFeeScalar: 4242, gasLimit: 33_000_000, eip1559 })
  const pay = (on: typeof chain) => ask(on, 'eth_sendTransaction', { from: FIRST, to: SECOND, value: '0x1' })
  const hash = (await pay(chain)) as Hex
  await chain.advance(2000)
  const upstream = chain.clone()
  const fork = await createEmulator({ ...AS_THEY_ARE, fork: { upstream, block: hash, roots: 'proven' } })
  await pay(fork)
  await fork.advance(4000)
  await chain.advance(2000)
  const [there, here] = await Promise.all(
    [chain, fork].map((each) => ask(each, 'eth_getBlockByNumber', '0x4', true)),
  )
  expect(here).toEqual(there)
})

/** Each chain goes on, and comes to the same block. */
async function expectSameEnd(chains: readonly Emulator[], ms = 24_000): Promise<void> {
  for (const each of chains) await each.advance(ms)
  const [expected, ...heads] = await Promise.all(
    chains.map((each) => ask(each, 'eth_getBlockByNumber', 'latest', true)),
  )
  for (const head of heads) expect(head).toEqual(expected)
}

const rawHead = async (chain: Emulator) => (await ask(chain, 'debug_getRawBlock', 'latest')) as Hex

test.each<[OpFork, SystemConfigOptions]>([
  ['bedrock', { overhead: 7n, scalar: 77n, gasLimit: 33_000_000 }],
  ['ecotone', { baseFeeScalar: 4242, blobBaseFeeScalar: 7 }],
  ['holocene', { eip1559: { denominator: 77, elasticity: 3 } }],
  ['isthmus', { operatorFeeScalar: 5_000_000, operatorFeeConstant: 77n, batcher: SECOND }],
  ['jovian', { minBaseFee: 2n * 10n ** 9n, daFootprintGasScalar: 40, gasLimit: 33_000_000 }],
])('an imported block of %s hands its configuration on', { tags: 'gate' }, async (fork, changes) => {
  const rollup = { stack: 'op', fork, l1: { blobBaseFee: 1n } } as const
  const chain = await createEmulator({ rollup, ordering: 'fifo' })
  await chain.advance(4000)
  const upstream = chain.clone()
  const forked = await createEmulator({ ...AS_THEY_ARE, rollup, fork: { upstream, roots: 'proven' } })
  const copy = chain.clone()
  await chain.setSystemConfig(changes)
  await chain.advance(2000)
  for (const each of [copy, forked]) await each.importBlocks(await rawHead(chain))
  await expectSameEnd([chain, copy, forked])
})

test('what a test changes stays for the next L1 block when another block is imported', async () => {
  const chain = await createEmulator({ rollup: { stack: 'op' } })
  await chain.advance(4000)
  const copy = chain.clone()
  await copy.setSystemConfig({ baseFeeScalar: 4242 })
  await chain.setSystemConfig({ minBaseFee: 7n, gasLimit: 33_000_000 })
  await chain.advance(2000)
  await copy.importBlocks(await rawHead(chain))
  await chain.setSystemConfig({ baseFeeScalar: 4242 })
  await expectSameEnd([chain, copy])
})

test('an imported block hands its configuration on where later L1 blocks were known', async () => {
  const chain = await createEmulator({ rollup: { stack: 'op' } })
  await chain.advance(4000)
  const copy = chain.clone()
  await copy.advance(40_000)
  await copy.rollback(20)
  await chain.setSystemConfig({ baseFeeScalar: 4242 })
  await chain.advance(2000)
  await copy.importBlocks(await rawHead(chain))
  await copy.mine(20)
  const slot = `0x${'0'.repeat(63)}3`
  const stored = await ask(
    copy,
    'eth_getStorageAt',
    '0x4200000000000000000000000000000000000015',
    slot,
    'latest',
  )
  // The scalar stands before that of blobs, in the bytes from 16 to 20.
  expect(Number(`0x${`${stored}`.slice(34, 42)}`)).toBe(4242)
})

test.each([
  ['hardfork', { hardfork: 'prague' }, /^invalid option hardfork: .*rollup: \{ stack: 'op', fork \} names/],
  ['blobTransactions', { blobTransactions: 'accepted' }, /^invalid option blobTransactions: .* refuses them/],
] as const)('%s is refused on a fork of a chain that shows to be a rollup', async (_, given, message) => {
  const upstream = await createEmulator({ rollup: { stack: 'op' } })
  await upstream.mine(1)
  await expect(createEmulator({ ...given, fork: { upstream } })).rejects.toThrow(message)
})

test('a fork of a rollup is one in Hardhat, whose configuration always names a hardfork', async () => {
  const upstream = await createEmulator({ rollup: { stack: 'op' } })
  await upstream.mine(1)
  const fork = await createEmulator({ flavor: 'hardhat', hardfork: 'cancun', fork: { upstream } })
  expect(fork.settings.rollup).toEqual({ stack: 'op', l1ChainId: 900 })
  await fork.mine(1)
  const block = (await ask(fork, 'eth_getBlockByNumber', 'latest', true)) as { transactions: { type: Hex }[] }
  expect(block.transactions.map(({ type }) => type)).toEqual(['0x7e'])
})

test('an L1 block after the forked block is refused', async () => {
  const upstream = await createEmulator({ rollup: { stack: 'op' } })
  await upstream.mine(1)
  const rollup = { stack: 'op', l1: { timestamp: START_S + 3 } } as const
  await expect(createEmulator({ rollup, fork: { upstream } })).rejects.toThrow(
    `invalid option rollup.l1.timestamp: expected at most ${START_S + 2}, that of the forked block, got ${START_S + 3}`,
  )
})

const FORKS_TO_AZUL = Object.fromEntries(
  opForksUpTo('azul')
    .slice(1)
    .map((fork) => [fork, 0]),
)

test.each([
  ['never comes to beryl', 'jovian', undefined],
  ['is at beryl at block 1', 'beryl', { stack: 'op', fork: 'beryl' }],
] as const)('features are refused on a fork that %s', async (why, fork, over) => {
  const upstream = await createEmulator({ rollup: { stack: 'op', fork } })
  await upstream.mine(1)
  const rollup = { stack: 'op', ...over, features: ['b20Asset'] } as const
  await expect(createEmulator({ rollup, fork: { upstream } })).rejects.toThrow(
    `invalid option rollup.features: expected none on a chain that ${why}, got b20Asset`,
  )
})

test('features begin with beryl above a fork, also in a dump', { tags: 'gate' }, async () => {
  const times = { ...FORKS_TO_AZUL, beryl: START_S + 5 }
  const rollup = { stack: 'op', fork: times, features: ['b20Asset'] } as const
  const chain = await createEmulator({ rollup })
  await chain.mine(1)
  const upstream = chain.clone()
  const fork = await createEmulator({ ...AS_THEY_ARE, rollup, fork: { upstream, roots: 'proven' } })
  await fork.advance(2000)
  const loaded = await createEmulator({ ...AS_THEY_ARE, state: await fork.dump() })
  await chain.advance(2000)
  await expectSameEnd([chain, fork, loaded], 4000)
})

test.each<OpFork>(['bedrock', 'regolith', 'canyon', 'ecotone', 'fjord', 'granite'])(
  'a chain of %s that is no known network is known by its first transaction',
  async (fork) => {
    const chain = await createEmulator({ rollup: { stack: 'op', fork } })
    await chain.mine(2)
    const forked = await createEmulator({ fork: { upstream: chain, block: 2 } })
    await forked.mine(1)
    expect(await forked.request('eth_getBlockByNumber', ['0x3', true])).toMatchObject({
      transactions: [{ type: '0x7e' }],
    })
  },
)

test('a fork to come needs neither the stack nor the forks before it', async () => {
  const chain = await createEmulator({ rollup: { stack: 'op', fork: 'isthmus' } })
  await chain.mine(1)
  const at = Number((await chain.request('eth_getBlockByNumber', ['latest', false]))?.timestamp) + 4
  const forked = await createEmulator({
    fork: { upstream: chain, block: 1 },
    rollup: { fork: { jovian: at } },
  })
  await forked.mine(2)
  const lengthAt = async (number: Hex) =>
    ((await forked.request('eth_getBlockByNumber', [number, false]))?.extraData.length ?? 0) / 2 - 1
  // Holocene's extraData has nine bytes, jovian's seventeen.
  expect([await lengthAt('0x2'), await lengthAt('0x3')]).toEqual([9, 17])
})
