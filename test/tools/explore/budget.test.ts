// How long exploring goes on: runs, real seconds, and the first failure or all of them. What is found follows from the seed.

import * as fc from 'fast-check'
import { createEmulator, type Emulator } from 'tickchain'
import { explore, exploreAll, exploreContracts } from 'tickchain/explore'
import { afterEach, expect, test, vi } from 'vitest'
import { guessing } from './contracts/guessing.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const idle = { actions: { rest: fc.nat(3) }, run: { rest: () => undefined }, invariants: {} }

interface Failed {
  readonly story: string
  readonly stories?: readonly string[]
  readonly message: string
}

async function failureOf(exploring: Promise<unknown>): Promise<Failed> {
  return exploring.then(
    () => expect.unreachable(),
    (error: Failed) => error,
  )
}

const chain = (): Promise<Emulator> => createEmulator()

test('seconds end runs that have no other end, and the report says so', { tags: 'gate' }, async () => {
  const stories = await explore(await chain(), { ...idle, depth: 2, seconds: 1 })
  expect(stories).toMatchObject({ ended: 'time', orders: { of: 9 } })
  // Three kinds of steps have nine orders: the first runs have tried them all.
  expect(stories.quiet).toBeLessThan(stories.runs)
  expect(stories.quiet).toBeGreaterThan(stories.runs / 2)
  const on = await chain()
  const { contracts } = await guessing(on, 'repaired')
  expect(await exploreContracts(on, { contracts, depth: 4, seconds: 1 })).toMatchObject({ ended: 'time' })
})

test('a scene that was not explored in full says so', { tags: 'gate' }, async () => {
  const script = Array.from({ length: 12 }, () => ({ wait: 'block' }) as const)
  const adversary = ['feeSpikes', 'sequencerStops'] as const
  const scene = { run: {}, invariants: {}, script, adversary, events: 9 }
  expect(await exploreAll(await chain(), { ...scene, seconds: 1 })).toMatchObject({ ended: 'time' })
})

test('runs end it before the seconds do', async () => {
  const report = await explore(await chain(), { ...idle, runs: 3, seconds: 1000 })
  expect(report).toMatchObject({ runs: 3, ended: 'done' })
})

test('without either, it goes on for as long as the environment says', { tags: 'gate' }, async () => {
  vi.stubEnv('TICKCHAIN_EXPLORE_SECONDS', '1')
  expect(await explore(await chain(), idle)).toMatchObject({ ended: 'time' })
  expect(await explore(await chain(), { ...idle, runs: 2 })).toMatchObject({ runs: 2, ended: 'done' })
})

test('an environment that names no seconds is refused', async () => {
  vi.stubEnv('TICKCHAIN_EXPLORE_SECONDS', 'soon')
  const message = expect.stringContaining('TICKCHAIN_EXPLORE_SECONDS')
  await expect(explore(await chain(), idle)).rejects.toMatchObject({ kind: 'invalidOption', message })
})

test('what is found does not depend on what ends the runs', async () => {
  const on = await chain()
  const { contracts } = await guessing(on, 'planted')
  const [byRuns, bySeconds] = [
    await failureOf(exploreContracts(on, { contracts, runs: 200, searches: 1, seed: 3 })),
    await failureOf(exploreContracts(on, { contracts, seconds: 1000, seed: 3 })),
  ]
  expect(bySeconds.story).toBe(byRuns.story)
  const broken = {
    ...idle,
    invariants: { 'no hour passes': ({ chain }: { chain: Emulator }) => chain.now % 3_600_000 < 5000 },
  }
  const first = await failureOf(explore(on, { ...broken, seed: 3, runs: 200 }))
  expect((await failureOf(explore(on, { ...broken, seed: 3, seconds: 1000 }))).story).toBe(first.story)
})

test('until the end, all different failures of an application are told, each as short as it can be', async () => {
  const scene = {
    world: () => ({ sum: 0, last: 0 }),
    run: {
      add(app: { sum: number; last: number }, by: number) {
        app.sum += by
        app.last = by
      },
    },
    actions: { add: fc.nat(9) },
    invariants: {
      'sum below 12': ({ sum }: { sum: number }) => sum < 12,
      'no seven': ({ last }: { last: number }) => last !== 7,
    },
    until: 'end',
    runs: 200,
  } as const
  const { stories = [], message } = await failureOf(explore(await chain(), scene))
  const found = stories.map((story) => JSON.parse(story) as { broke: { name: string }; steps: unknown[] })
  expect(found.map(({ broke }) => broke.name).sort()).toEqual(['no seven', 'sum below 12'])
  expect(found.find(({ broke }) => broke.name === 'no seven')?.steps).toEqual([{ action: 'add', values: 7 }])
  // No digit alone comes to twelve.
  expect(found.find(({ broke }) => broke.name === 'sum below 12')?.steps).toHaveLength(2)
  expect(message).toContain('no seven')
  expect(message).toContain('sum below 12')
})

test('until the end, a scene in full tells all that it breaks', async () => {
  const broken = {
    'before block 2': async ({ chain }: { chain: Emulator }) =>
      (await chain.request('eth_blockNumber')) !== '0x2',
    'before block 3': async ({ chain }: { chain: Emulator }) =>
      (await chain.request('eth_blockNumber')) !== '0x3',
  }
  const script = [{ wait: 'block' }, { wait: 'block' }, { wait: 'block' }] as const
  const scene = {
    run: {},
    invariants: broken,
    script,
    adversary: ['sequencerStops'] as const,
    until: 'end' as const,
  }
  const { stories = [] } = await failureOf(exploreAll(await chain(), scene))
  expect(stories.map((story) => JSON.parse(story).broke.name)).toEqual(['before block 2'])
})
