// Options of layers that are forked together.

import { beforeAll, expect, test } from 'vitest'
import { createEmulator } from '../../../src/index.ts'
import { createRollup } from '../../../src/rollup.ts'
import type { CreateRollupOptions, Layer1Options, Layer2Options } from '../../../src/tools/pair/options.ts'
import type { Rollup } from '../../../src/tools/pair/rollup.ts'

let live: Rollup

beforeAll(async () => {
  live = await createRollup()
  await live.advance(100_000)
})

const start = (l1: Layer1Options, l2: Layer2Options) => {
  const systemConfigAddress = live.contracts.systemConfig[900]!.address
  return createRollup({ l1, l2: { systemConfigAddress, ...l2 } })
}

test('a block that is undefined is named by nobody', { tags: 'gate' }, async () => {
  const fork = { upstream: live.l2.clone(), block: undefined } as unknown as NonNullable<
    Layer2Options['fork']
  >
  const rollup = await start({ fork: { upstream: live.l1.clone(), block: 3 } }, { fork })
  expect([rollup.l1.fork?.blockNumber, rollup.l2.fork?.blockNumber]).toEqual([3, 18])
})

test('parameters of a layer 2 need no stack', async () => {
  const rollup = await start(
    { fork: { upstream: live.l1.clone() } },
    { fork: { upstream: live.l2.clone() }, rollup: { systemConfig: { baseFeeScalar: 77 } } },
  )
  expect(rollup.l2.settings.rollup?.stack).toBe('op')
})

/** Counts the listeners of a signal. */
function countingSignal(signal: AbortSignal) {
  const counted = { most: 0, now: 0 }
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = ((...given: Parameters<typeof addEventListener>) => {
    counted.most = Math.max(counted.most, ++counted.now)
    addEventListener.apply(signal, given)
  }) as typeof addEventListener
  signal.removeEventListener = ((...given: Parameters<typeof removeEventListener>) => {
    counted.now--
    removeEventListener.apply(signal, given)
  }) as typeof removeEventListener
  return counted
}

test.each([1, 2] as const)('a signal stops layer %i from its first request on', async (silent) => {
  const never = { request: () => new Promise<never>(() => undefined) }
  const stop = new AbortController()
  const [one, two] = [silent === 1 ? never : live.l1.clone(), silent === 2 ? never : live.l2.clone()]
  const own = { signal: stop.signal }
  const beginning = start({ fork: { upstream: one }, ...own }, { fork: { upstream: two }, ...own })
  stop.abort(new Error('enough'))
  await expect(beginning).rejects.toThrow('aborted (enough): the upstream did not answer eth_')
})

test('requests share one listener of the signal', async () => {
  const { signal } = new AbortController()
  const counted = countingSignal(signal)
  await start({ fork: { upstream: live.l1.clone() }, signal }, { fork: { upstream: live.l2.clone() } })
  // One for each client.
  expect(counted.most).toBeLessThan(4)
  expect(counted.now).toBe(0)
})

test.each<[string, (l1: Layer1Options, l2: Layer2Options) => CreateRollupOptions, string]>([
  [
    'genesis of a layer 2',
    (l1, l2) => ({ l1, l2: { ...l2, fork: { ...l2.fork, block: 0 } } }),
    'l2.fork.block: expected one above genesis, which does not tell its L1 origin, got "block 0"',
  ],
  [
    'genesis of the layer 1',
    (l1, l2) => ({ l1: { fork: { ...l1.fork, block: 0 } }, l2 }),
    'l2.fork.block: expected one above genesis, which does not tell its L1 origin, got "block 0"',
  ],
  [
    'the chain id of the layer 1',
    (l1, l2) => ({ l1, l2: { ...l2, chainId: 900 } }),
    'l2.chainId: expected one that no other layer has, got 900',
  ],
  [
    'the same layer 2 twice',
    (l1, l2) => ({ l1, l2: [l2, { ...l2, chainId: 77 }] }),
    'l2[1].fork: expected another chain than other layers fork, got "chain 901"',
  ],
  [
    'the layer 1 as a layer 2',
    (l1, l2) => ({ l1, l2: { ...l2, fork: l1.fork as NonNullable<typeof l1.fork> } }),
    'l2.fork: expected another chain than other layers fork, got "chain 900"',
  ],
  [
    'a layer 2 as the layer 1',
    (l1, { fork, ...l2 }) => ({ l1: { fork: fork! }, l2: { ...l2, fork: l1.fork! } }),
    'l1.fork: expected a layer 1, got "chain 901, which is a rollup"',
  ],
  [
    'an address that is too short',
    (l1, l2) => ({ l1, l2: { ...l2, systemConfigAddress: '0x12' } }),
    'l2.systemConfigAddress: expected the address of SystemConfig on the layer 1, of 20 bytes, got "0x12"',
  ],
  [
    'a hardfork of a layer 2',
    (l1, l2) => ({ l1, l2: { ...l2, hardfork: 'prague' } as Layer2Options }),
    'l2.hardfork: expected none: rollup.fork decides it, got "prague"',
  ],
])('%s is refused by name', async (_, optionsOf, message) => {
  const systemConfigAddress = live.contracts.systemConfig[900]!.address
  const l2 = { systemConfigAddress, fork: { upstream: live.l2.clone() } }
  const beginning = createRollup(optionsOf({ fork: { upstream: live.l1.clone() } }, l2))
  await expect(beginning).rejects.toThrow(`invalid option ${message}`)
})

test('a dump of a forked layer 1 with a batch in its pool goes on without the upstream', {
  tags: 'gate',
}, async () => {
  const rollup = await start({ fork: { upstream: live.l1.clone() } }, { fork: { upstream: live.l2.clone() } })
  let pending = 0
  for (let steps = 0; pending === 0 && steps < 40; steps++) {
    await rollup.advance(2000)
    pending = Number((await rollup.l1.request({ method: 'txpool_status' })).pending)
  }
  expect(pending).toBeGreaterThan(0)
  const loaded = await createEmulator({ state: await rollup.l1.dump() })
  await loaded.mine(1)
  const block = await loaded.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  expect(block?.transactions).toHaveLength(pending)
})

test('a reset that forks a layer 2 alone is refused, also at its own block', { tags: 'gate' }, async () => {
  const upstream = live.l2.clone()
  const fork = { upstream, connect: () => upstream }
  const { l2 } = await start({ fork: { upstream: live.l1.clone() } }, { fork })
  const forking = { jsonRpcUrl: 'http://node.example', blockNumber: `0x${l2.fork!.blockNumber.toString(16)}` }
  await expect(l2.request({ method: 'hardhat_reset', params: [{ forking }] } as never)).rejects.toMatchObject(
    { kind: 'layersApart', message: expect.stringContaining('a reset forks') },
  )
})
