// Options of layers that are forked together.

import { beforeAll, expect, test } from 'vitest'
import { createRollup } from '../../../src/rollup.ts'
import type { Layer1Options, Layer2Options } from '../../../src/tools/pair/options.ts'
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

test('a block that is undefined is named by nobody', async () => {
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
