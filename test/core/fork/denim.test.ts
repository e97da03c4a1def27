// Forks of a chain with blocks every 200 ms, which go on at its milliseconds.

import { base, createEmulator, type Emulator } from 'tickchain'
import { expect, test } from 'vitest'
import { blocksFrom } from './same-blocks.ts'
import { ask, wireTo } from './upstreams.ts'

const BASE_TIME = '0x4200000000000000000000000000000000000030'

async function upstreamAt(ms: number): Promise<Emulator> {
  const chain = await createEmulator(base({ genesis: { timestamp: 1000 } }))
  await chain.advance(ms)
  return chain
}

/** The hashes of the deposits that tell the milliseconds, after block 8. */
const depositsOf = async (chain: Emulator): Promise<unknown[]> =>
  ((await blocksFrom(chain, 9)) as [{ transactions: { hash: string }[] }][]).map(
    ([{ transactions }]) => transactions[1]?.hash,
  )

const timesOf = async (chain: Emulator, first: number): Promise<number[]> =>
  ((await blocksFrom(chain, first)) as [{ timestampMs: string }][]).map(([{ timestampMs }]) =>
    Number(timestampMs),
  )

test('a fork tells the times that its upstream tells', async () => {
  const chain = await upstreamAt(1600)
  const fork = await createEmulator({ fork: { upstream: chain.clone() } })
  expect(fork.now).toBe(1_001_600)
  expect(fork.settings.blockTimeMs).toBe(200)
  for (const each of [chain, fork]) await each.advance(600)
  const expected = await depositsOf(chain)
  expect(expected).toHaveLength(3)
  expect(await timesOf(fork, 9)).toEqual([1_001_800, 1_002_000, 1_002_200])
  expect(await depositsOf(fork)).toEqual(expected)
  // timestampMs()
  expect(Number(await ask(fork, 'eth_call', { to: BASE_TIME, data: '0x5745a677' }))).toBe(1_002_200)
  expect(fork.now).toBe(1_002_200)
  const loaded = await createEmulator(base())
  await loaded.load(await fork.dump())
  await loaded.reorg({ depth: 3 })
  expect(await timesOf(loaded, 9)).toEqual([1_001_800, 1_002_000, 1_002_200])
})

test('a reorganisation down to the block of the fork keeps the times', async () => {
  const chain = await upstreamAt(1400)
  const fork = await createEmulator({ fork: { upstream: chain } })
  await fork.advance(800)
  await fork.reorg({ depth: 4 })
  expect(await timesOf(fork, 8)).toEqual([1_001_600, 1_001_800, 1_002_000, 1_002_200])
})

test('milliseconds of another second are refused', async () => {
  const wire = wireTo(await upstreamAt(1600))
  const at = (await ask(wire as never, 'eth_getBlockByNumber', 'latest', false)) as object
  wire.answer = ({ method }) =>
    method === 'eth_getBlockByNumber' ? { ...at, timestampMs: '0xf4e48' } : undefined
  await expect(createEmulator({ fork: { upstream: wire } })).rejects.toThrow(
    /result\.timestampMs.*milliseconds of the second 1001/,
  )
})

/** An upstream whose node does not know milliseconds. */
function wireWithoutMillis(chain: Emulator, isDepositTold: boolean) {
  const wire = wireTo(chain)
  wire.answer = async ({ method, params }) => {
    const answer = await ask(chain, method, ...params)
    if (method === 'eth_getTransactionByHash' && !isDepositTold) return null
    if (method !== 'eth_getBlockByNumber' && method !== 'eth_getBlockByHash') return answer
    const { timestampMs: _, ...block } = answer as Record<string, unknown>
    return block
  }
  return wire
}

test.each([
  [true, 600],
  [false, 0],
])('without timestampMs the deposit of the block tells them, if it is told: %s', async (isTold, millis) => {
  // A time at which Base has denim, which the network's schedule says.
  const chain = await createEmulator(base({ genesis: { timestamp: 1_800_000_000 } }))
  await chain.advance(1600)
  const fork = await createEmulator({ fork: { upstream: wireWithoutMillis(chain, isTold) } })
  expect(fork.settings.blockTimeMs).toBe(200)
  expect(fork.now).toBe(1_800_000_001_000 + millis)
})

test('a network that nobody knows has slots where its blocks have the deposit', async () => {
  const chain = await createEmulator(base({ chainId: 7_777_777, genesis: { timestamp: 1000 } }))
  await chain.advance(1600)
  const fork = await createEmulator({ fork: { upstream: wireWithoutMillis(chain, true) } })
  expect(fork.settings.blockTimeMs).toBe(200)
  expect(fork.now).toBe(1_001_600)
  await fork.advance(200)
  expect(await timesOf(fork, 9)).toEqual([1_001_800])
  const before = await createEmulator(
    base({ fork: 'cobalt', chainId: 7_777_777, genesis: { timestamp: 1000 } }),
  )
  await before.advance(4000)
  const later = await createEmulator({ fork: { upstream: wireWithoutMillis(before, true) } })
  expect(later.settings.blockTimeMs).toBe(2000)
})

test('nobody asks for the deposit of a chain without slots', async () => {
  const chain = await createEmulator(base({ fork: 'cobalt', genesis: { timestamp: 1_791_000_000 } }))
  await chain.advance(2000)
  const wire = wireTo(chain)
  await createEmulator({ fork: { upstream: wire } })
  expect(wire.asked.filter(({ method }) => method === 'eth_getTransactionByHash')).toHaveLength(1)
})
