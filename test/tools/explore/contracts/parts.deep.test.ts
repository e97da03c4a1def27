// Searches in contracts of one process and of shards: the same report, the same failures. And searches that hang.

import { createEmulator } from 'tickchain'
import {
  type ExploreContractsOptions,
  type ExploreContractsReport,
  exploreContracts,
  merge,
  type Progress,
  replay,
} from 'tickchain/explore'
import { describe, expect, test } from 'vitest'
import { guessing } from './guessing.ts'

interface Failed {
  readonly kind: string
  readonly message: string
  readonly story: string
  readonly stories?: readonly string[]
}

type Outcome = { readonly report: ExploreContractsReport } | Failed

async function outcomeOf(
  run: () => Promise<ExploreContractsReport> | ExploreContractsReport,
): Promise<Outcome> {
  try {
    return { report: await run() }
  } catch (error) {
    const { kind, message, story, stories } = error as Failed
    return { kind, message, story, ...(stories && { stories }) }
  }
}

async function explored(variant: 'planted' | 'repaired', options: Partial<ExploreContractsOptions>) {
  const chain = await createEmulator()
  return exploreContracts(chain, { ...(await guessing(chain, variant)), ...options })
}

describe.each([1, 3, 8])('%i shards', (of) => {
  test.each([
    ['the report', 'repaired', {}],
    ['the failure', 'planted', {}],
    ['the failures', 'planted', { until: 'end' }],
    ['the report without calls', 'repaired', { searches: 1, runs: 1 }],
  ] as const)('have %s of one process', async (_, variant, options) => {
    const whole = await outcomeOf(() => explored(variant, options))
    const texts: string[] = []
    const report = (text: string): void => void texts.push(text)
    for (let index = of; index > 0; index--)
      await outcomeOf(() => explored(variant, { ...options, shard: `${index}/${of}`, report }))
    expect(await outcomeOf(() => merge<ExploreContractsReport>(texts))).toEqual(whole)
  })
})

test('all three guesses are told, each once', async () => {
  const failed = (await outcomeOf(() => explored('planted', { until: 'end' }))) as Failed
  const guesses = (failed.stories ?? []).map((story) => Number(JSON.parse(story).calls.at(-1).args[0]))
  expect(guesses.sort((a, b) => a - b)).toEqual([0xbeef, 0xcafe, 0xf00d])
})

test('branches that several searches have reached count once, and runs add up', async () => {
  // The entry, and six sides of three branches.
  const told: Progress[] = []
  const progress = (each: Progress): void => void told.push(each)
  expect(await explored('repaired', { progress })).toMatchObject({ runs: 160, edges: 7, broken: 0 })
  expect(told.at(-1)).toMatchObject({ runs: 160, of: 160, coverage: { reached: 7, what: 'branches' } })
  expect(await explored('repaired', { shard: '2/2' })).toMatchObject({ runs: 80, edges: 7 })
})

describe('a search that hangs is cut and told', () => {
  const never = (): Promise<never> => new Promise(() => {})
  const hanging = (after: number) => {
    let asked = 0
    return { forever: () => (++asked > after ? never() : undefined) }
  }

  test('with the calls so far, which are saved, and replayed', async () => {
    const saved: string[] = []
    const save = (story: string, name: string): string => `${saved.push(story)} ${name}`
    const options = { invariants: hanging(4), limitMs: 200, save }
    const failed = (await outcomeOf(() => explored('repaired', options))) as Failed
    expect(failed.kind).toBe('storyHung')
    expect(failed.message).toMatch(
      /^the run hangs in forever: it has taken more than 200 ms\n\nAfter \d+ calls? \(run \d of 160, seed 5\):\n\n(▸ it\.guess\(.*\n)+\nThe story: .*\nSaved as 1 forever-/,
    )
    expect(saved).toEqual([failed.story])
    const chain = await createEmulator()
    const scene = { contracts: (await guessing(chain, 'repaired')).contracts }
    const { steps } = await replay(chain, scene, failed.story)
    expect(steps).toBe(JSON.parse(failed.story).calls.length)
    const again = replay(chain, { ...scene, invariants: hanging(0), limitMs: 200 }, failed.story)
    await expect(again).rejects.toMatchObject({ kind: 'storyHung' })
  })

  test('before the first call', async () => {
    const failed = await outcomeOf(() => explored('repaired', { invariants: hanging(0), limitMs: 200 }))
    expect(failed).toMatchObject({ kind: 'storyHung', message: expect.stringContaining('After 0 calls') })
  })

  test('after what it had found', async () => {
    const options = { invariants: hanging(300), limitMs: 200, until: 'end' } as const
    const failed = (await outcomeOf(() => explored('planted', options))) as Failed
    expect(failed.kind).toBe('assertionFailed')
    expect(failed.message).toContain('the run hangs in forever')
  })

  test('while a failure is made simpler, which is told as it was found', async () => {
    let asked = 0
    const breaks = (): Promise<never> | boolean => (++asked > 4 ? never() : asked < 4)
    const failed = (await outcomeOf(() =>
      explored('repaired', { invariants: { breaks }, limitMs: 200 }),
    )) as Failed
    expect(failed.kind).toBe('invariantBroken')
    expect(failed.message).toMatch(/\n\nAfter \d calls? .*:\n\n(▸ it\.guess\(.*\n)+\nThe story: /)
  })

  test('unless calls go on: a limit is no limit of all', async () => {
    const slow = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))
    const report = await explored('repaired', { invariants: { slow }, runs: 4, searches: 1, limitMs: 100 })
    expect(report.calls).toBeGreaterThan(10)
  })
})

test('an invariant that goes on when it is over reads nothing', async () => {
  const reads: Promise<unknown>[] = []
  const invariants: ExploreContractsOptions['invariants'] = {
    hasty({ read }) {
      const reading = new Promise(setImmediate).then(() => read('it', 'guess', 1n))
      // Otherwise the refusal that nothing awaits is the invariant's failure.
      reading.catch(() => {})
      reads.push(reading)
    },
  }
  await explored('repaired', { invariants, runs: 2, searches: 1 })
  const [first] = await Promise.allSettled(reads)
  expect(first).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('is over') } })
})

test.each([
  ['shard', '3/2'],
  ['searches', 0],
  ['searches', 161],
  ['limitMs', 0],
  ['report', 'file.json'],
])('%s: %j is refused', async (name, value) => {
  await expect(explored('repaired', { [name]: value })).rejects.toMatchObject({
    kind: 'invalidOption',
    message: expect.stringContaining(name),
  })
})
