// Exploring a layer 1 and its layer 2: a bridge that credits a deposit before the layer 1 is final.

import * as fc from 'fast-check'
import { explore, exploreAll, replay } from 'tickchain/explore'
import { createRollup, type Rollup } from 'tickchain/rollup'
import { expect, test } from 'vitest'
import type { Hash } from '../../../src/primitives/hex.ts'

const bank = `0x${'ba'.repeat(20)}` as const

/** A bridge that counts what arrives in blocks of the layer 1, and forgets what they replace if it is repaired. */
const bridge = (variant: 'planted' | 'repaired') => ({
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
      const from = (await rollup.l1.listAccounts())[who]
      sent.push(
        await rollup.l1.request('eth_sendTransaction', [{ ...(from && { from }), to: bank, value: '0x1' }]),
      )
    },
  },
  invariants: {
    async credited({ rollup, sent, seen }: { rollup: Rollup; sent: Hash[]; seen: Set<Hash> }) {
      const credit = sent.filter((hash) => seen.has(hash)).length
      expect(BigInt(credit)).toBe(BigInt(await rollup.l1.request('eth_getBalance', [bank, 'latest'])))
    },
  },
})

const actions = { deposit: fc.record({ who: fc.nat(2) }) }
const quick = { l1: { blockTimeMs: 4000 } }

test('a bridge that ignores reorganisations of the layer 1 is found, and its repaired twin is not', async () => {
  const rollup = await createRollup(quick)
  const options = { actions, adversary: ['l1Reorgs'] as const, runs: 100, depth: 10, seed: 1 }
  const failed = await explore(rollup, { ...bridge('planted'), ...options }).then(
    () => expect.unreachable(),
    (error: { kind: string; message: string; story: string }) => error,
  )
  expect(failed.kind).toBe('invariantBroken')
  expect(failed.message).toMatch(/▸ 1 block of the layer 1 replaced/)
  expect(failed.message).toMatch(/L1 .*orphaned/)
  await replay(rollup, bridge('repaired'), failed.story)
  const report = await explore(rollup, { ...bridge('repaired'), ...options, runs: 15 })
  expect(report.events.l1Reorgs).toBeGreaterThan(0)
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
  expect(report).toEqual({ states: 5, steps: 2 + 2, events: 2 })
})
