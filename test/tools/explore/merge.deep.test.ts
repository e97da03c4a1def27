// Parts of an exploration, merged: the same report and the same failure as one process comes to.

import { createEmulator, type Emulator } from 'tickchain'
import {
  type AdversaryKind,
  type ExploreAllReport,
  type ExploreReport,
  explore,
  exploreAll,
  merge,
  type PartOptions,
} from 'tickchain/explore'
import { describe, expect, test } from 'vitest'
import { PLANTED, setUp } from './applications/planted.ts'

type Outcome = { readonly report: unknown } | { readonly message: string; readonly story: unknown }

async function outcomeOf(run: () => unknown): Promise<Outcome> {
  try {
    return { report: await run() }
  } catch (error) {
    const { message, story } = error as { message: string; story?: string }
    return { message, story }
  }
}

async function prepared(): Promise<Emulator> {
  const chain = await createEmulator()
  await setUp(chain)
  return chain
}

/** What one process comes to, and what parts do. */
async function compare<Report>(of: number, run: (chain: Emulator, part: PartOptions) => Promise<Report>) {
  const whole = await outcomeOf(async () => run(await prepared(), {}))
  const texts: string[] = []
  for (let index = of; index > 0; index--) {
    const part = { shard: `${index}/${of}`, report: (text: string) => texts.push(text) }
    await outcomeOf(async () => run(await prepared(), part))
  }
  return { whole, merged: await outcomeOf(() => merge<Report>(texts)), texts }
}

const [drops] = PLANTED.filter(({ needs }) => needs === 'drops')

describe('random stories', () => {
  const options = { ...drops!.options('repaired'), seed: 3, runs: 41, depth: 12 }

  test.each([1, 2, 3, 8])('of %i parts have one report', async (of) => {
    const { whole, merged } = await compare<ExploreReport>(of, (chain, part) =>
      explore(chain, { ...options, ...part }),
    )
    expect(whole).toMatchObject({ report: { runs: 41, orders: { of: 16 } } })
    expect(merged).toEqual(whole)
  })

  test.each([2, 8])('of %i parts have one failure', async (of) => {
    const planted = { ...options, ...drops!.options('planted') }
    const { whole, merged } = await compare(of, (chain, part) => explore(chain, { ...planted, ...part }))
    expect(whole).toHaveProperty('story')
    expect(merged).toEqual(whole)
  })
})

describe('a scene in full', () => {
  const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
  const to = `0x${'5a'.repeat(20)}` as const
  const pay = { action: 'pay', values: undefined } as const
  const scene = (chain: Emulator, most: bigint, adversary: readonly AdversaryKind[], part: PartOptions) =>
    exploreAll(chain, {
      script: [pay, { wait: 'partial' }, { wait: 'block' }],
      run: {
        pay: ({ chain }: { chain: Emulator }) =>
          chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }]),
      },
      invariants: {
        most: async ({ chain }) => BigInt(await chain.request('eth_getBalance', [to, 'pending'])) <= most,
      },
      adversary,
      events: adversary.includes('lateAnswers') ? 1 : 2,
      ...part,
    })

  test.each([
    ['drops and reorgs', 3, ['drops', 'reorgs']],
    ['late answers', 2, ['lateAnswers']],
  ] as const)('with %s has one report, of %i parts', async (_, of, adversary) => {
    const run = (chain: Emulator, part: PartOptions) => scene(chain, 1n, adversary, part)
    const { whole, merged } = await compare<ExploreAllReport>(of, run)
    expect(whole).toMatchObject({ report: { states: expect.any(Number) } })
    expect(merged).toEqual(whole)
  })

  test('has one failure', async () => {
    const { whole, merged } = await compare(3, (chain, part) => scene(chain, 0n, ['drops', 'reorgs'], part))
    expect(whole).toHaveProperty('story')
    expect(merged).toEqual(whole)
  })
})

describe('parts that do not fit', () => {
  const options = { actions: {}, run: {}, invariants: {}, runs: 4, depth: 2 }
  const part = async (shard: string, more = {}): Promise<string> => {
    let told = ''
    const report = (text: string): void => {
      told = text
    }
    await explore(await createEmulator(), { ...options, ...more, shard, report })
    return told
  }

  test.each([
    ['are missing', async () => [await part('1/2'), await part('2/4')], 'of the whole, 4/4 is missing'],
    [
      'are there twice',
      async () => [await part('1/2'), await part('3/4')],
      'run 3 is in two of the parts 1/2, 3/4',
    ],
    ['have another seed', async () => [await part('1/2'), await part('2/2', { seed: 1 })], 'other options'],
    ['are no JSON', async () => ['{'], 'it is no JSON'],
    [
      'are of another version',
      async () => ['{"format":"tickchain part 0"}'],
      'this version reads tickchain part 2',
    ],
    ['are none', async () => [], 'there is none'],
    ['are one text', async () => (await part('1/1')) as never, 'expected the texts of all parts as an array'],
    [
      'have no shards',
      async () => [(await part('1/1')).replace('"1/1"', '"x"')],
      '"x" is no shard, such as 2/8',
    ],
    [
      'have lost their counts',
      async () => [JSON.stringify({ ...JSON.parse(await part('1/1')), counts: undefined })],
      'it is not what explore has reported',
    ],
    [
      'have counts of another way',
      async () => [JSON.stringify({ ...JSON.parse(await part('1/1')), way: 'calls' })],
      'it is not what explore has reported',
    ],
    [
      'have no known failure',
      async () => [JSON.stringify({ ...JSON.parse(await part('1/1')), failures: [{ at: [0] }] })],
      'it is not what explore has reported',
    ],
  ])('since they %s are refused', async (_, texts, reason) => {
    const given = await texts()
    expect(() => merge(given)).toThrowError(
      expect.objectContaining({ kind: 'invalidPart', message: expect.stringContaining(reason) }),
    )
  })

  test('of other sizes make up a whole', async () => {
    expect(merge([await part('1/2'), await part('2/4'), await part('4/4')])).toMatchObject({ runs: 4 })
  })
})

test('a report that throws does not hide the failure', async () => {
  const options = { ...drops!.options('planted'), runs: 1000 }
  const report = (): void => {
    throw new Error('disk full')
  }
  await expect(explore(await prepared(), { ...options, report })).rejects.toMatchObject({
    kind: 'invariantBroken',
    message: expect.stringContaining('report threw: Error: disk full'),
  })
})
