// Schedulers and delays: which transactions enter which partial block.

import type { Emulator, EmulatorOptions, PartialPlan, Scheduler } from 'tickchain'
import { concat, type Hex, keccak256, parseGwei } from 'viem'
import { describe, expect, test } from 'vitest'
import { ALICE, alice, BOB, bob, type Scene, startScene, transfer } from '../../rpc/scene.ts'

/** The hashes in the block being built. */
async function pending({ ask }: Scene): Promise<Hex[]> {
  return (await ask<{ transactions: Hex[] }>('eth_getBlockByNumber', 'pending', false)).transactions
}

interface Traffic extends Scene {
  /** Two of Alice's, who tips 1 gwei, and two of Bob's, who tips 2. */
  readonly a: readonly [Hex, Hex]
  readonly b: readonly [Hex, Hex]
}

async function withTraffic(options: EmulatorOptions = {}): Promise<Traffic> {
  const scene = await startScene(options)
  const generous = { maxPriorityFeePerGas: parseGwei('2') }
  const a0 = await scene.send(alice, transfer(BOB, 0))
  const b0 = await scene.send(bob, { ...transfer(ALICE, 0), ...generous })
  const a1 = await scene.send(alice, transfer(BOB, 1))
  const b1 = await scene.send(bob, { ...transfer(ALICE, 1), ...generous })
  return { ...scene, a: [a0, a1], b: [b0, b1] }
}

describe('a scheduler', () => {
  test('gets the candidates of the partial block, in the order of fees', async () => {
    const scene = await withTraffic()
    const { chain, a, b } = scene
    const waiting = await scene.send(alice, transfer(BOB, 9))
    const plans: PartialPlan[] = []
    await chain.setScheduler((plan) => {
      plans.push(plan)
      return []
    })
    const startMs = chain.now
    await chain.advance(400)
    // A tenth of 60 million, and then two tenths.
    expect(plans.map(({ candidates: _, ...plan }) => plan)).toEqual([
      { blockNumber: 1, partialIndex: 1, atMs: startMs + 200, gasBudget: 6_000_000n },
      { blockNumber: 1, partialIndex: 2, atMs: startMs + 400, gasBudget: 12_000_000n },
    ])
    expect(plans[0]?.candidates.map(({ hash }) => hash)).toEqual([...b, ...a])
    expect(plans[0]?.candidates).not.toContainEqual(expect.objectContaining({ hash: waiting }))
    expect(plans[0]?.candidates[3]).toEqual({
      hash: a[1],
      from: ALICE,
      to: BOB,
      nonce: 1n,
      value: 1n,
      input: '0x',
      gasLimit: 21_000n,
      effectiveTip: parseGwei('1'),
      arrival: 2,
    })
    expect(await pending(scene)).toEqual([])
  })

  test('decides the order, and transactions that it omits wait', async () => {
    const scene = await withTraffic()
    const { chain, a, b } = scene
    await chain.setScheduler(({ partialIndex }) => (partialIndex === 1 ? [a[0], b[0]] : [a[1]]))
    await chain.advance(200)
    expect(await pending(scene)).toEqual([a[0], b[0]])
    await chain.advance(200)
    expect(await pending(scene)).toEqual([a[0], b[0], a[1]])
    expect(await scene.ask('eth_getTransactionByHash', b[1])).toMatchObject({ blockHash: null })
    await chain.setScheduler()
    await chain.advance(200)
    expect(await pending(scene)).toEqual([a[0], b[0], a[1], b[1]])
  })

  test('is also called for the last partial block of a block, and for single blocks', async () => {
    const scene = await withTraffic()
    await scene.chain.setScheduler(() => [scene.a[0]])
    await scene.chain.seal()
    const sealed = await scene.ask('eth_getBlockByNumber', 'latest', false)
    expect(sealed).toMatchObject({ number: '0x1', transactions: [scene.a[0]] })

    const auto = await startScene({ production: 'auto' })
    await auto.chain.setScheduler(() => [])
    await auto.send(alice, transfer(BOB, 0))
    expect(await auto.ask('eth_blockNumber')).toBe('0x0')
    await auto.chain.setScheduler()
    await auto.send(alice, transfer(BOB, 1))
    expect(await auto.ask('eth_blockNumber')).toBe('0x2')
  })

  test('candidates that cannot run at their position are skipped', async () => {
    const scene = await withTraffic()
    const { chain, a, b } = scene
    // The nonces of Alice come the wrong way round.
    await chain.setScheduler(() => [a[1], a[0], b[0]])
    await chain.advance(200)
    expect(await pending(scene)).toEqual([a[0], b[0]])
  })

  test('candidates that do not fit the gas budget are skipped', async () => {
    // A tenth of 300,000 is one transfer.
    const scene = await withTraffic({ genesis: { gasLimit: 300_000 } })
    await scene.chain.setScheduler(() => [scene.a[0], scene.b[0]])
    await scene.chain.advance(200)
    expect(await pending(scene)).toEqual([scene.a[0]])
  })

  test.each<[string, (scene: Traffic) => Scheduler, object]>([
    [
      'throws',
      () => () => {
        throw new Error('out of ideas')
      },
      { kind: 'callbackFailed', message: 'the scheduler failed: Error: out of ideas' },
    ],
    [
      'answers a promise',
      () => (async () => []) as unknown as Scheduler,
      {
        kind: 'invalidSchedule',
        message: 'invalid schedule of block 1, partial block 1: expected an array of transaction hashes',
      },
    ],
    [
      'names one that is none',
      () => () => [`0x${'11'.repeat(32)}`],
      { message: expect.stringContaining(`0x${'11'.repeat(32)} is no candidate, or is there twice`) },
    ],
    [
      'names one twice',
      ({ a }) =>
        () => [a[0], a[0]],
      { message: expect.stringContaining(`is no candidate, or is there twice`) },
    ],
    ['names no hash', () => () => [7 as never], { kind: 'invalidSchedule' }],
  ])('that %s is refused with the call that asked it, and nothing has changed', async (_, make, error) => {
    const scene = await withTraffic()
    const { chain } = scene
    await chain.setScheduler(make(scene))
    const startMs = chain.now
    await expect(chain.advance(1000)).rejects.toMatchObject({ code: -32000, ...error })
    await expect(chain.seal()).rejects.toMatchObject(error)
    expect([chain.now, await pending(scene)]).toEqual([startMs, []])
    await chain.setScheduler()
    await chain.advance(200)
    expect(await pending(scene)).toHaveLength(4)
  })

  test('is part of a snapshot and of a clone', async () => {
    const scene = await withTraffic()
    const { chain, a } = scene
    const before = chain.snapshot()
    await chain.setScheduler(({ candidates }) => candidates.slice(-2).map(({ hash }) => hash))
    const clone = chain.clone()
    await chain.revert(before)
    await Promise.all([chain.advance(200), clone.advance(200)])
    expect(await pending(scene)).toHaveLength(4)
    const block = await clone.request('eth_getBlockByNumber', ['pending', false])
    expect(block?.transactions).toEqual(a)
  })
})

describe('a delay', () => {
  async function blockOf({ ask }: Scene, hash: Hex): Promise<unknown> {
    return (await ask<{ blockNumber: Hex | null }>('eth_getTransactionByHash', hash)).blockNumber
  }

  test("of partial blocks holds a transaction back for that many, with its sender's later ones", async () => {
    const scene = await withTraffic()
    const { chain, a, b } = scene
    await chain.delayTransaction(b[0], { partials: 2 })
    await chain.advance(400)
    expect(await pending(scene)).toEqual([...a])
    await chain.advance(200)
    expect(await pending(scene)).toEqual([...a, ...b])
  })

  test('of blocks counts the one being built', async () => {
    const scene = await withTraffic()
    const { chain, a } = scene
    await chain.delayTransaction(a[1], { blocks: 1 })
    await chain.advance(2000)
    expect(await blockOf(scene, a[0])).toBe('0x1')
    expect(await blockOf(scene, a[1])).toBeNull()
    await chain.advance(200)
    expect(await blockOf(scene, a[1])).toBe('0x2')
  })

  test('until a time applies to the partial blocks before it', async () => {
    const scene = await withTraffic()
    const { chain, a, b } = scene
    await chain.delayTransaction(a[0], { untilMs: chain.now + 600 })
    await chain.advance(599)
    expect(await pending(scene)).toEqual([...b])
    await chain.advance(1)
    expect(await pending(scene)).toEqual([...b, ...a])
  })

  test('without an end lasts until the transaction is released', async () => {
    const scene = await withTraffic()
    const { chain, a, b } = scene
    await chain.delayTransaction(a[0])
    await chain.advance(10_000)
    expect(await blockOf(scene, b[1])).toBe('0x1')
    expect(await blockOf(scene, a[0])).toBeNull()
    expect(await chain.releaseTransaction(a[0])).toBe(true)
    expect(await chain.releaseTransaction(a[0])).toBe(false)
    await chain.seal()
    expect(await blockOf(scene, a[0])).toBe('0x6')
  })

  test('hides a transaction from the scheduler', async () => {
    const scene = await withTraffic()
    await scene.chain.delayTransaction(scene.a[0])
    const seen: Hex[] = []
    await scene.chain.setScheduler(({ candidates }) => {
      seen.push(...candidates.map(({ hash }) => hash))
      return []
    })
    await scene.chain.advance(200)
    expect(seen).toEqual(scene.b)
  })

  test('in auto production the transaction is sealed when it is released', async () => {
    const scene = await startScene({ production: 'auto' })
    const gap = await scene.send(alice, transfer(BOB, 1))
    await scene.chain.delayTransaction(gap)
    await scene.send(alice, transfer(BOB, 0))
    expect(await scene.ask('eth_blockNumber')).toBe('0x1')
    await scene.chain.releaseTransaction(gap)
    expect(await blockOf(scene, gap)).toBe('0x2')
  })

  test('is undone by a revert', async () => {
    const scene = await withTraffic()
    const { chain, a } = scene
    const before = chain.snapshot()
    await chain.delayTransaction(a[0], { partials: 3 })
    await chain.advance(200)
    const between = chain.snapshot()
    await chain.advance(400)
    expect(await pending(scene)).toHaveLength(2)
    await chain.revert(between)
    await chain.advance(600)
    expect(await pending(scene)).toHaveLength(4)
    await chain.revert(before)
    await chain.advance(200)
    expect(await pending(scene)).toHaveLength(4)
  })

  test('is refused for transactions that are not pooled', async () => {
    const scene = await withTraffic()
    const { chain, a } = scene
    await chain.advance(200)
    const words = `transaction ${a[0]} is not in the pool`
    await expect(chain.delayTransaction(a[0])).rejects.toMatchObject({ kind: 'notPooled', message: words })
  })

  test('over JSON-RPC', async () => {
    const scene = await withTraffic()
    await scene.ask('tickchain_delayTransaction', scene.a[0], { blocks: 1 })
    await scene.ask('tickchain_delayTransaction', scene.b[0])
    expect(await scene.ask('tickchain_releaseTransaction', scene.b[0])).toBe(true)
    await scene.chain.advance(200)
    expect(await pending(scene)).toEqual([...scene.b])
    await expect(
      scene.ask('tickchain_delayTransaction', scene.a[0], { blocks: 1, partials: 1 }),
    ).rejects.toThrow('invalid argument 1: expected one of partials, blocks and untilMs')
    await expect(scene.ask('tickchain_delayTransaction', scene.a[0], { blocks: 0 })).rejects.toThrow(
      'invalid argument 1.blocks: expected a whole number from 1 to 9007199254740991, as hex, number or decimal string, got 0',
    )
  })
})

describe('the ordering', () => {
  /** The order of Alice's and Bob's transactions. */
  const orders = {
    fees: ['b0', 'b1', 'a0', 'a1'],
    fifo: ['a0', 'b0', 'a1', 'b1'],
    lifo: ['b0', 'b1', 'a0', 'a1'],
  } as const
  async function names({ a, b, ...scene }: Traffic): Promise<(string | undefined)[]> {
    const known = new Map([
      [a[0], 'a0'],
      [a[1], 'a1'],
      [b[0], 'b0'],
      [b[1], 'b1'],
    ] as const)
    return (await pending(scene)).map((hash) => known.get(hash))
  }

  test.each(Object.entries(orders))('%s', async (ordering, expected) => {
    const asOption = await withTraffic({ ordering: ordering as keyof typeof orders })
    const changed = await withTraffic({ ordering: ordering === 'fees' ? 'fifo' : 'fees' })
    await changed.chain.setOrdering(ordering as keyof typeof orders)
    for (const scene of [asOption, changed]) {
      await scene.chain.advance(200)
      expect(await names(scene)).toEqual(expected)
    }
  })

  test('random takes the least hash of the latest prevRandao and the transaction first', async () => {
    // Six senders, so that one order in 720 is right.
    const { chain, ask } = await startScene({ ordering: 'random', seed: 5 })
    const accounts = (await ask<Hex[]>('eth_accounts')).slice(0, 6)
    await chain.seal()
    const hashes: Hex[] = []
    for (const from of accounts)
      hashes.push(await ask('eth_sendTransaction', { from, to: BOB, value: '0x1' }))
    const { mixHash } = await ask<{ mixHash: Hex }>('eth_getBlockByNumber', 'latest', false)
    const keys = new Map(hashes.map((hash) => [hash, keccak256(concat([mixHash, hash]))]))
    const expected = hashes.toSorted((a, b) => ((keys.get(a) ?? '') < (keys.get(b) ?? '') ? -1 : 1))
    await chain.advance(200)
    const { transactions } = await ask<{ transactions: Hex[] }>('eth_getBlockByNumber', 'pending', false)
    expect(transactions).toEqual(expected)
  })

  test('random is drawn from the seed, and nonces ascend', { tags: 'gate' }, async () => {
    const orderOf = async (seed: number): Promise<string> => {
      const scene = await withTraffic({ seed })
      await scene.ask('tickchain_setOrdering', 'random')
      await scene.chain.advance(200)
      const order = await names(scene)
      expect(order.indexOf('a0')).toBeLessThan(order.indexOf('a1'))
      expect(order.indexOf('b0')).toBeLessThan(order.indexOf('b1'))
      return order.join(' ')
    }
    const seeds = Array.from({ length: 12 }, (_, seed) => seed)
    const found = await Promise.all(seeds.map(orderOf))
    expect(new Set(found).size).toBeGreaterThan(2)
    expect(await Promise.all(seeds.map(orderOf))).toEqual(found)
  })
})

test('invalid schedulers, delays and orderings are refused', async () => {
  const { chain, a } = await withTraffic()
  const refused = async (call: (chain: Emulator) => Promise<unknown>, words: string) =>
    expect(call(chain)).rejects.toMatchObject({ kind: 'invalidCall', message: `invalid call ${words}` })
  await refused((it) => it.setScheduler([] as never), 'setScheduler: expected a function, got an array')
  await refused(
    (it) => it.setOrdering('best' as never),
    `setOrdering: ordering: expected one of fees, fifo, lifo, random, got "best"`,
  )
  const right = '; for example: chain.delayTransaction(hash, { partials: 2 })'
  await refused(
    (it) => it.delayTransaction('0x1' as never),
    `delayTransaction: hash: expected a hash of 32 bytes, got "0x1" (hex string of odd length)${right}`,
  )
  await refused(
    (it) => it.delayTransaction(a[0], { blocks: 0 }),
    `delayTransaction: delay.blocks: expected a whole number from 1 to 9007199254740991, got 0${right}`,
  )
  await refused(
    (it) => it.delayTransaction(a[0], { blocks: 1, untilMs: 5 }),
    `delayTransaction: delay: expected one of partials, blocks and untilMs, got an object${right}`,
  )
  await refused(
    (it) => it.releaseTransaction(5 as never),
    'releaseTransaction: hash: expected a hash of 32 bytes, got 5',
  )
})
