// Dropped pre-confirmations, delayed transactions and a full pool, as functions of an emulator.

import type { DropOptions, EmulatorEvents } from 'tickchain'
import { type Hex, parseGwei } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { ALICE, alice, BOB, bob, type Scene, startScene, transfer } from '../../rpc/scene.ts'

let scene: Scene

beforeEach(async () => {
  scene = await startScene()
})

async function hashesIn(tag: 'latest' | 'pending'): Promise<Hex[]> {
  return (await scene.ask<{ transactions: Hex[] }>('eth_getBlockByNumber', tag, false)).transactions
}

describe('a pre-confirmation dropped at the seal', () => {
  let hashes: [Hex, Hex, Hex]
  beforeEach(async () => {
    hashes = [
      await scene.send(alice, transfer(BOB, 0)),
      await scene.send(alice, transfer(BOB, 1)),
      await scene.send(bob, transfer(ALICE, 0)),
    ]
    await scene.chain.advance(200)
  })

  test('is pending until then, and not in the block', async () => {
    const { chain, ask } = scene
    const told: string[] = []
    const hear = (name: keyof EmulatorEvents & string) => chain.on(name, () => told.push(name))
    for (const name of ['partialBlock', 'unincludedTransaction', 'sealedBlock'] as const) hear(name)
    await chain.dropPreconfirmed(hashes[0], { at: 'seal' })
    await chain.advance(1600)
    expect(await hashesIn('pending')).toEqual(hashes)
    expect(await ask('eth_getTransactionReceipt', hashes[0])).toMatchObject({ status: '0x1' })
    told.length = 0
    await chain.advance(200)
    expect(told).toEqual(['partialBlock', 'unincludedTransaction', 'unincludedTransaction', 'sealedBlock'])
    expect(await hashesIn('latest')).toEqual([hashes[2]])
    expect(await ask('eth_getTransactionReceipt', hashes[0])).toBeNull()
    expect(await ask('eth_getTransactionByHash', hashes[0])).toBeNull()
    // Its follower waits behind the gap.
    expect(await ask('eth_getTransactionByHash', hashes[1])).toMatchObject({ blockHash: null })
    await chain.advance(4000)
    expect(await ask('eth_getTransactionCount', ALICE, 'latest')).toBe('0x0')
  })

  test('is in the next block if it returns to the pool', async () => {
    await scene.chain.dropPreconfirmed(hashes[0], { at: 'seal', repool: true })
    await scene.chain.seal()
    expect(await hashesIn('latest')).toEqual([hashes[2]])
    await scene.chain.seal()
    expect(await hashesIn('latest')).toEqual([hashes[0], hashes[1]])
  })

  test('is not in the block that automine seals, either', async () => {
    await scene.chain.dropPreconfirmed(hashes[0], { at: 'seal' })
    await scene.chain.setAutomine(true)
    const next = await scene.send(bob, transfer(ALICE, 1))
    expect(await scene.ask('eth_blockNumber')).toBe('0x1')
    expect(await hashesIn('latest')).toEqual([hashes[2], next])
  })

  test('is part of a snapshot, and does not outlive its block', async () => {
    const { chain } = scene
    const before = chain.snapshot()
    await chain.dropPreconfirmed(hashes, { at: 'seal' })
    const marked = chain.clone()
    await chain.revert(before)
    await Promise.all([chain.seal(), marked.seal()])
    expect(await hashesIn('latest')).toEqual(hashes)
    expect(await marked.request('eth_getBlockByNumber', ['latest', false])).toMatchObject({
      transactions: [],
    })

    await chain.revert(before)
    await chain.dropPreconfirmed(hashes[2], { at: 'seal' })
    await chain.seal()
    await chain.reorg({ depth: 1 })
    const again = await scene.send(bob, transfer(ALICE, 0))
    expect(again).toBe(hashes[2])
    await chain.seal()
    expect(await hashesIn('latest')).toContain(hashes[2])
  })

  test('is forgotten if a reorganisation removes the block being built', async () => {
    const { chain } = scene
    await chain.seal()
    const fourth = await scene.send(alice, transfer(BOB, 2))
    await chain.advance(200)
    await chain.dropPreconfirmed(fourth, { at: 'seal' })
    await chain.reorg({ depth: 1 })
    await chain.seal()
    expect(await hashesIn('latest')).toContain(fourth)
  })

  test('over JSON-RPC, now and at the seal', async () => {
    await scene.ask('tickchain_dropPreconfirmed', [hashes[2]])
    expect(await hashesIn('pending')).toEqual([hashes[0], hashes[1]])
    await scene.ask('tickchain_dropPreconfirmed', [hashes[1]], { at: 'seal', repool: true })
    expect(await hashesIn('pending')).toEqual([hashes[0], hashes[1]])
    await scene.chain.seal()
    expect(await hashesIn('latest')).toEqual([hashes[0]])
    expect(await scene.ask('eth_getTransactionByHash', hashes[1])).toMatchObject({ blockHash: null })
  })

  test('must be pre-confirmed', async () => {
    const { chain } = scene
    await chain.seal()
    const waiting = await scene.send(alice, transfer(BOB, 2))
    const none = `0x${'11'.repeat(32)}` as const
    const places = [
      [hashes[0], 'it is sealed, and chain.reorg replaces its block'],
      [waiting, 'it waits in the pool, and chain.dropTransaction takes it out'],
      [none, 'it is unknown here'],
    ] as const
    for (const at of ['now', 'seal'] as const) {
      for (const [hash, place] of places) {
        await expect(chain.dropPreconfirmed(hash, { at })).rejects.toMatchObject({
          kind: 'notPreconfirmed',
          message: `transaction ${hash} is not preconfirmed: ${place}`,
        })
      }
    }
    await expect(
      chain.dropPreconfirmed(hashes[0], { at: 'later' } as unknown as DropOptions),
    ).rejects.toThrow('options.at: expected one of now, seal, got "later"')
  })
})

describe('a full pool', () => {
  test("refuses in geth's words, takes replacements, and evicts nothing", async () => {
    const { chain } = scene
    const first = await scene.send(alice, transfer(BOB, 0))
    await chain.setPoolLimit(1)
    // Worth more, but geth alone would make room for it.
    const better = { ...transfer(ALICE, 0), maxPriorityFeePerGas: parseGwei('5') }
    await expect(scene.send(bob, better)).rejects.toMatchObject({
      kind: 'poolFull',
      code: -32000,
      message: 'txpool is full',
    })
    const raised = { maxFeePerGas: parseGwei('20'), maxPriorityFeePerGas: parseGwei('2') }
    const replacement = await scene.send(alice, { ...transfer(BOB, 0), ...raised })
    expect(await scene.ask('eth_getTransactionByHash', first)).toBeNull()
    await chain.advance(200)
    expect(await hashesIn('pending')).toEqual([replacement])
    await scene.send(bob, better)
  })

  test('may already hold more, and accepts orphaned transactions', async () => {
    const { chain } = scene
    await scene.send(alice, transfer(BOB, 0))
    await scene.send(alice, transfer(BOB, 1))
    await scene.ask('tickchain_setPoolLimit', 0)
    await chain.advance(2000)
    expect(await hashesIn('latest')).toHaveLength(2)
    await chain.reorg({ depth: 1 })
    expect(await scene.ask('txpool_status')).toEqual({ pending: '0x2', queued: '0x0' })
    await expect(scene.send(bob, transfer(ALICE, 0))).rejects.toThrow('txpool is full')
    await scene.ask('tickchain_setPoolLimit')
    await scene.send(bob, transfer(ALICE, 0))
  })

  test('is part of a snapshot', async () => {
    const { chain } = scene
    const before = chain.snapshot()
    await chain.setPoolLimit(0)
    const clone = chain.clone()
    await chain.revert(before)
    const raw = await alice.signTransaction(transfer(BOB, 0))
    await expect(clone.request('eth_sendRawTransaction', [raw])).rejects.toThrow('txpool is full')
    expect(await chain.request('eth_sendRawTransaction', [raw])).toMatch(/^0x/)
  })

  test.each([-1, 1.5, '5', null])('a limit of %j is refused', async (limit) => {
    await expect(scene.chain.setPoolLimit(limit as number)).rejects.toMatchObject({ kind: 'invalidCall' })
  })
})

describe('transactions that a reorganisation returns to the pool', () => {
  test('are reported as pending again to subscriptions and filters', async () => {
    const { chain, ask } = scene
    const hashes = [await scene.send(alice, transfer(BOB, 0)), await scene.send(bob, transfer(ALICE, 0))]
    await chain.seal()
    const filter = await ask('eth_newPendingTransactionFilter')
    const told: unknown[] = []
    chain.on('message', ({ data }) => told.push(data.result))
    await chain.request({ method: 'eth_subscribe' as string, params: ['newPendingTransactions'] })
    await chain.reorg({ depth: 1, blocks: [[hashes[0] as Hex]] })
    expect(told).toEqual([hashes[1]])
    expect(await ask('eth_getFilterChanges', filter)).toEqual([hashes[1]])
  })

  test('are reported with isPooled if they are in the pool again', async () => {
    const { chain } = scene
    const [kept, overtaken, waiting] = [
      await scene.send(alice, transfer(BOB, 0)),
      await scene.send(alice, transfer(BOB, 1)),
      await scene.send(bob, transfer(ALICE, 0)),
    ]
    await chain.seal()
    const told: EmulatorEvents['unincludedTransaction'][] = []
    chain.on('unincludedTransaction', (event) => told.push(event))
    // Another transaction of Alice's takes the nonce of her second.
    const other = await alice.signTransaction({ ...transfer(BOB, 1), value: 7n })
    await chain.reorg({ depth: 1, blocks: [[kept, other]] })
    expect(new Map(told.map(({ transactionHash, isPooled }) => [transactionHash, isPooled]))).toEqual(
      new Map([
        [kept, false],
        [overtaken, false],
        [waiting, true],
      ]),
    )
    expect(await scene.ask('eth_getTransactionByHash', overtaken)).toBeNull()
  })

  test('wait in auto production until a block is sealed', async () => {
    const auto = await startScene({ production: 'auto' })
    const hash = await auto.send(alice, transfer(BOB, 0))
    await auto.chain.reorg({ depth: 1 })
    expect(await auto.ask('eth_blockNumber')).toBe('0x1')
    expect(await auto.ask('eth_getTransactionReceipt', hash)).toBeNull()
    await auto.chain.seal()
    expect(await auto.ask('eth_getTransactionReceipt', hash)).toMatchObject({ blockNumber: '0x2' })
  })
})
