// Exploring a layer 1 and its layer 2: applications that take blocks of the layer 1 for final.

import * as fc from 'fast-check'
import { explore, exploreAll, replay } from 'tickchain/explore'
import { createRollup, type Rollup } from 'tickchain/rollup'
import { describe, expect, test } from 'vitest'
import type { Hash } from '../../../../src/core/primitives/hex.ts'

const bank = `0x${'ba'.repeat(20)}` as const

type Variant = 'planted' | 'repaired'

async function deposit(rollup: Rollup, who: number): Promise<Hash> {
  const from = (await rollup.l1.listAccounts())[who]
  return rollup.l1.request('eth_sendTransaction', [{ ...(from && { from }), to: bank, value: '0x1' }])
}

/** A bridge that counts what arrives in blocks of the layer 1, and forgets what they replace if it is repaired. */
const bridge = (variant: Variant) => ({
  world(rollup: Rollup) {
    const seen = new Set<Hash>()
    rollup.l1.on('sealedBlock', ({ transactionHashes }) => {
      for (const hash of transactionHashes) seen.add(hash)
    })
    rollup.l1.on('unincludedTransaction', ({ transactionHash }) => {
      if (variant === 'repaired') seen.delete(transactionHash)
    })
    return { rollup, sent: [] as Hash[], seen }
  },
  run: {
    async deposit({ rollup, sent }: { rollup: Rollup; sent: Hash[] }, { who }: { who: number }) {
      sent.push(await deposit(rollup, who))
    },
  },
  invariants: {
    async credited({ rollup, sent, seen }: { rollup: Rollup; sent: Hash[]; seen: Set<Hash> }) {
      const credit = sent.filter((hash) => seen.has(hash)).length
      expect(BigInt(credit)).toBe(BigInt(await rollup.l1.request('eth_getBalance', [bank, 'latest'])))
    },
  },
})

/** A prover that keeps the hash of a block of the layer 1 by its number, for good unless it is repaired. */
const prover = (variant: Variant) => ({
  world(rollup: Rollup) {
    const hashes = new Map<number, Hash>()
    rollup.l1.on('sealedBlock', ({ number, hash }) => {
      if (variant === 'repaired' || !hashes.has(number)) hashes.set(number, hash)
    })
    return { rollup, hashes }
  },
  run: {
    deposit: ({ rollup }: { rollup: Rollup }, { who }: { who: number }) => deposit(rollup, who),
  },
  invariants: {
    async 'proofs are of blocks'({ rollup, hashes }: { rollup: Rollup; hashes: Map<number, Hash> }) {
      for (const [number, hash] of hashes) {
        const block = await rollup.l1.request('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
        expect(hash).toBe(block?.hash)
      }
    },
  },
})

const actions = { deposit: fc.record({ who: fc.nat(2) }) }
const quick = { l1: { blockTimeMs: 4000 } }

describe.each([
  ['a bridge that ignores reorganisations of the layer 1', bridge],
  ['a prover that keeps the hashes of replaced blocks', prover],
])('%s', (_, application) => {
  const options = { actions, adversary: ['l1Reorgs'] as const, depth: 10 }

  test('is found with three seeds, and its repaired twin is not', async () => {
    const rollup = await createRollup(quick)
    let reorgs = 0
    for (const seed of [1, 2, 3]) {
      const planted = { ...application('planted'), ...options, runs: 100, seed }
      const failed = await explore(rollup, planted as never).then(
        () => expect.unreachable(),
        (error: { kind: string; message: string; story: string }) => error,
      )
      expect(failed.kind).toBe('invariantBroken')
      expect(failed.message).toMatch(/▸ 1 block of the layer 1 replaced/)
      expect(failed.message).toMatch(/L1 .*orphaned/)
      await expect(replay(rollup, application('planted') as never, failed.story)).rejects.toMatchObject({
        kind: 'invariantBroken',
      })
      await replay(rollup, application('repaired') as never, failed.story)
      const report = await explore(rollup, {
        ...application('repaired'),
        ...options,
        runs: 10,
        seed,
      } as never)
      reorgs += report.events.l1Reorgs ?? 0
    }
    expect(reorgs).toBeGreaterThan(0)
  })
})

test('all kinds of events happen on a pair, and leave it in order', async () => {
  const rollup = await createRollup(quick)
  const report = await explore(rollup, {
    actions: { pay: fc.record({ who: fc.nat(2) }) },
    run: {
      async pay({ chain: { l2 } }, { who }) {
        const from = (await l2.listAccounts())[who]
        await l2.request('eth_sendTransaction', [{ ...(from && { from }), to: bank, value: '0x1' }])
      },
    },
    invariants: {
      'one clock': ({ chain: { l1, l2 } }) => l1.now === l2.now,
    },
    eventually: {
      'blocks go on': async ({ chain: { l2 } }) => Number(await l2.request('eth_blockNumber')) >= 3,
    },
    adversary: ['partials', 'drops', 'reorgs', 'lateAnswers', 'feeSpikes', 'sequencerStops', 'l1Reorgs'],
    runs: 60,
    depth: 12,
    seed: 3,
  })
  const kinds = Object.keys(report.events).sort()
  expect(kinds).toEqual(
    expect.arrayContaining(['drops', 'feeSpikes', 'lateAnswers', 'partials', 'sequencerStops']),
  )
})

/*
 * By hand: a deposit in block 1 of the layer 1 (+4 s), and then one event. At the start and after the deposit no block
 * can be replaced; in the third place block 1 can, its transaction to the pool or lost: 1 + 1 + 3 states.
 */
test('the states of a reorganisation of the layer 1 agree with those worked out by hand', async () => {
  const rollup = await createRollup({ l1: { blockTimeMs: 2000 } })
  const report = await exploreAll(rollup, {
    script: [{ action: 'pay', values: undefined }, { wait: 'block' }],
    run: {
      pay: ({ chain: { l1 } }: { chain: Rollup }) =>
        l1.request('eth_sendTransaction', [{ to: bank, value: '0x1' }]),
    },
    invariants: {},
    adversary: ['l1Reorgs'],
  })
  expect(report).toEqual({ states: 5, steps: 2 + 2, events: 2, ended: 'done' })
})
