// Mining methods under all their names: on command, automining, interval mining. Expected timestamps are calculated by
// hand.

import { createEmulator, type EmulatorOptions } from 'tickchain'
import { encodeFunctionData, type Hex, hexToNumber, numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { Counter, Reverter } from '../../../contracts/generated.ts'
import { ALICE, alice, BOB, type Scene, startScene, transfer } from '../scene.ts'

const START = 1_704_067_200

interface Block {
  readonly timestamp: Hex
  readonly transactions: readonly Hex[]
}

async function blocks({ ask }: Scene): Promise<Block[]> {
  const head = hexToNumber(await ask('eth_blockNumber'))
  return Promise.all(
    Array.from({ length: head }, (_, i) => ask<Block>('eth_getBlockByNumber', numberToHex(i + 1), false)),
  )
}

/** Timestamps of the blocks above genesis, in seconds after the start. */
async function timestamps(scene: Scene): Promise<number[]> {
  return (await blocks(scene)).map(({ timestamp }) => hexToNumber(timestamp) - START)
}

/** How many transactions the blocks above genesis have. */
async function counts(scene: Scene): Promise<number[]> {
  return (await blocks(scene)).map(({ transactions }) => transactions.length)
}

const send = ({ ask }: Scene): Promise<Hex> =>
  ask('eth_sendTransaction', { from: ALICE, to: BOB, value: '0x1' })

describe('evm_mine', () => {
  test.each([
    ['anvil', '0x0'],
    ['hardhat', '0'],
    ['ganache', '0x0'],
  ] as const)('in %s answers %j', async (flavor, answer) => {
    const scene = await startScene({ flavor })
    expect(await scene.ask('evm_mine')).toBe(answer)
    expect(await scene.ask('evm_mine', START + 60)).toBe(answer)
    // What viem sends in ganache mode.
    expect(await scene.ask('evm_mine', { blocks: '0x2' })).toBe(answer)
    expect(await timestamps(scene)).toEqual([2, 60, 62, 64])
  })

  test('of no block does nothing', async () => {
    const scene = await startScene()
    await scene.ask('evm_mine', { blocks: 0, timestamp: START + 50 })
    await scene.ask('anvil_mine', 0, 60)
    expect(await scene.ask('eth_blockNumber')).toBe('0x0')
    await scene.chain.seal()
    expect(await timestamps(scene)).toEqual([2])
  })
})

describe('anvil_mine and hardhat_mine', () => {
  test.each([
    ['anvil', null],
    ['hardhat', true],
    ['ganache', null],
  ] as const)('in %s answer %j', async (flavor, answer) => {
    const scene = await startScene({ flavor })
    expect(await scene.ask('anvil_mine')).toBe(answer)
    expect(await scene.ask('hardhat_mine', '0x2')).toBe(answer)
    expect(await scene.ask('hardhat_mine', '0x0')).toBe(answer)
    expect(await scene.ask('eth_blockNumber')).toBe('0x3')
  })

  test.each<[title: string, options: EmulatorOptions, params: unknown[], expected: number[]]>([
    ['anvil puts the interval before each', { production: 'auto' }, ['0x3', '0x3c'], [60, 120, 180]],
    ['anvil takes zero for no interval', { production: 'auto' }, ['0x3', '0x0'], [1, 2, 3]],
    ['anvil without an interval', {}, ['0x3'], [2, 4, 6]],
    [
      'hardhat does not put it before the first',
      { production: 'auto', flavor: 'hardhat' },
      ['0x3', '0x3c'],
      [1, 61, 121],
    ],
    ['hardhat has a second if nothing is said', { flavor: 'hardhat' }, ['0x3'], [2, 3, 4]],
    ['hardhat keeps blocks apart', { flavor: 'hardhat' }, ['0x3', '0x0'], [2, 3, 4]],
    [
      'hardhat lets blocks share a timestamp where it may',
      { flavor: 'hardhat', production: 'auto', allowBlocksWithSameTimestamp: true },
      ['0x3', '0x0'],
      [0, 0, 0],
    ],
  ])('%s', async (_, options, params, expected) => {
    const scene = await startScene(options)
    await scene.ask('hardhat_mine', ...params)
    expect(await timestamps(scene)).toEqual(expected)
    expect(scene.chain.now / 1000 - START).toBe(expected[2])
  })

  test('an interval starts from the clock in anvil', async () => {
    const scene = await startScene({ production: 'auto' })
    await scene.ask('evm_increaseTime', 100)
    await scene.ask('anvil_mine', 2, 10)
    expect(await timestamps(scene)).toEqual([110, 120])
  })

  test('a requested timestamp is that of the first block, and the interval follows it', async () => {
    const scene = await startScene()
    await scene.ask('evm_setNextBlockTimestamp', START + 5)
    await scene.ask('anvil_mine', 3, 10)
    expect(await timestamps(scene)).toEqual([5, 15, 25])
  })

  test('pre-confirmed transactions are in the first block, with the time that they have seen', async () => {
    const scene = await startScene()
    await send(scene)
    await scene.chain.advance(200)
    await send(scene)
    await scene.ask('anvil_mine', 3, 10)
    expect([await timestamps(scene), await counts(scene)]).toEqual([
      [2, 12, 22],
      [2, 0, 0],
    ])
  })

  test('more blocks than steps are allowed are refused, and none is mined', async () => {
    const scene = await startScene({ limits: { stepsPerCall: 5 } })
    await expect(scene.ask('anvil_mine', 6)).rejects.toMatchObject({ kind: 'tooManySteps' })
    await expect(scene.ask('anvil_mine', 3, 200_000_000_000)).rejects.toMatchObject({ code: -32602 })
    expect(await scene.ask('eth_blockNumber')).toBe('0x0')
  })
})

describe.each(['evm_mine_detailed', 'anvil_mine_detailed', 'anvil_mineDetailed'])('%s', (method) => {
  test('returns the blocks with the outcome of each transaction', async () => {
    const counter = `0x${'c0'.repeat(20)}`
    const reverter = `0x${'c1'.repeat(20)}`
    const alloc = {
      [counter]: { code: Counter.deployedBytecode },
      [reverter]: { code: Reverter.deployedBytecode },
    }
    const scene = await startScene({ genesis: { alloc } })
    const call = (to: string, data: Hex) =>
      scene.ask<Hex>('eth_sendTransaction', { from: ALICE, to, data, gas: '0x30d40' })
    const incremented = await call(
      counter,
      encodeFunctionData({ abi: Counter.abi, functionName: 'increment' }),
    )
    const failing = encodeFunctionData({
      abi: Reverter.abi,
      functionName: 'revertWithString',
      args: ['user error'],
    })
    const reverted = await call(reverter, failing)
    const mined = await scene.ask<Record<string, unknown>[]>(method, { blocks: 2, timestamp: START + 9 })
    expect(mined).toMatchObject([
      {
        number: '0x1',
        timestamp: numberToHex(START + 9),
        transactions: [
          { hash: incremented, output: '0x', blockNumber: '0x1' },
          // Error(string), as the ABI encodes it.
          { hash: reverted, revertReason: 'user error', output: expect.stringMatching(/^0x08c379a0/) },
        ],
      },
      { number: '0x2', transactions: [] },
    ])
    expect(mined[0]).toMatchObject({
      hash: (await scene.ask<{ hash: Hex }>('eth_getBlockByNumber', '0x1', false)).hash,
    })
  })
})

describe('automine', () => {
  test.each([
    ['anvil', null],
    ['hardhat', true],
    ['ganache', null],
  ] as const)('in %s evm_setAutomine answers %j', async (flavor, answer) => {
    const scene = await startScene({ flavor, production: 'manual' })
    expect(await scene.ask('hardhat_getAutomine')).toBe(false)
    expect(await scene.ask('evm_setAutomine', true)).toBe(answer)
    expect(await scene.ask('anvil_getAutomine')).toBe(true)
    await send(scene)
    expect(await counts(scene)).toEqual([1])
    expect(await scene.ask('anvil_setAutomine', false)).toBe(answer)
    await send(scene)
    expect(await counts(scene)).toEqual([1])
  })

  test('turned on, pooled transactions are sealed with the next one, and not before', async () => {
    const scene = await startScene({ production: 'manual', flavor: 'hardhat' })
    await send(scene)
    await send(scene)
    await scene.ask('evm_setAutomine', true)
    expect(await scene.ask('eth_blockNumber')).toBe('0x0')
    const last = await send(scene)
    expect(await scene.ask('eth_getTransactionReceipt', last)).toMatchObject({ status: '0x1' })
    expect((await counts(scene)).reduce((sum, count) => sum + count, 0)).toBe(3)
    expect(await scene.ask('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })

  test('turned on, pre-confirmed transactions stay in their block and are sealed with the next one', async () => {
    const scene = await startScene()
    await send(scene)
    await scene.chain.advance(200)
    await scene.ask('evm_setAutomine', true)
    await scene.chain.advance(10_000)
    expect(await scene.ask('eth_blockNumber')).toBe('0x0')
    await send(scene)
    expect([await timestamps(scene), await counts(scene)]).toEqual([[2], [2]])
  })

  test('in anvil ends interval mining, and the other way round', async () => {
    const scene = await startScene()
    expect(await scene.ask('anvil_getIntervalMining')).toBe(2)
    await scene.ask('evm_setAutomine', true)
    expect(await scene.ask('anvil_getIntervalMining')).toBeNull()
    await scene.chain.advance(10_000)
    expect(await scene.ask('eth_blockNumber')).toBe('0x0')
    await scene.ask('evm_setIntervalMining', 3)
    expect([await scene.ask('anvil_getAutomine'), await scene.ask('anvil_getIntervalMining')]).toEqual([
      false,
      3,
    ])
    await scene.ask('evm_setIntervalMining', 0)
    expect(await scene.ask('eth_mining')).toBe(false)
  })

  test('in hardhat is independent of interval mining: a block for each transaction, and one when it is due', async () => {
    const scene = await startScene({ flavor: 'hardhat' })
    await scene.ask('evm_setAutomine', true)
    await scene.chain.advance(500)
    await scene.ask('evm_increaseTime', 10)
    await send(scene)
    // Sealed at 10.5 seconds, and the next is due two seconds later.
    expect([await timestamps(scene), await counts(scene)]).toEqual([[10], [1]])
    await scene.chain.advance(1999)
    expect(await counts(scene)).toEqual([1])
    await scene.chain.advance(1)
    expect([await timestamps(scene), await counts(scene)]).toEqual([
      [10, 12],
      [1, 0],
    ])
    await scene.ask('evm_setAutomine', false)
    await send(scene)
    expect(await counts(scene)).toEqual([1, 0])
    await scene.chain.advance(2000)
    expect([await timestamps(scene), await counts(scene)]).toEqual([
      [10, 12, 14],
      [1, 0, 1],
    ])
  })
})

describe('interval mining', () => {
  test.each([
    ['anvil', 'evm_setIntervalMining', 3, null],
    ['ganache', 'evm_setIntervalMining', 3, null],
    ['hardhat', 'evm_setIntervalMining', 3000, true],
    ['anvil', 'anvil_setIntervalMining', 3, null],
    ['hardhat', 'anvil_setIntervalMining', 3, true],
  ] as const)('in %s %s takes %i for three seconds', async (flavor, method, period, answer) => {
    const scene = await startScene({ flavor, production: 'manual' })
    await scene.chain.advance(1000)
    expect(await scene.ask(method, period)).toBe(answer)
    await scene.chain.advance(2999)
    expect(await timestamps(scene)).toEqual([])
    await scene.chain.advance(6001)
    expect(await timestamps(scene)).toEqual([4, 7, 10])
    expect(scene.chain.settings.blockTimeMs).toBe(3000)
    await scene.ask(method, 0)
    await scene.chain.advance(10_000)
    expect(await timestamps(scene)).toEqual([4, 7, 10])
  })

  test('has partial blocks in between, with their share of the gas', async () => {
    const scene = await startScene({ production: 'manual', genesis: { gasLimit: 210_000 } })
    await scene.ask('anvil_setIntervalMining', 1)
    const seen: number[] = []
    scene.chain.on('partialBlock', ({ transactionHashes }) => void seen.push(transactionHashes.length))
    for (let nonce = 0; nonce < 5; nonce++) await scene.send(alice, transfer(BOB, nonce))
    await scene.chain.advance(1000)
    // Five to a block: each brings it to 42,000 gas more, which are two transfers.
    expect(seen).toEqual([2, 2, 1, 0, 0])
    expect(await counts(scene)).toEqual([5])
  })

  test('started while transactions are pre-confirmed, their block is sealed a period later', async () => {
    const scene = await startScene()
    await send(scene)
    await scene.chain.advance(200)
    await scene.ask('anvil_setIntervalMining', 10)
    await scene.chain.advance(9999)
    expect(await timestamps(scene)).toEqual([])
    await scene.chain.advance(1)
    expect([await timestamps(scene), await counts(scene)]).toEqual([[2], [1]])
  })

  test('between bounds is drawn for each block, and the same on every run', async () => {
    const times = async (seed: number): Promise<number[]> => {
      const scene = await startScene({ flavor: 'hardhat', seed })
      await scene.ask('evm_setIntervalMining', [1000, 9000])
      const seen: number[] = [scene.chain.now]
      scene.chain.on('sealedBlock', ({ atMs }) => void seen.push(atMs))
      await scene.chain.advance(200_000)
      return seen.slice(1).map((at, i) => at - (seen[i] as number))
    }
    const periods = await times(1)
    expect(periods.length).toBeGreaterThanOrEqual(22)
    expect(Math.min(...periods)).toBeGreaterThanOrEqual(1000)
    expect(Math.max(...periods)).toBeLessThanOrEqual(9000)
    expect(new Set(periods).size).toBeGreaterThan(10)
    expect(await times(1)).toEqual(periods)
    expect(await times(2)).not.toEqual(periods)
  })

  test('between bounds goes on in a loaded chain as in the one that was dumped', async () => {
    const { chain, ask } = await startScene({ flavor: 'hardhat' })
    await ask('evm_setIntervalMining', [1000, 9000])
    const copy = chain.clone()
    await copy.load(await chain.dump())
    const heads = async (each: typeof chain) => {
      await each.advance(20_000)
      return each.request('eth_getBlockByNumber', ['latest', false])
    }
    expect(await heads(copy)).toEqual(await heads(chain))
  })

  // In the words of Hardhat and of its JSON reader, serde.
  const disordered = 'Minimum value in range is greater than maximum value'
  const unreadable = 'data did not match any variant of untagged enum IntervalConfig'
  test.each([
    [[2000, 1000], disordered],
    [[1], unreadable],
    [[1, 2, 3], unreadable],
    [[], unreadable],
    [['x', 1], unreadable],
    [[-1, 2], unreadable],
    ['x', unreadable],
    [-1, unreadable],
    [1.5, unreadable],
    [[0, 1000], 'invalid argument 0: expected bounds from 1 in order, got 0, 1000'],
  ])('of %j is refused', async (period, message) => {
    const { ask } = await startScene({ flavor: 'hardhat' })
    await expect(ask('evm_setIntervalMining', period)).rejects.toMatchObject({
      kind: 'invalidParameter',
      code: -32602,
      message,
    })
    expect(await ask('anvil_getIntervalMining')).toBe(2)
  })

  test('that would reach beyond the end of time is refused', async () => {
    const { ask } = await startScene()
    await expect(ask('anvil_setIntervalMining', 300_000_000_000)).rejects.toMatchObject({
      kind: 'timeOutOfRange',
    })
  })
})

describe('miner_start and miner_stop', () => {
  test('stop and start mining, and pooled transactions are sealed at the start', async () => {
    const scene = await startScene({ flavor: 'ganache', production: 'auto' })
    expect(await scene.ask('miner_stop')).toBe(true)
    expect(await scene.ask('eth_mining')).toBe(false)
    const hash = await send(scene)
    expect(await scene.ask('eth_getTransactionReceipt', hash)).toBeNull()
    expect(await scene.ask('miner_start')).toBe(true)
    expect(await scene.ask('eth_mining')).toBe(true)
    expect(await scene.ask('eth_getTransactionReceipt', hash)).toMatchObject({ blockNumber: '0x1' })
  })

  test('starting with an empty pool, or while blocks are made, seals nothing', async () => {
    const stopped = await startScene({ production: 'manual' })
    await stopped.ask('miner_start', 4)
    expect(await stopped.ask('eth_blockNumber')).toBe('0x0')
    const running = await startScene()
    await send(running)
    await running.ask('miner_start')
    expect(await running.ask('eth_blockNumber')).toBe('0x0')
  })
})

test.each([
  ['interval', true],
  ['auto', true],
  ['manual', false],
] as const)('eth_mining with production %s', async (production, answer) => {
  const chain = await createEmulator({ production })
  expect(await chain.request('eth_mining')).toBe(answer)
})

test('snapshots and clones keep how blocks are made, and a revert undoes it', async () => {
  const scene = await startScene({ flavor: 'hardhat' })
  const before = scene.chain.snapshot()
  await scene.ask('evm_setAutomine', true)
  await scene.ask('evm_setIntervalMining', [5000, 6000])
  const clone = scene.chain.clone()
  await scene.chain.revert(before)
  expect([await scene.ask('anvil_getAutomine'), await scene.ask('anvil_getIntervalMining')]).toEqual([
    false,
    2,
  ])
  expect(await clone.request('anvil_getAutomine')).toBe(true)
  await clone.advance(4999)
  expect(await clone.request('eth_blockNumber')).toBe('0x0')
  await clone.advance(1001)
  expect(await clone.request('eth_blockNumber')).toBe('0x1')
})
