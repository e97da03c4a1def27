// Exploring in workers: what comes of it is what one process comes to, whatever the number of workers and machines; and
// a worker that loops, dies or cannot explore is told. Workers run the bundle: Node does not run TypeScript.

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import solc from 'solc'
import { createEmulator, type Emulator } from 'tickchain'
import {
  type ExploreAllReport,
  explore,
  exploreAll,
  exploreContracts,
  merge,
  type Progress,
  replay,
} from 'tickchain/explore'
import type { exploreModule as ExploreModule, WorkerOptions } from 'tickchain/explore-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyBundle } from '../../bundle.ts'
import { allInLong, testInLong } from '../../size.ts'
import { PLANTED, setUp } from './applications/planted.ts'
import { guessing } from './contracts/guessing.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

let folder = ''
let exploreModule: typeof ExploreModule

const MODULE = `
import * as fc from 'fast-check'
import { createEmulator } from './dist/index.js'
import { explore, exploreAll, exploreContracts } from './dist/explore.js'
import { PLANTED, setUp } from './planted.js'
import { guessing } from './guessing.js'

const chosen = Object.fromEntries(new URL(import.meta.url).searchParams)
const chain = await createEmulator()
await setUp(chain)
const [from, to] = await chain.listAccounts()
const plain = {
  actions: { pay: fc.record({}) },
  run: { pay: ({ chain }) => chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }]) },
  invariants: {},
}
const kinds = {
  planted(part) {
    const { options } = PLANTED.find(({ name }) => name === chosen.name)
    return explore(chain, { ...options(chosen.variant), seed: 2, runs: Number(chosen.runs), depth: 12, ...part })
  },
  scene: (part) => exploreAll(chain, { ...SCENE, ...part }),
  loop(part) {
    const pay = () => { while (true); }
    return explore(chain, { ...plain, run: { pay }, ...part })
  },
  loopLater(part) {
    // The first story that fails is long: while it is shrunk, one of its steps loops.
    let failed = 0
    const invariants = { short: ({ chain }) => {
      if (chain.now < 1704067206000) return true
      if (failed++ > 0) while (true);
      return false
    } }
    return explore(chain, { ...plain, invariants, ...part })
  },
  exit(part) {
    const pay = () => process.exit(3)
    return explore(chain, { ...plain, run: { pay }, ...part })
  },
  fill(part) {
    const kept = []
    const pay = () => { while (true) kept.push(new Array(100_000).fill(kept.length)) }
    return explore(chain, { ...plain, run: { pay }, ...part })
  },
  async contracts(part) {
    let asked = 0
    const loops = { loops: () => { if (chosen.loops === 'true' && ++asked > 3) while (true); } }
    return exploreContracts(chain, { ...await guessing(chain, chosen.variant), invariants: loops, until: chosen.until, ...part })
  },
  stray(part) {
    const boom = async () => { throw new Error('boom') }
    return explore(chain, { ...plain, run: { pay: () => void boom() }, ...part })
  },
  async afterwards(part) {
    await explore(chain, { ...plain, runs: 2, ...part })
    throw new Error('boom')
  },
  async strayAfterwards(part) {
    await explore(chain, { ...plain, runs: 2, ...part })
    void Promise.reject(new Error('boom'))
  },
  throws() { throw new Error('no chain today') },
  forgets: () => explore(chain, { ...plain, seconds: 1 }),
  misspelt: (part) => explore(chain, { ...plain, dpeth: 1, ...part }),
}
const SCENE = {
  script: [{ action: 'pay', values: {} }, { wait: 'partial' }, { wait: 'block' }],
  run: plain.run,
  invariants: {},
  adversary: ['drops', 'reorgs'],
  events: 2,
}
export default (part) => kinds[chosen.kind](part)
`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workers-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  await copyBundle(join(folder, 'dist'))
  await writeFile(join(folder, 'story.js'), MODULE)
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  for (const input of ['applications/planted', 'contracts/guessing']) {
    const options = { external: /^[^./]/, platform: 'neutral' } as const
    const built = await rolldown({ input: join(root, `test/tools/explore/${input}.ts`), ...options })
    await built.write({ file: join(folder, `${input.split('/')[1]}.js`) })
  }
  ;({ exploreModule } = await import(pathToFileURL(join(folder, 'dist/explore-node.js')).href))
})

afterAll(() => rm(folder, { recursive: true }))

function moduleOf(chosen: Record<string, string>): URL {
  const url = pathToFileURL(join(folder, 'story.js'))
  for (const [key, value] of Object.entries(chosen)) url.searchParams.set(key, value)
  return url
}

const quiet = { output: { write: () => undefined } }

interface WrittenArgs {
  readonly args: readonly string[]
}

interface Failed {
  readonly kind: string
  readonly message: string
  readonly story?: string
}

async function outcomeOf(run: () => unknown): Promise<{ readonly report: unknown } | Failed> {
  try {
    return { report: await run() }
  } catch (error) {
    const { kind, message, story } = error as Failed
    return { kind, message, ...(story === undefined ? {} : { story }) }
  }
}

const inWorkers = (chosen: Record<string, string>, options: WorkerOptions) =>
  outcomeOf(() => exploreModule(moduleOf(chosen), { ...quiet, ...options }))

async function prepared(): Promise<Emulator> {
  const chain = await createEmulator()
  await setUp(chain)
  return chain
}

const names = allInLong(['drops'], ['drops', 'lateAnswers']).map(
  (kind) => PLANTED.find(({ needs }) => needs === kind)!.name,
)

describe.each(names)('%s', (name) => {
  const { options } = PLANTED.find((each) => each.name === name)!
  const own = (variant: 'planted' | 'repaired', runs: number) =>
    outcomeOf(async () =>
      explore(await prepared(), { ...options(variant), seed: 2, runs, depth: 12, save: () => undefined }),
    )

  test('has the same story with 1, 2 and 8 workers as in one process', async () => {
    const whole = await own('planted', 1000)
    expect(whole).toHaveProperty('story')
    for (const workers of allInLong([2], [1, 2, 8])) {
      expect(
        await inWorkers({ kind: 'planted', name, variant: 'planted', runs: '1000' }, { workers }),
      ).toEqual(whole)
    }
  })

  test('has the same report, repaired, with 1, 2 and 8 workers, and on two machines', async () => {
    const whole = await own('repaired', 60)
    const chosen = { kind: 'planted', name, variant: 'repaired', runs: '60' }
    expect(whole).toMatchObject({ report: { runs: 60 } })
    for (const workers of allInLong([2], [1, 2, 8]))
      expect(await inWorkers(chosen, { workers })).toEqual(whole)
    const texts: string[] = []
    const report = (text: string): void => void texts.push(text)
    await inWorkers(chosen, { workers: 2, shard: '1/2', report })
    await inWorkers(chosen, { workers: 3, shard: '2/2', report })
    expect({ report: merge(texts) }).toEqual(whole)
  })
})

test('workers begin with one corpus, and what they find is one', async () => {
  const corpus = new Map<string, string>()
  const chosen = { kind: 'contracts', variant: 'repaired' }
  const guesses = () =>
    [...corpus.values()].map((text) => JSON.parse(text).calls.map(({ args }: WrittenArgs) => Number(args[0])))
  expect(await inWorkers(chosen, { workers: 2, corpus })).toMatchObject({ report: { warnings: [] } })
  // Three branches are taken by one number each, and the last is passed by any other.
  expect(corpus.size).toBeLessThanOrEqual(4)
  for (const each of [0xbeef, 0xcafe, 0xf00d]) expect(guesses().flat()).toContain(each)
  const before = new Map(corpus)
  await inWorkers(chosen, { workers: 2, corpus })
  expect(corpus).toEqual(before)
  const planted = await inWorkers({ ...chosen, variant: 'planted' }, { workers: 2, corpus })
  expect(planted).toMatchObject({
    kind: 'assertionFailed',
    message: expect.stringContaining('(of the corpus)'),
  })
})

test('a scene in full has the same states with any number of workers', async () => {
  const chain = await prepared()
  const [from = '0x', to = '0x'] = await chain.listAccounts()
  const whole = await exploreAll(chain, {
    script: [{ action: 'pay', values: {} }, { wait: 'partial' }, { wait: 'block' }],
    run: {
      pay: ({ chain }: { chain: Emulator }) =>
        chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }]),
    },
    invariants: {},
    adversary: ['drops', 'reorgs'],
    events: 2,
  })
  for (const workers of allInLong([2], [1, 2, 8])) {
    const report = await exploreModule<ExploreAllReport>(moduleOf({ kind: 'scene' }), { ...quiet, workers })
    expect(report).toEqual(whole)
  }
})

describe('searches in contracts', () => {
  const own = (variant: 'planted' | 'repaired', until: 'first' | 'end') =>
    outcomeOf(async () => {
      const chain = await prepared()
      const invariants = { loops: () => undefined }
      return exploreContracts(chain, { ...(await guessing(chain, variant)), invariants, until })
    })

  const FAILURES = ['the same failures', 'planted', 'end', 'assertionFailed'] as const
  const FAILURE = ['the same failure', 'planted', 'first', 'assertionFailed'] as const
  const BRANCHES = ['the same branches', 'repaired', 'first', undefined] as const

  test.each(allInLong([FAILURES], [FAILURES, FAILURE, BRANCHES]))(
    'have %s with 1, 2 and 8 workers, and on two machines',
    async (_, variant, until, kind) => {
      const whole = await own(variant, until)
      expect((whole as Partial<Failed>).kind).toBe(kind)
      const chosen = { kind: 'contracts', variant, until }
      for (const workers of allInLong([2], [1, 2, 8]))
        expect(await inWorkers(chosen, { workers })).toEqual(whole)
      const texts: string[] = []
      const report = (text: string): void => void texts.push(text)
      await inWorkers(chosen, { workers: 2, shard: '1/2', report })
      await inWorkers(chosen, { workers: 3, shard: '2/2', report })
      expect(await outcomeOf(() => merge(texts))).toEqual(whole)
    },
  )

  testInLong('whose invariant loops without waiting are ended, and the calls up to it are told', async () => {
    const chosen = { kind: 'contracts', variant: 'repaired', until: 'end', loops: 'true' }
    const failed = (await inWorkers(chosen, { workers: 2, silenceMs: 5000 })) as Failed
    expect(failed.message).toMatch(
      /^the run hangs in the invariants after it\.guess: nothing has happened for 5000 ms, and its worker was ended\n\nAfter \d calls? \(search \d\):\n\n(▸ it\.guess\(\d+\) by 0x\w{40}.*\n)+\nThe story: /,
    )
    const chain = await prepared()
    const { contracts } = await guessing(chain, 'repaired')
    const { steps } = await replay(chain, { contracts }, failed.story ?? '')
    expect(steps).toBe(JSON.parse(failed.story ?? '').calls.length)
  })
})

describe('a worker is ended', () => {
  test('that loops without waiting, and the story is told and saved', async () => {
    const saved: string[] = []
    const save = (story: string, name: string): string => {
      saved.push(story)
      return `${name}.json`
    }
    const failed = (await inWorkers({ kind: 'loop' }, { workers: 2, silenceMs: 5000, save })) as Failed
    expect(failed.kind).toBe('storyHung')
    expect(failed.message).toMatch(
      /^the run hangs in pay: nothing has happened for 5000 ms, and its worker was ended\n\nAfter \d+ steps? \(run \d+\):\n\n(▸ .*\n)*▸ pay \{\}\n\nThe story: .*\nSaved as pay-storyHung-\w+\.json$/,
    )
    expect(saved).toEqual([failed.story])
    const { steps } = JSON.parse(failed.story ?? '')
    expect(steps.at(-1)).toEqual({ action: 'pay', values: {} })
    // It is a story like others: replayed where pay returns, all of its steps are performed.
    const scene = { run: { pay: () => undefined }, invariants: {} }
    expect(await replay(await prepared(), scene, failed.story ?? '')).toMatchObject({ steps: steps.length })
  })

  testInLong('that loops while it shrinks, and what it had found is told', async () => {
    const failed = (await inWorkers({ kind: 'loopLater' }, { workers: 2, silenceMs: 5000 })) as Failed
    expect(failed.kind).toBe('invariantBroken')
    expect(failed.message).toMatch(
      /^the invariant short is broken: it is false\n\nAfter \d+ steps? \(run \d+, seed 0\)/,
    )
    expect(JSON.parse(failed.story ?? '').broke).toEqual({ kind: 'invariantBroken', name: 'short' })
  })

  test.each([
    ['that ends its process', 'exit'],
    ['that has no memory left', 'fill'],
  ])('%s', async (_, kind) => {
    const failed = (await inWorkers({ kind }, { workers: 2, memoryMb: 64 })) as Failed
    expect(failed.message).toMatch(/^the run hangs in pay: its worker has ended: /)
    expect(JSON.parse(failed.story ?? '').steps.at(-1)).toEqual({ action: 'pay', values: {} })
  })
})

describe('what nothing awaits in a worker', () => {
  test('fails the run, with its story', async () => {
    const failed = (await inWorkers({ kind: 'stray' }, { workers: 2 })) as Failed
    expect(failed.message).toMatch(
      /^the action pay threw: nothing awaits this error: Error: boom\n +at boom \(/,
    )
    expect(JSON.parse(failed.story ?? '').steps).toEqual([{ action: 'pay', values: {} }])
  })

  test.each([
    ['what is thrown after the runs', 'afterwards'],
    ['a rejection after the runs', 'strayAfterwards'],
  ])('%s is a failure, too', async (_, kind) => {
    const failed = (await inWorkers({ kind }, { workers: 1 })) as Failed
    expect(failed.message).toContain('boom')
  })
})

describe('refused is a module', () => {
  test.each([
    ['that throws', 'throws', 'no chain today'],
    ['that does not take its part', 'forgets', 'it does not explore with the part that it is given'],
    ['with a wrong option', 'misspelt', 'dpeth'],
  ])('%s', async (_, kind, reason) => {
    const failed = (await inWorkers({ kind }, { workers: 2 })) as Failed
    expect(failed.kind).toBe('callbackFailed')
    expect(failed.message).toContain(reason)
  })

  test('that is not there', async () => {
    const missing = outcomeOf(() => exploreModule(join(folder, 'none.js'), { ...quiet, workers: 1 }))
    expect(await missing).toMatchObject({
      kind: 'callbackFailed',
      message: expect.stringContaining('none.js'),
    })
  })
})

test('a progress that throws is told in the end', async () => {
  const chosen = { kind: 'planted', name: names[0]!, variant: 'repaired', runs: '20' }
  const progress = (): void => {
    throw new Error('no terminal')
  }
  await expect(exploreModule(moduleOf(chosen), { ...quiet, workers: 2, progress })).rejects.toMatchObject({
    kind: 'callbackFailed',
    message: 'progress failed: Error: no terminal',
  })
})

test('wrong arguments are refused', async () => {
  const refused = async (kind: string, module: unknown, options: object) =>
    expect(exploreModule(module as string, options)).rejects.toMatchObject({ kind })
  await refused('invalidCall', undefined, {})
  await refused('invalidOption', 'none.js', { save: 'folder' })
  await refused('invalidOption', 'none.js', { execArgv: '--import' })
})

test('progress is told, and shown on a terminal', async () => {
  const told: Progress[] = []
  const shown: string[] = []
  const chosen = { kind: 'planted', name: names[0]!, variant: 'repaired', runs: '200' }
  const output = { isTTY: true, write: (text: string) => shown.push(text) }
  await exploreModule(moduleOf(chosen), { workers: 2, output, progress: (progress) => told.push(progress) })
  const last = told.at(-1)
  expect(last?.of).toBe(200)
  expect(last?.runs).toBeGreaterThan(20)
  expect(shown.at(-1)).toBe('\n')
  expect(shown.at(-2)?.slice(0, 4)).toBe('\r\u001b[K')
  expect(shown.at(-2)?.slice(4)).toMatch(/^\d+ of 200 runs · \d+ of 16 orders of two steps · \d+ s left$/)
})

describe('Solidity tests', () => {
  const source = (name: string, body: string) => `// SPDX-License-Identifier: MIT
    pragma solidity ^0.8.20;
    contract ${name} { ${body} }`
  const SOURCES = {
    'A.t.sol': source(
      'ATest',
      'function testFuzz_small(uint256 x) public pure { require(x < 9, "not small"); }',
    ),
    'B.t.sol': source(
      'BTest',
      'function test_fails() public pure { revert("b"); } function test_b() public {}',
    ),
    'C.t.sol': source('CTest', 'function test_c() public {}'),
  }

  test('have the same results, in the same order, in workers', async () => {
    const project = join(folder, 'project')
    await mkdir(join(project, 'test'), { recursive: true })
    for (const [name, text] of Object.entries(SOURCES)) await writeFile(join(project, 'test', name), text)
    const { runSolidityTests } = (await import(
      pathToFileURL(join(folder, 'dist/solidity-tests.js')).href
    )) as typeof import('tickchain/solidity-tests')
    const told: string[] = []
    const options = { solc, seed: 1, fuzzRuns: 20 }
    const alone = await runSolidityTests(project, { ...options, cache: false })
    expect(alone.map(({ test: name, status }) => [name, status])).toEqual([
      ['testFuzz_small(uint256)', 'failed'],
      ['test_b()', 'passed'],
      ['test_fails()', 'failed'],
      ['test_c()', 'passed'],
    ])
    expect(alone[2]?.trace).toContain('BTest::test_fails()')
    const onResult = ({ test: name }: { test: string }) => told.push(name)
    expect(await runSolidityTests(project, { ...options, workers: 2, onResult })).toEqual(alone)
    expect(told).toEqual(alone.map(({ test: name }) => name))
    const refused = runSolidityTests(project, { ...options, workers: 2, chain: { chainId: -1 } })
    await expect(refused).rejects.toMatchObject({ kind: 'invalidOption' })
  })
})
