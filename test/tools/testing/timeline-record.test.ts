// What a recording holds, by events of real chains.

import { base, createEmulator, type Emulator, recordTimeline, timelineFrom } from 'tickchain'
import { createRollup } from 'tickchain/rollup'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { getWithdrawals } from 'viem/op-stack'
import { describe, expect, test } from 'vitest'
import { readRecord } from '../../../src/tools/view/timeline/read-record.ts'
import type { RecordedLayer, TimelineEvent, TimelineRecord } from '../../../src/tools/view/timeline/record.ts'
import { ALICE, BOB } from '../../core/rpc/scene.ts'
import { ACCOUNT, clientsOf } from '../pair/clients.ts'

const START_MS = 1_704_067_200_000

function send(
  chain: Emulator,
  transaction: { gasPrice?: Hex; nonce?: Hex; to?: Hex; data?: Hex; value?: Hex; gas?: Hex } = {},
) {
  const request = { from: ALICE, gas: '0x5208', to: BOB, value: '0x0', ...transaction } as const
  return chain.request({ method: 'eth_sendTransaction', params: [request] })
}

/** The events of a layer with times from the start, without the hashes of blocks. */
function eventsOf({ layers }: TimelineRecord, index = 0): object[] {
  return (layers[index] as RecordedLayer).events.map((event: TimelineEvent) => {
    const { atMs, ...rest } = event
    const { hash: _, ...shown } = { hash: '', ...rest }
    const moved = 'timeMs' in shown ? { timeMs: (shown.timeMs as number) - START_MS } : {}
    const until = 'toMs' in shown ? { toMs: (shown.toMs as number) - START_MS } : {}
    return { ...shown, ...moved, ...until, atMs: atMs - START_MS }
  })
}

test('a transaction is recorded from the pool to its block, with the names of its accounts', async () => {
  const chain = await createEmulator()
  chain.label(ALICE, 'Alice')
  const timeline = recordTimeline(chain)
  const hash = await send(chain)
  await chain.advance(2000)
  const head = await chain.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  expect(timeline.record).toEqual({
    format: 'tickchain timeline 1',
    crossings: [],
    layers: [
      {
        name: 'Chain',
        blockTimeMs: 2000,
        partialBlockTimeMs: 200,
        start: { atMs: START_MS, block: 0, waiting: [] },
        end: { atMs: START_MS + 2000, block: 1, preconfirmed: 0, waiting: 0 },
        omitted: 0,
        names: { [ALICE]: 'Alice' },
        transactions: [{ hash, from: ALICE, to: BOB, nonce: 0 }],
        events: [
          { type: 'accepted', atMs: START_MS, transaction: 0 },
          { type: 'partial', atMs: START_MS + 200, block: 1, index: 1, transactions: [0] },
          {
            ...{ type: 'sealed', atMs: START_MS + 2000, timeMs: START_MS + 2000, block: 1 },
            ...{ hash: head?.hash, transactions: [0] },
          },
        ],
      },
    ],
  })
})

test('blocks every 200 ms have no partial blocks, and those without transactions of users are empty', async () => {
  const chain = await createEmulator(base())
  const timeline = recordTimeline(chain)
  await chain.request('eth_subscribe', ['newFlashblocks'])
  await send(chain)
  await chain.advance(400)
  // The factory of B20 knows no such function.
  await send(chain, { to: '0xb20f000000000000000000000000000000000000', data: '0x12345678', gas: '0x30d40' })
  await chain.advance(1000)
  await chain.reorg({ depth: 2 })
  const why = { transaction: 1, failure: 'execution reverted' }
  expect(eventsOf(timeline.record)).toEqual([
    { type: 'accepted', atMs: 0, transaction: 0 },
    { type: 'sealed', atMs: 200, timeMs: 200, block: 1, transactions: [0] },
    { type: 'empty', atMs: 400, timeMs: 400, from: 2, to: 2 },
    { type: 'accepted', atMs: 400, transaction: 1 },
    { type: 'sealed', atMs: 600, timeMs: 600, block: 3, transactions: [1], notes: [why] },
    { type: 'empty', atMs: 1400, timeMs: 1400, from: 4, to: 7 },
    { type: 'orphaned', atMs: 1400, from: 6, to: 7 },
    { type: 'empty', atMs: 1400, timeMs: 1400, from: 6, to: 7 },
  ])
  const picture = await timeline.toSVG()
  expect(picture).toContain('Blocks taken off')
  expect(picture).not.toContain('Partial blocks')
  expect(await timeline.toHTML()).not.toContain('partial block: pre-confirmed')
})

test('replacements, drops and reorganisations', async () => {
  const chain = await createEmulator()
  const timeline = recordTimeline(chain)
  await send(chain, { gasPrice: '0x77359400' })
  await send(chain, { gasPrice: '0xb2d05e00', nonce: '0x0' })
  const waiting = await send(chain, { nonce: '0x5' })
  await chain.advance(2000)
  await chain.dropTransaction(waiting)
  await chain.reorg({ depth: 1 })
  expect(eventsOf(timeline.record)).toEqual([
    { type: 'accepted', atMs: 0, transaction: 0 },
    { type: 'replaced', atMs: 0, transaction: 0, by: 1 },
    { type: 'accepted', atMs: 0, transaction: 1 },
    { type: 'accepted', atMs: 0, transaction: 2 },
    { type: 'partial', atMs: 200, block: 1, index: 1, transactions: [1] },
    { type: 'sealed', atMs: 2000, timeMs: 2000, block: 1, transactions: [1] },
    { type: 'dropped', atMs: 2000, transactions: [2] },
    { type: 'orphaned', atMs: 2000, from: 1, to: 1 },
    { type: 'unincluded', atMs: 2000, transaction: 1, reason: 'reorganised', isPooled: true },
    { type: 'empty', atMs: 2000, timeMs: 2000, from: 1, to: 1 },
  ])
})

test('blocks of a reorganisation stand at their times, also in the second in which they are sealed', async () => {
  const chain = await createEmulator()
  const timeline = recordTimeline(chain)
  await send(chain)
  await chain.advance(2400)
  await chain.reorg({ depth: 1 })
  await chain.advance(200)
  expect(eventsOf(timeline.record).slice(-3)).toEqual([
    { type: 'unincluded', atMs: 2400, transaction: 0, reason: 'reorganised', isPooled: true },
    { type: 'empty', atMs: 2400, timeMs: 2000, from: 1, to: 1 },
    { type: 'partial', atMs: 2600, block: 2, index: 3, transactions: [0] },
  ])
})

test('a revert, and the way forward again', async () => {
  const chain = await createEmulator()
  const start = chain.snapshot()
  const timeline = recordTimeline(chain)
  await send(chain)
  await chain.advance(4000)
  const later = chain.snapshot()
  await chain.revert(start)
  await chain.revert(later)
  const pool = { waiting: [], preconfirmed: [] }
  expect(eventsOf(timeline.record).slice(3)).toEqual([
    { type: 'empty', atMs: 4000, timeMs: 4000, from: 2, to: 2 },
    { type: 'went', atMs: 4000, toMs: 0, block: 0, shared: 0, ...pool },
    { type: 'went', atMs: 0, toMs: 4000, block: 2, shared: 0, ...pool },
    { type: 'sealed', atMs: 4000, timeMs: 2000, block: 1, transactions: [0], isRestored: true },
    { type: 'empty', atMs: 4000, timeMs: 4000, from: 2, to: 2, isRestored: true },
  ])
})

test('messages of subscriptions, with one event for a run of blocks and a subscription', async () => {
  const chain = await createEmulator()
  const heads = await chain.request({ method: 'eth_subscribe', params: ['newHeads'] })
  const others = await chain.request({ method: 'eth_subscribe', params: ['newHeads'] })
  const hashes = await chain.request({ method: 'eth_subscribe', params: ['newPendingTransactions'] })
  const timeline = recordTimeline(chain)
  await send(chain)
  await chain.advance(2000)
  await chain.advance(10_000)
  const told = eventsOf(timeline.record).filter((event) => 'type' in event && event.type === 'told')
  expect(told).toEqual([
    { type: 'told', atMs: 0, toMs: 0, subscription: hashes, kind: 'newPendingTransactions', count: 1 },
    { type: 'told', atMs: 2000, toMs: 2000, subscription: heads, kind: 'newHeads', count: 1 },
    { type: 'told', atMs: 2000, toMs: 2000, subscription: others, kind: 'newHeads', count: 1 },
    { type: 'told', atMs: 2000, toMs: 12_000, subscription: heads, kind: 'newHeads', count: 5 },
    { type: 'told', atMs: 2000, toMs: 12_000, subscription: others, kind: 'newHeads', count: 5 },
  ])
  expect(timeline.lines.filter((line) => line.includes('empty'))).toHaveLength(1)
})

test('what waits when the recording begins, and who listens, changes nothing', async () => {
  const chain = await createEmulator()
  await send(chain)
  const timeline = recordTimeline(chain)
  await chain.advance(200)
  expect(timeline.record.layers[0]?.start.waiting).toEqual([0])
  timeline.stop()
  await chain.advance(10_000)
  expect(eventsOf(timeline.record)).toHaveLength(1)
  expect(timeline.record.layers[0]?.end).toEqual({
    ...{ atMs: START_MS + 200, block: 0, preconfirmed: 1, waiting: 0 },
  })
})

test('a hundred thousand empty blocks are one event, and their page is small', { tags: 'gate' }, async () => {
  const chain = await createEmulator()
  const timeline = recordTimeline(chain)
  await chain.mine(100_000)
  expect(eventsOf(timeline.record)).toMatchObject([{ type: 'empty', from: 1, to: 100_000 }])
  expect((await timeline.toHTML()).length).toBeLessThan(80_000)
  expect((await timeline.toSVG()).length).toBeLessThan(20_000)
})

test('empty blocks are one event only where they lie at even distances', async () => {
  const chain = await createEmulator()
  const timeline = recordTimeline(chain)
  await chain.advance(4000)
  await chain.advance(2000)
  await chain.jump(86_400_000)
  await chain.advance(4000)
  expect(eventsOf(timeline.record)).toEqual([
    { type: 'empty', atMs: 86_410_000, timeMs: 6000, from: 1, to: 3 },
    { type: 'empty', atMs: 86_410_000, timeMs: 86_406_000, from: 4, to: 4 },
    { type: 'empty', atMs: 86_410_000, timeMs: 86_410_000, from: 5, to: 6 },
  ])
  expect(timeline.lines.filter((line) => line.includes('empty'))).toHaveLength(1)
})

test('keeps the last events, and says how many are left out', async () => {
  const chain = await createEmulator({ production: 'auto' })
  const timeline = recordTimeline(chain, { mostEvents: 6 })
  for (let index = 0; index < 10; index++) await send(chain)
  const [layer] = timeline.record.layers
  // Each transaction is accepted, pre-confirmed and sealed.
  expect(layer?.omitted).toBe(24)
  expect(layer?.transactions.map(({ nonce }) => nonce)).toEqual([8, 9])
  expect(await timeline.toHTML()).toContain('24 earlier events left out')
})

test('a record that was saved is drawn as the timeline is', async () => {
  const chain = await createEmulator()
  const timeline = recordTimeline(chain)
  await send(chain)
  await chain.advance(2000)
  const saved = JSON.stringify(timeline.record)
  expect(readRecord(saved).problems).toEqual([])
  expect(await timelineFrom(saved).toSVG({ title: 'A' })).toBe(await timeline.toSVG({ title: 'A' }))
  expect(await timelineFrom(JSON.parse(saved)).toHTML()).toBe(await timeline.toHTML())
  expect(await timelineFrom(saved.slice(0, 99)).toHTML()).toContain('This timeline cannot be drawn:')
})

describe('a pair', () => {
  const portalAbi = parseAbi(['function depositTransaction(address,uint256,uint64,bool,bytes) payable'])
  const data = encodeFunctionData({
    abi: portalAbi,
    functionName: 'depositTransaction',
    args: [ALICE, 1n, 100_000n, false, '0x'],
  })

  test('has a deposit on both layers, and only what users and roles do', async () => {
    const rollup = await createRollup()
    const timeline = recordTimeline(rollup)
    const portal = Object.values(rollup.contracts.portal)[0]?.address as Hex
    const gas = '0x100000'
    await rollup.l1.request('eth_sendTransaction', [{ from: ALICE, to: portal, value: '0x1', data, gas }])
    await rollup.advance(24_000)
    const [above, below] = timeline.record.layers
    expect([above?.name, below?.name]).toEqual(['Layer 1', 'Layer 2'])
    expect(above?.names).toMatchObject({ [portal.toLowerCase()]: 'portal' })
    expect(below?.transactions).toMatchObject([{ from: ALICE, to: ALICE, isDeposit: true }])
    expect(timeline.record.crossings).toEqual([
      {
        kind: 'deposit',
        steps: [
          { name: 'deposited', layer: 0, transaction: 0 },
          { name: 'included', layer: 1, transaction: 0 },
        ],
      },
    ])
    // Layer 1 has blocks at 12 s and 24 s; the deposit is in the first block of layer 2 after the first of them.
    expect(eventsOf(timeline.record, 1)).toEqual([
      { type: 'empty', atMs: 12_000, timeMs: 12_000, from: 1, to: 6 },
      { type: 'partial', atMs: 12_000, block: 7, index: 0, transactions: [0] },
      { type: 'sealed', atMs: 14_000, timeMs: 14_000, block: 7, transactions: [0] },
      { type: 'empty', atMs: 24_000, timeMs: 24_000, from: 8, to: 12 },
    ])
  })

  test('has lines of both layers, in their order', async () => {
    const rollup = await createRollup()
    const timeline = recordTimeline(rollup)
    await rollup.advance(12_000)
    const { lines } = timeline
    expect(lines.slice(0, 2)).toEqual([
      'Layer 1     +0.0 s  ● block 0     the recording begins',
      'Layer 2     +0.0 s  ● block 0     the recording begins',
    ])
    expect(lines.at(-2)).toBe('Layer 1    +12.0 s  ◌ now         head is block 1, 0 in the pool')
    expect(lines.at(-1)).toMatch(/^Layer 2 {4}\+12\.0 s {2}◌ now {9}head is block 6,/)
    const sealed = lines.filter((line) => /● block [1-6] /.test(line)).map((line) => line.slice(0, 18).trim())
    expect(sealed).toContain('Layer 1    +12.0 s')
    expect(sealed.filter((line) => line.startsWith('Layer 2'))).toHaveLength(6)
  })

  test('has a withdrawal from its beginning on one layer to its end on the other', {
    tags: 'gate',
  }, async () => {
    const rollup = await createRollup()
    const timeline = recordTimeline(rollup)
    const { chain2: targetChain, public1, public2, wallet1, wallet2 } = clientsOf(rollup)
    // Something to withdraw from the portal.
    const deposit = await public2.buildDepositTransaction({ mint: 10n, to: BOB, account: ACCOUNT })
    await wallet1.depositTransaction({ ...deposit, targetChain } as never)
    await rollup.advance(14_000)
    const request = { to: BOB, value: 2n, gas: 21_000n } as const
    const initiated = await wallet2.initiateWithdrawal({ request })
    await rollup.advance(600_000)
    expect(timeline.record.crossings.map(({ kind }) => kind)).toEqual(['deposit'])
    const receipt = await public2.getTransactionReceipt({ hash: initiated })
    const [withdrawal] = getWithdrawals(receipt)
    if (withdrawal === undefined) throw new Error('nothing is withdrawn')
    const game = await public1.getGame({ l2BlockNumber: receipt.blockNumber, targetChain } as never)
    const proof = await public2.buildProveWithdrawal({ account: ACCOUNT, game, withdrawal } as never)
    const proven = await wallet1.proveWithdrawal(proof as never)
    await rollup.advance(12_000)
    await rollup.jump(7 * 86_400_000 + 12_000)
    const finalized = await wallet1.finalizeWithdrawal({ withdrawal, targetChain } as never)
    await rollup.advance(12_000)
    const { layers, crossings } = timeline.record
    const [, crossing] = crossings
    expect(crossing?.kind).toBe('withdrawal')
    expect(
      crossing?.steps.map(({ name, layer, transaction }) => [
        name,
        layer,
        layers[layer]?.transactions[transaction]?.hash,
      ]),
    ).toEqual([
      ['initiated', 1, initiated],
      ['proven', 0, proven],
      ['finalized', 0, finalized],
    ])
    const svg = await timeline.toSVG()
    // One arrow for the deposit, two for the steps of the withdrawal.
    expect(svg.match(/class="crossing deposit"/g)).toHaveLength(1)
    expect(svg.match(/class="crossing withdrawal"/g)).toHaveLength(2)
  })
})

describe('refuses', () => {
  test.each([{ mostEvents: 0 }, { mostEvents: 'all' }])('%o', { tags: 'gate' }, async (options) => {
    const chain = await createEmulator()
    expect(() => recordTimeline(chain, options as never)).toThrow(
      expect.objectContaining({ kind: 'invalidOption' }),
    )
  })

  test.each([{ width: 10 }, { title: 5 }, { color: true }])('to draw with %o', async (drawing) => {
    const chain = await createEmulator()
    const timeline = recordTimeline(chain)
    await expect(timeline.toSVG(drawing as never)).rejects.toMatchObject({ kind: 'invalidOption' })
    await expect(timeline.toHTML(drawing as never)).rejects.toMatchObject({ kind: 'invalidOption' })
  })
})
