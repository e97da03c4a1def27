// What holds of exploring itself: the same seed gives the same story, in shards too, and nothing that a user's code
// does loses the story.

import * as fc from 'fast-check'
import { createEmulator, type Emulator } from 'tickchain'
import { type ExploreReport, explore, exploreAll, replay } from 'tickchain/explore'
import { emulatorActions, emulatorConfig } from 'tickchain/viem'
import { createPublicClient } from 'viem'
import { expect, test, vi } from 'vitest'
import { PLANTED, setUp } from './planted.ts'

interface Failed {
  readonly kind: string
  readonly message: string
  readonly story?: string
  readonly cause?: unknown
}

async function failureOf(exploring: Promise<unknown>): Promise<Failed> {
  return exploring.then(
    () => expect.unreachable(),
    (error: Failed) => error,
  )
}

async function prepared(): Promise<Emulator> {
  const chain = await createEmulator()
  await setUp(chain)
  return chain
}

const pay = async (chain: Emulator): Promise<void> => {
  const [from = '0x', to = '0x'] = await chain.listAccounts()
  await chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }])
}

const plain = {
  actions: { pay: fc.record({}) },
  run: { pay: ({ chain }: { chain: Emulator }) => pay(chain) },
  invariants: {},
}

/** A bug that takes some runs to find: an answer that comes late. */
const late = PLANTED.find(({ breaks }) => breaks === 'never goes back')!

test('the same seed gives the same story, on any chain of the same set-up', { tags: 'gate' }, async () => {
  const [first, second] = [await prepared(), await prepared()]
  const search = (chain: Emulator) =>
    failureOf(explore(chain, { ...late.options('planted'), seed: 2, runs: 1000 }))
  const found = await search(first)
  expect(await search(second)).toEqual(found)
  // The chain itself has not moved.
  expect(await search(first)).toEqual(found)
})

test('of shards, the one that has the run finds the same story, and the others do not', {
  tags: 'gate',
}, async () => {
  const options = { ...late.options('planted'), seed: 2, runs: 1000 }
  const whole = await failureOf(explore(await prepared(), options))
  const run = Number(/run (\d+) of/.exec(whole.message)?.[1])
  const own = ((run - 1) % 8) + 1
  expect(await failureOf(explore(await prepared(), { ...options, shard: `${own}/8` }))).toEqual(whole)
  for (const shard of [1, 2, 3, 4, 5, 6, 7, 8].filter((each) => each !== own)) {
    const part = explore(await prepared(), { ...options, shard: `${shard}/8`, runs: run })
    await expect(part).resolves.toMatchObject({ runs: Math.floor((run - shard) / 8) + 1 })
  }
})

test('shards add up to the whole', { tags: 'gate' }, async () => {
  const options = { ...plain, adversary: ['drops', 'reorgs'] as const, runs: 30, seed: 5 }
  const whole = await explore(await createEmulator(), options)
  const parts: ExploreReport[] = []
  for (const shard of ['1/3', '2/3', '3/3'])
    parts.push(await explore(await createEmulator(), { ...options, shard }))
  const sum = (of: (report: ExploreReport) => number) => parts.reduce((total, part) => total + of(part), 0)
  expect(sum(({ runs }) => runs)).toBe(whole.runs)
  expect(sum(({ steps }) => steps)).toBe(whole.steps)
  expect(sum(({ events }) => events.drops ?? 0)).toBe(whole.events.drops)
})

test('the chain is left as it was', { tags: 'gate' }, async () => {
  const chain = await prepared()
  const before = await chain.dump()
  await explore(chain, { ...plain, adversary: ['drops', 'reorgs', 'lateAnswers', 'feeSpikes'], runs: 20 })
  expect(await chain.dump()).toEqual(before)
})

test('blocks of the set-up are not replaced', async () => {
  const chain = await createEmulator()
  await pay(chain)
  await chain.seal()
  const options = { ...plain, run: { pay: () => undefined }, adversary: ['reorgs'] as const, runs: 50 }
  expect((await explore(chain, options)).events.reorgs).toBeUndefined()
})

test('an action that throws is told as such, with the shortest story', async () => {
  const boom = new Error('boom')
  const options = {
    ...plain,
    run: {
      pay: () => {
        throw boom
      },
    },
  }
  const failed = await failureOf(explore(await createEmulator(), options))
  expect(failed).toMatchObject({ kind: 'actionThrew', cause: boom })
  expect(failed.message).toMatch(/^the action pay threw: boom\n\nAfter 1 step \(run \d+, seed 0\)/)
  expect(JSON.parse(failed.story ?? '').steps).toEqual([{ action: 'pay', values: {} }])
})

test('fc.pre says that an action cannot be taken', async () => {
  const options = { ...plain, run: { pay: () => fc.pre(false) }, runs: 20 }
  expect(await explore(await createEmulator(), options)).toMatchObject({ runs: 20 })
})

const readerOf = (chain: Emulator) => createPublicClient(emulatorConfig(chain)).extend(emulatorActions(chain))

test('an action that waits for its receipt goes on when the clock moves', { tags: 'gate' }, async () => {
  const options = {
    ...plain,
    world: (chain: Emulator) => ({
      chain,
      reader: readerOf(chain),
      sent: 0,
      received: 0,
    }),
    run: {
      async pay(app: {
        chain: Emulator
        reader: ReturnType<typeof readerOf>
        sent: number
        received: number
      }) {
        const [from = '0x', to = '0x'] = await app.chain.listAccounts()
        const hash = await app.chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }])
        app.sent++
        await app.reader.waitForTransactionReceipt({ hash, confirmations: 2 })
        app.received++
      },
    },
    eventually: {
      'all are received': (app: { sent: number; received: number }) => app.sent === app.received,
    },
    runs: 30,
  }
  expect((await explore(await createEmulator(), options)).steps).toBeGreaterThan(60)
  const dropped = explore(await createEmulator(), { ...options, adversary: ['drops'] })
  await expect(dropped).rejects.toMatchObject({ kind: 'invariantBroken' })
})

test('an action that waits for an event of the chain goes on when the clock moves', async () => {
  const count = { begun: 0, ended: 0 }
  const options = {
    ...plain,
    run: {
      async pay({ chain }: { chain: Emulator }) {
        count.begun++
        await new Promise<void>((resolve) => {
          const listener = () => {
            chain.removeListener('sealedBlock', listener)
            resolve()
          }
          chain.on('sealedBlock', listener)
        })
        count.ended++
      },
    },
    eventually: { 'all have ended': () => count.begun === count.ended },
    ...{ runs: 10, depth: 6, limitMs: 1000 },
  }
  expect((await explore(await createEmulator(), options)).runs).toBe(10)
  expect(count.begun).toBeGreaterThan(10)
})

test('a run that hangs is cut by the limit and told with its steps', async () => {
  const run = { pay: () => new Promise(() => {}) }
  const failed = await failureOf(explore(await createEmulator(), { ...plain, run, limitMs: 50 }))
  expect(failed.kind).toBe('storyHung')
  expect(failed.message).toMatch(
    /^the run hangs in pay: it has taken more than 50 ms\n\nAfter \d+ steps? \(run 1?\d, seed 0/,
  )
  expect(JSON.parse(failed.story ?? '').steps.at(-1)).toEqual({ action: 'pay', values: {} })
  const again = await failureOf(
    replay(await createEmulator(), { ...plain, run, limitMs: 50 }, failed.story ?? ''),
  )
  expect(again).toMatchObject({ kind: 'storyHung', story: failed.story })
  const script = [{ action: 'pay', values: {} }] as const
  const all = { run, invariants: {}, script, adversary: [], limitMs: 50 }
  expect(await failureOf(exploreAll(await createEmulator(), all))).toMatchObject({ kind: 'storyHung' })
})

test('an application that asks on and on is told', { tags: 'gate' }, async () => {
  const run = {
    async pay({ chain }: { chain: Emulator }) {
      for (;;) await chain.request('eth_blockNumber')
    },
  }
  const failed = await failureOf(explore(await createEmulator(), { ...plain, run }))
  expect(failed.message).toContain(
    'the run hangs in pay: it asks the chain on and on while the clock stands still',
  )
})

test('values that JSON lacks come back from the story', async () => {
  const values = {
    big: 2n ** 200n,
    none: undefined,
    bytes: new Uint8Array([1, 2]),
    not: Number.NaN,
    $odd: [-0, 'x'],
  }
  const seen: unknown[] = []
  const scene = {
    world: () => ({ isQuiet: true }),
    run: {
      act(app: { isQuiet: boolean }, given: unknown) {
        app.isQuiet = false
        seen.push(given)
      },
    },
    invariants: { quiet: ({ isQuiet }: { isQuiet: boolean }) => isQuiet },
  }
  const options = { ...scene, actions: { act: fc.constant(values) } }
  const { story = '' } = await failureOf(explore(await createEmulator(), options))
  seen.length = 0
  await failureOf(replay(await createEmulator(), scene, story))
  expect(seen[0]).toStrictEqual(values)
})

test('a story whose values JSON cannot hold is told, and says so', async () => {
  const options = {
    ...plain,
    actions: { pay: fc.record({ how: fc.constant(() => 1) }) },
    invariants: { never: ({ chain }: { chain: Emulator }) => chain.now % 100 === 0 },
  }
  const withStep = { ...options, run: { pay: ({ chain }: { chain: Emulator }) => chain.advance(1) } }
  const failed = await failureOf(explore(await createEmulator(), withStep))
  expect(failed.kind).toBe('invariantBroken')
  expect(failed.message).toContain('▸ pay')
  expect(failed.message).toContain('The story is not saved')
  expect(failed.message).toContain('values.how is a function, which JSON cannot hold')
  expect(failed).not.toHaveProperty('story')
})

test('an arbitrary that throws while it shrinks leaves the story that was found', async () => {
  const stubborn = fc.nat(1000).filter(() => true)
  vi.spyOn(stubborn, 'shrink').mockImplementation(() => {
    throw new Error('no way')
  })
  const options = {
    actions: { act: stubborn },
    run: { act: (app: { numbers: number[] }, value: number) => app.numbers.push(value) },
    world: () => ({ numbers: [] as number[] }),
    invariants: { small: ({ numbers }: { numbers: number[] }) => numbers.every((each) => each < 500) },
  }
  const failed = await failureOf(explore(await createEmulator(), options))
  expect(failed.kind).toBe('invariantBroken')
  expect(failed.message).toContain('not shrunk further, since an arbitrary threw Error: no way')
  expect(failed.story).toContain('"action":"act"')
})

test('an arbitrary that throws while it draws is named', async () => {
  const broken = fc.nat().map(() => {
    throw new Error('no value')
  })
  const options = { actions: { act: broken }, run: { act: () => undefined }, invariants: {} }
  await expect(explore(await createEmulator(), options)).rejects.toMatchObject({
    kind: 'callbackFailed',
    message: expect.stringContaining('no value'),
  })
})

test('a world that throws is told as such, also in a replay', async () => {
  const chain = await createEmulator()
  const world = (): never => {
    throw new Error('no database')
  }
  const plain = { world, run: {}, invariants: {} }
  const scene = { ...plain, actions: {}, runs: 2 }
  const expected = {
    kind: 'actionThrew',
    message: expect.stringContaining('the action world threw: no database'),
  }
  const failed = await failureOf(explore(chain, scene))
  expect(failed).toMatchObject(expected)
  const story = failed.story as string
  await expect(replay(chain, scene, story)).rejects.toMatchObject(expected)
  await expect(replay(chain, { ...scene, world: () => ({}) }, story)).resolves.toEqual({
    steps: 0,
    impossible: [],
  })
  await expect(
    exploreAll(chain, { ...plain, adversary: [], script: [{ wait: 'block' }] }),
  ).rejects.toMatchObject(expected)
})

test('a progress that throws ends the search, and is told', async () => {
  const chain = await createEmulator()
  const progress = (): void => {
    throw new Error('no terminal')
  }
  const plain = { run: {}, invariants: {}, progress }
  const scene = { ...plain, actions: {}, runs: 3 }
  const expected = { kind: 'callbackFailed', message: 'progress failed: Error: no terminal' }
  await expect(explore(chain, scene)).rejects.toMatchObject(expected)
  await expect(
    exploreAll(chain, { ...plain, adversary: [], script: [{ wait: 'block' }] }),
  ).rejects.toMatchObject(expected)
})

test.each([{ $bigint: 'x' }, { $bytes: 'x' }, { $object: 1 }, { $nothing: 1 }])(
  'a story with the value %j is refused',
  async (value) => {
    const chain = await createEmulator()
    const scene = {
      actions: { pay: fc.nat() },
      run: { pay: () => Promise.reject(new Error('thrown')) },
      invariants: {},
    }
    const failed = await failureOf(explore(chain, scene))
    const story = JSON.parse(failed.story as string)
    const changed = { ...story, steps: [{ action: 'pay', values: { value } }] }
    await expect(replay(chain, scene, changed)).rejects.toMatchObject({ kind: 'invalidStory' })
  },
)

test('save gets the story before the call rejects, and a failure of it does not hide the story', async () => {
  const chain = await createEmulator()
  const options = { ...plain, invariants: { never: () => false } }
  const saved: string[] = []
  const save = (story: string, name: string) => void saved.push(name, story)
  const failed = await failureOf(explore(chain, { ...options, save }))
  expect(saved).toEqual([expect.stringMatching(/^never-[0-9a-f]{8}$/), failed.story])
  const unsaved = await failureOf(
    explore(chain, {
      ...options,
      save() {
        throw new Error('disk full')
      },
    }),
  )
  expect(unsaved.message).toContain('save threw: disk full')
  expect(unsaved.story).toBe(failed.story)
})

test.each([
  ['no JSON', '{', 'it is no JSON'],
  [
    'another version',
    { format: 'tickchain story 2' },
    'its format is tickchain story 2, and for an application this version reads',
  ],
  ['no steps', { format: 'tickchain story 1' }, 'it has no steps'],
  ['another action', { format: 'tickchain story 1', steps: [{ action: 'fly' }] }, 'step 0 is the action fly'],
  [
    'no step',
    { format: 'tickchain story 1', steps: [{ adversary: 'magic' }] },
    'step 0 is neither an action',
  ],
  [
    'a step that is two',
    { format: 'tickchain story 1', steps: [{ action: 'pay', values: {}, wait: 'block' }] },
    'step 0 has the unknown field wait',
  ],
  [
    'an event with another field',
    { format: 'tickchain story 1', steps: [{ adversary: 'feeSpikes', event: { blocks: 1, depth: 2 } }] },
    'the event of step 0 has the unknown field depth',
  ],
  [
    'more of what broke',
    { format: 'tickchain story 1', broke: { kind: 'actionThrew', names: 'pay' }, steps: [] },
    'broke has the unknown field names',
  ],
  [
    'another set-up',
    { format: 'tickchain story 1', setUp: '0x', steps: [] },
    'it was recorded with other actions',
  ],
])('a story with %s is refused', async (_, story, reason) => {
  const replayed = replay(await createEmulator(), plain, story)
  await expect(replayed).rejects.toMatchObject({
    kind: 'invalidStory',
    message: expect.stringContaining(reason),
  })
})

test('a story of a chain with other blocks is refused', async () => {
  const options = { ...plain, invariants: { never: () => false } }
  const { story = '' } = await failureOf(explore(await createEmulator(), options))
  await expect(replay(await createEmulator({ blockTimeMs: 1000 }), plain, story)).rejects.toMatchObject({
    kind: 'invalidStory',
  })
})

test('steps that cannot happen any more are left out, and reported', async () => {
  const chain = await createEmulator()
  const { story = '' } = await failureOf(explore(chain, { ...plain, invariants: { never: () => false } }))
  const drop = { adversary: 'drops', event: { transaction: 0, fate: 'pooled', at: 'now' } }
  const steps = [{ action: 'pay', values: {} }, { wait: 'partial' }, drop]
  const saved = { ...JSON.parse(story), steps }
  expect(await replay(chain, { ...plain }, saved)).toEqual({ steps: 3, impossible: [] })
  const idle = { run: { pay: () => undefined }, invariants: {} }
  expect(await replay(chain, idle, saved)).toEqual({ steps: 2, impossible: [2] })
})

test.each([
  ['an unknown option', { depht: 3 }, 'depht'],
  ['no arbitrary', { actions: { pay: 1 } }, 'actions.pay'],
  ['an action without an arbitrary', { actions: {} }, 'actions.pay'],
  ['no such event', { adversary: ['earthquakes'] }, 'adversary'],
  ['L1 reorganisations without a layer 1', { adversary: ['l1Reorgs'] }, 'adversary'],
  ['no shard', { shard: '9/8' }, 'shard'],
  ['an invariant that is no function', { invariants: { a: true } }, 'invariants.a'],
])('%s is refused', async (_, wrong, option) => {
  const explored = explore(await createEmulator(), { ...plain, ...wrong } as never)
  await expect(explored).rejects.toMatchObject({
    kind: 'invalidOption',
    message: expect.stringContaining(option),
  })
})

test('anything but a chain is refused', async () => {
  await expect(explore({} as never, plain)).rejects.toMatchObject({ kind: 'invalidCall' })
})

test('a failure has the timeline of each step and the trace of the last', async () => {
  const options = {
    ...plain,
    invariants: {
      unpaid: async ({ chain }: { chain: Emulator }) => {
        const [from = '0x'] = await chain.listAccounts()
        expect(await chain.request('eth_getTransactionCount', [from, 'pending'])).toBe('0x0')
      },
    },
  }
  const { message } = await failureOf(explore(await createEmulator(), options))
  const lines = message.split('\n')
  expect(lines.filter((line) => line.startsWith('▸'))).toEqual(['▸ pay {}', '▸ the next partial block'])
  expect(message).toMatch(/▸ pay \{\}\n +\+0\.0 s {2}├ pool /)
  expect(message).toMatch(/▸ the next partial block\n +\+0\.2 s {2}├ partial 1 /)
  expect(message).toMatch(/The last step:\n {2}\[0\] account1::receive\{value: 1\}\(\)/)
})
