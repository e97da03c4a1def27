// A corpus: what a run has found is where the next one begins, whatever keeps it in between.

import * as fc from 'fast-check'
import { createEmulator, type Emulator } from 'tickchain'
import { explore, exploreContracts } from 'tickchain/explore'
import { encodeAbiParameters, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { prune } from '../../../src/tools/explore/kept.ts'
import { compile } from '../solidity/compile.ts'
import { guessing } from './contracts/guessing.ts'

const GUESSES = ['48879', '51966', '61453']

interface Told {
  readonly kind: string
  readonly message: string
  readonly story: string
}

async function guess(variant: 'planted' | 'repaired', corpus: Map<string, string>, options: object = {}) {
  const chain = await createEmulator()
  return exploreContracts(chain, {
    ...(await guessing(chain, variant)),
    runs: 32,
    searches: 2,
    corpus,
    ...options,
  })
}

function failureOf(exploring: Promise<unknown>): Promise<Told> {
  return exploring.then(
    () => expect.unreachable(),
    (error) => error,
  )
}

/** The guesses of a sequence, each of any others as one kind. */
function guessesIn(text: string): string[] {
  const calls = JSON.parse(text).calls as { readonly args: readonly string[] }[]
  return [...new Set(calls.map(({ args: [value = ''] }) => (GUESSES.includes(value) ? value : 'other')))]
}

describe('of contracts', () => {
  test('has sequences for all branches, each of which gives one that no other gives', async () => {
    const corpus = new Map<string, string>()
    await guess('repaired', corpus)
    const all = [...corpus.values()].map(guessesIn)
    // Each JUMPI of three is taken by one guess, and the last is passed by any other.
    expect([...new Set(all.flat())].sort()).toEqual([...GUESSES, 'other'])
    for (const own of all) {
      const others = all.filter((each) => each !== own).flat()
      expect(own.some((each) => !others.includes(each))).toBe(true)
    }
    for (const name of corpus.keys()) expect(name).toMatch(/^kept-[0-9a-f]{16}$/)
  })

  test('is where the next run begins, which is the same for the same seed', async () => {
    const corpus = new Map<string, string>()
    await guess('repaired', corpus)
    const runs = []
    for (let time = 0; time < 2; time++) {
      const copy = new Map(corpus)
      runs.push({ report: await guess('repaired', copy, { runs: 1, searches: 1, seed: 9 }), copy })
    }
    // Entry, two outcomes of three branches.
    expect(runs[0]?.report).toMatchObject({ runs: 1, edges: 7, warnings: [] })
    expect(runs[1]).toEqual(runs[0])
  })

  test('leads on: what follows from a sequence that no search finds is found', { tags: 'gate' }, async () => {
    const secret = 987654321987654321n
    const digest = keccak256(encodeAbiParameters([{ type: 'uint256' }], [secret]))
    const source = `pragma solidity ^0.8.20; contract Safe {
      bool isOpen;
      function open(uint256 key) external { if (keccak256(abi.encode(key)) == bytes32(${digest})) isOpen = true; }
      function take() external view { assert(!isOpen); }
    }`
    const { output } = compile({ 'it.sol': source })
    const { abi, evm } = output.contracts['it.sol']?.['Safe'] ?? {}
    const chain = await createEmulator()
    const address = `0x${'c1'.repeat(20)}` as const
    await chain.setCode(address, `0x${evm.deployedBytecode.object}`)
    const [from] = await chain.listAccounts()
    const options = { contracts: { safe: { address, abi, functions: ['open', 'take'] } }, runs: 4 }
    expect(await exploreContracts(chain, options)).toMatchObject({ broken: 0 })

    const open = { contract: 'safe', call: 'open(uint256)', args: [`${secret}`], from }
    const corpus = new Map([['mine', JSON.stringify({ format: 'tickchain calls 1', calls: [open] })]])
    const { story } = await failureOf(exploreContracts(chain, { ...options, corpus }))
    expect(JSON.parse(story).calls).toMatchObject([open, { call: 'take()' }])
    expect(corpus.has('mine')).toBe(false)
  })

  test('has failures, which are told at once, and stay when they are repaired', async () => {
    const corpus = new Map<string, string>()
    const first = await failureOf(guess('planted', corpus))
    const again = await failureOf(guess('planted', corpus, { seed: 77, runs: 1, searches: 1 }))
    expect(again.message).toContain('After 1 call (of the corpus):')
    expect(again.story).toBe(first.story)
    await guess('repaired', corpus, { runs: 1, searches: 1 })
    const failures = [...corpus].filter(([, text]) => JSON.parse(text).broke !== undefined)
    expect(failures).toEqual([[expect.stringMatching(/^assertion-in-it.guess-[0-9a-f]{8}$/), first.story]])
  })

  test('of several machines is one when it is copied together', async () => {
    const [one, other] = [new Map<string, string>(), new Map<string, string>()]
    await guess('repaired', one)
    await guess('repaired', other, { seed: 8 })
    const both = new Map([...one, ...other])
    await guess('repaired', both, { runs: 1, searches: 1 })
    // Four kinds of guesses: more than four sequences would not all give something of their own.
    expect(both.size).toBeLessThanOrEqual(4)
    expect([...new Set([...both.values()].flatMap(guessesIn))].sort()).toEqual([...GUESSES, 'other'])
  })

  test('leaves alone what does not fit, and says so', async () => {
    const call = { contract: 'gone', call: 'guess(uint256)', args: ['1'], from: `0x${'00'.repeat(20)}` }
    const text = JSON.stringify({ format: 'tickchain calls 1', calls: [call] })
    const corpus = new Map([
      ['old', text],
      ['torn', '{'],
    ])
    const { warnings } = await guess('repaired', corpus, { runs: 1, searches: 1 })
    expect(warnings).toEqual([
      expect.stringContaining('torn of the corpus is not used'),
      expect.stringContaining('old of the corpus is not used: invalid story: call 0 is gone.guess(uint256)'),
    ])
    expect(corpus.get('old')).toBe(text)
    expect(corpus.get('torn')).toBe('{')
  })

  test('is refused if it is none', async () => {
    await expect(guess('repaired', 'folder' as never)).rejects.toMatchObject({
      kind: 'invalidOption',
      message: expect.stringContaining('corpus'),
    })
    const broken = { load: () => Promise.reject(new Error('no disk')), save: () => undefined }
    await expect(guess('repaired', broken as never)).rejects.toThrow('corpus.load failed: Error: no disk')
  })
})

test('long sequences are given up first, and failures never', () => {
  const each = (name: string, length: number, reached: number[], isFailure = false) => {
    return { name, text: name, length, reached, isFailure }
  }
  const kept = prune([
    each('ab', 2, [1, 2]),
    each('a', 1, [1]),
    each('b', 1, [2]),
    each('abc', 3, [1, 2, 3]),
    each('bug', 9, [1], true),
  ])
  // abc alone has 3; with it, nothing else is needed.
  expect(kept.map(({ name }) => name)).toEqual(['bug', 'abc'])
})

test('of an application has its stories, which are performed before the first run', async () => {
  const to = `0x${'5a'.repeat(20)}` as const
  const options = (most: bigint) => ({
    actions: { pay: fc.constant(null) },
    run: {
      async pay({ chain }: { chain: Emulator }) {
        const [from = '0x'] = await chain.listAccounts()
        await chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }])
      },
    },
    invariants: {
      once: async ({ chain }: { chain: Emulator }) =>
        BigInt(await chain.request('eth_getBalance', [to, 'pending'])) <= most,
    },
    depth: 8,
  })
  const corpus = new Map<string, string>()
  const chain = await createEmulator()
  const first = await failureOf(explore(chain, { ...options(1n), runs: 100, corpus }))
  const again = await failureOf(explore(chain, { ...options(1n), runs: 1, seed: 5, corpus }))
  expect(again.message).toContain('(of the corpus)')
  expect(again.story).toBe(first.story)

  expect((await explore(chain, { ...options(100n), runs: 40, corpus })).orders).toEqual({ tried: 9, of: 9 })
  const report = await explore(chain, { ...options(100n), runs: 1, seed: 5, corpus })
  // pay, partial and block after each of them.
  expect(report).toMatchObject({ runs: 1, orders: { tried: 9, of: 9 }, warnings: [] })
  expect([...corpus.keys()].filter((name) => !name.startsWith('kept-'))).toHaveLength(1)
})
