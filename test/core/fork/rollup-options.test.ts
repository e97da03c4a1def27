// Forks of rollups: options that contradict each other, and configurations that change at the place that is forked.

import { expect, test } from 'vitest'
import type { Hex } from '../../../src/core/primitives/hex.ts'
import { createEmulator } from '../../../src/index.ts'
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
