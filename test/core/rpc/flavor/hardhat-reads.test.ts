// Reads in the flavor hardhat. The expected values are the answers of Hardhat's chain (EDR) to the same requests;
// test/interop/edr asks both.

import type { EmulatorOptions } from 'tickchain'
import { describe, expect, test } from 'vitest'
import { ALICE, BOB, startScene } from '../scene.ts'

const POOR = '0x47dc9a4a1ff2436deb1828d038868561c8a5aedf'
const CONTRACT = '0x00000000000000000000000000000000000000cc'
const CALLEE = '0x00000000000000000000000000000000000000dd'
const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`

const begin = (options: EmulatorOptions = {}) =>
  startScene({ flavor: 'hardhat', production: 'auto', ...options })
const withCode = (code: Record<string, `0x${string}`>, options: EmulatorOptions = {}) => {
  const alloc = Object.fromEntries(Object.entries(code).map(([address, each]) => [address, { code: each }]))
  return begin({ genesis: { alloc }, ...options })
}

describe('a call', () => {
  // CALLER BALANCE
  const balance = '0x333160005260206000f3'

  test.each([
    ['a price below the base fee', { gasPrice: '0x1', gas: '0x186a0' }, 900_000n],
    [
      'a fee cap, which leaves no tip at a base fee of zero',
      { maxFeePerGas: '0x9', gas: '0x186a0' },
      10n ** 6n,
    ],
    ['a tip alone', { maxPriorityFeePerGas: '0x2', gas: '0x186a0' }, 800_000n],
    ['a price that its sender cannot pay', { gasPrice: '0x77359400', gas: '0x186a0' }, 0n],
    ['a value beyond what the sender has left', { gasPrice: '0xa', gas: '0x186a0', value: '0x5' }, 0n],
  ])('runs with %s', async (_, fields, left) => {
    const { ask } = await withCode({ [CONTRACT]: balance })
    await ask('hardhat_setBalance', POOR, '0xf4240')
    expect(await ask('eth_call', { from: POOR, to: CONTRACT, ...fields })).toBe(word(left))
    await ask('eth_estimateGas', { from: POOR, to: CONTRACT, ...fields })
    expect(await ask('eth_getBalance', POOR)).toBe('0xf4240')
  })

  test('has 2^24 gas from osaka on, and no more', async () => {
    const { ask } = await withCode({ [CONTRACT]: '0x5a60005260206000f3' }, { hardfork: 'osaka' })
    expect(await ask('eth_call', { to: CONTRACT })).toBe(word(0xffadf6n))
    await expect(ask('eth_call', { to: CONTRACT, gas: '0x5f5e1000' })).rejects.toMatchObject({
      code: -32000,
      message: 'transaction gas limit (1600000000) is greater than the cap (16777216)',
    })
  })

  test.each(['eth_call', 'eth_estimateGas', 'eth_sendTransaction'])(
    '%s: a creation without data is refused',
    async (method) => {
      const { ask } = await begin()
      for (const fields of [{}, { data: '0x' }])
        await expect(ask(method, { from: ALICE, ...fields })).rejects.toMatchObject({
          code: -32000,
          message: 'Contract creation without any data provided',
        })
    },
  )

  test('takes overrides with unknown fields and with keys without 0x', async () => {
    const { ask } = await begin()
    const account = { code: '0x60005460005260206000f3', other: 1, stateDiff: { ['00'.repeat(32)]: word(7n) } }
    expect(await ask('eth_call', { to: BOB }, 'latest', { [BOB.slice(2)]: account })).toBe(word(7n))
    for (const key of ['0x0', `0x${'00'.repeat(31)}`])
      await expect(
        ask('eth_call', { to: BOB }, 'latest', { [BOB]: { stateDiff: { [key]: word(1n) } } }),
      ).rejects.toMatchObject({ code: -32602 })
    await expect(
      ask('eth_call', { to: BOB }, 'latest', { [BOB]: { state: {}, stateDiff: {} } }),
    ).rejects.toMatchObject({ code: -32000 })
  })
})

describe('an estimate', () => {
  /** Calls a contract that never ends with 5,000 gas, and goes on. */
  const careless = {
    [CONTRACT]: `0x5f5f5f5f5f73${CALLEE.slice(2)}611388f100`,
    [CALLEE]: '0x5b5f56',
  } as const

  test('is refused where a call inside runs out of gas, whatever the gas', async () => {
    const { ask } = await withCode(careless)
    await expect(ask('eth_estimateGas', { from: ALICE, to: CONTRACT })).rejects.toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^Gas estimation failed: an internal call runs out of gas regardless/),
    })
  })

  test('in the mode topLevelSuccess is of the call alone', async () => {
    const { ask } = await withCode(careless, { gasEstimationMode: 'topLevelSuccess' })
    expect(BigInt((await ask('eth_estimateGas', { from: ALICE, to: CONTRACT })) as string)).toBeLessThan(
      40_000n,
    )
  })

  test('that must do without a shortage inside has the gas for it', async () => {
    // Forty loads of one slot: 21,000 and the call, 2,600 and 2,100 for what is cold, 39 warm loads, their zeros.
    const code = {
      [CONTRACT]: `0x5f5f5f5f5f73${CALLEE.slice(2)}5af100`,
      [CALLEE]: `0x${'5f54'.repeat(40)}`,
    } as const
    const estimateIn = async (options: EmulatorOptions) => {
      const { ask } = await withCode(code, options)
      return BigInt((await ask('eth_estimateGas', { from: ALICE, to: CONTRACT })) as string)
    }
    const [careful, bare] = [await estimateIn({}), await estimateIn({ gasEstimationMode: 'topLevelSuccess' })]
    expect(careful).toBeGreaterThanOrEqual(21_000n + 2_600n + 2_100n + 39n * 100n + 40n * 2n)
    expect(bare).toBeLessThanOrEqual(careful)
  })

  test('takes the gas of the request as it is', async () => {
    const { ask } = await begin()
    await expect(ask('eth_estimateGas', { from: ALICE, to: BOB, gas: '0x5207' })).rejects.toMatchObject({
      kind: 'intrinsicGasTooLow',
    })
  })
})

describe('log queries', () => {
  // LOG0 of nothing.
  const emitter = '0x5f5fa000'
  const scene = async () => {
    const { ask, ...rest } = await withCode({ [CONTRACT]: emitter })
    const emit = () => ask('eth_sendTransaction', { from: ALICE, to: CONTRACT })
    const numbers = (logs: unknown) =>
      (logs as { blockNumber: string }[]).map((log) => Number(log.blockNumber))
    return { ...rest, ask, emit, numbers }
  }

  test.each([
    [{ fromBlock: '0x0', toBlock: '0x50' }, [1, 2]],
    [{ toBlock: '0x50' }, [2]],
    [{ fromBlock: '0x5', toBlock: '0x7' }, []],
    [{ fromBlock: '0x2', toBlock: '0x1' }, []],
    [{ toBlock: '0x1' }, []],
    [{ fromBlock: '0x0', other: 1 }, [1, 2]],
  ])('%j of two blocks', async (filter, found) => {
    const { ask, emit, numbers } = await scene()
    await emit()
    await emit()
    expect(numbers(await ask('eth_getLogs', filter))).toEqual(found)
  })

  test('a filter begins with what is there, and both methods take what it has', async () => {
    const { ask, emit, numbers } = await scene()
    await emit()
    const [all, upTo] = [
      await ask('eth_newFilter', { fromBlock: '0x0' }),
      await ask('eth_newFilter', { fromBlock: '0x0', toBlock: '0x2' }),
    ]
    await emit()
    await emit()
    expect(numbers(await ask('eth_getFilterLogs', all))).toEqual([1, 2, 3])
    expect(await ask('eth_getFilterChanges', all)).toEqual([])
    expect(numbers(await ask('eth_getFilterChanges', upTo))).toEqual([1, 2])
    expect(await ask('eth_getFilterLogs', upTo)).toEqual([])
  })

  test('a filter of blocks begins with the head, and has no logs', async () => {
    const { ask } = await begin()
    const head = async () => ((await ask('eth_getBlockByNumber', 'latest', false)) as { hash: string }).hash
    const first = await head()
    const id = await ask('eth_newBlockFilter')
    await ask('evm_mine')
    expect(await ask('eth_getFilterChanges', id)).toEqual([first, await head()])
    expect(await ask('eth_getFilterChanges', id)).toEqual([])
    await expect(ask('eth_getFilterLogs', id)).rejects.toMatchObject({
      code: -32602,
      message: 'Subscription 1 is not a Logs subscription, but a NewHeads subscription',
    })
  })

  test('a block hash that is unknown, or beside a range, is refused', async () => {
    const { ask } = await begin()
    const blockHash = `0x${'33'.repeat(32)}`
    await expect(ask('eth_getLogs', { blockHash })).rejects.toMatchObject({ code: -32602 })
    for (const range of [{ fromBlock: '0x0' }, { toBlock: '0x0' }]) {
      await expect(ask('eth_getLogs', { blockHash, ...range })).rejects.toMatchObject({
        code: -32602,
        message: 'blockHash is mutually exclusive with fromBlock/toBlock',
      })
    }
  })
})

describe('fees', () => {
  test('percentiles are of the gas limit, cheapest tip first', async () => {
    const { ask } = await begin({ genesis: { gasLimit: 60_000_000 } })
    await ask('evm_setAutomine', false)
    await ask('hardhat_setNextBlockBaseFeePerGas', '0x3b9aca00')
    const send = (fees: object) =>
      ask('eth_sendTransaction', { from: ALICE, to: BOB, gas: '0x5208', nonce: undefined, ...fees })
    await send({ maxFeePerGas: '0x2540be400', maxPriorityFeePerGas: '0x3b9aca00' })
    await send({ gasPrice: '0x174876e800' })
    await send({ gasPrice: '0x2540be400' })
    await ask('evm_mine')
    // 21,000 of 60,000,000 are 0.035%.
    const asked = [0, 0.0175, 0.035, 0.0525, 0.07, 0.105, 100]
    const history = await ask('eth_feeHistory', '0x1', 'latest', asked)
    const [low, middle, high] = ['0x3b9aca00', '0x218711a00', '0x170cdc1e00']
    expect(history).toMatchObject({ reward: [[low, low, low, middle, middle, high, high]] })
    expect(history).not.toHaveProperty('baseFeePerBlobGas')
  })

  test.each([
    [['0x0', 'latest'], 'blockCount should be at least 1'],
    [['0x401', 'latest'], 'blockCount should be at most 1024'],
    [
      ['0x1', 'latest', [1, 2, -1]],
      'The reward percentile number 3 is invalid. It must be a float between 0 and 100, but is -1 instead.',
    ],
    [
      ['0x1', 'latest', [1, 2, 2, 1]],
      'The reward percentiles should be in non-decreasing order, but the percentile number 3 is greater than the next one',
    ],
  ])('eth_feeHistory %j is refused', async (params, message) => {
    const { ask } = await begin()
    await expect(ask('eth_feeHistory', ...params)).rejects.toMatchObject({ code: -32000, message })
  })
})

describe('before later forks', () => {
  const fieldsOf = (value: unknown) => Object.keys(value as object)

  test.each([
    ['byzantium', [], []],
    ['berlin', ['type'], []],
    ['london', ['type'], ['effectiveGasPrice']],
  ] as const)('the fields of a legacy transaction and its receipt in %s', async (hardfork, typed, priced) => {
    const { ask } = await begin({ hardfork })
    const hash = await ask('eth_sendTransaction', { from: ALICE, to: BOB, gasPrice: '0x77359400' })
    const transaction = fieldsOf(await ask('eth_getTransactionByHash', hash))
    const later = ['type', 'chainId', 'accessList', 'yParity', 'blockTimestamp']
    expect(transaction.filter((name) => later.includes(name))).toEqual(typed)
    const receipt = fieldsOf(await ask('eth_getTransactionReceipt', hash))
    expect(receipt.filter((name) => ['type', 'effectiveGasPrice', 'root'].includes(name)).sort()).toEqual([
      ...priced,
      ...typed,
    ])
    expect(receipt).toContain('status')
    expect(await ask('eth_getBlockByNumber', 'latest', false)).toHaveProperty('totalDifficulty')
  })

  test('berlin has no fee history, no fee caps, no safe block, and a price of 8 gwei', async () => {
    const { ask } = await begin({ hardfork: 'berlin' })
    expect(await ask('eth_gasPrice')).toBe('0x1dcd65000')
    for (const [method, ...params] of [
      ['eth_call', { to: BOB, maxFeePerGas: '0x1' }],
      ['eth_sendTransaction', { from: ALICE, to: BOB, maxFeePerGas: '0x1' }],
      ['eth_getBalance', ALICE, 'safe'],
      ['eth_getLogs', { toBlock: 'finalized' }],
      ['eth_newFilter', { toBlock: 'finalized' }],
    ] as const)
      await expect(ask(method, ...params), method).rejects.toMatchObject({ code: -32602 })
    for (const [method, ...params] of [
      ['eth_getBlockByNumber', 'safe', false],
      ['eth_getBlockTransactionCountByNumber', 'safe'],
      ['eth_getTransactionByBlockNumberAndIndex', 'safe', '0x0'],
      ['eth_getCode', ALICE, 'safe'],
      ['eth_getStorageAt', ALICE, '0x0', 'safe'],
      ['eth_getTransactionCount', ALICE, 'safe'],
      ['eth_call', { to: BOB }, 'safe'],
      ['eth_estimateGas', { to: BOB }, 'safe'],
    ] as const)
      await expect(ask(method, ...params), method).rejects.toMatchObject({
        message:
          "The 'safe' block tag is not allowed in pre-merge hardforks. You are using the 'Berlin' hardfork.",
      })
    await expect(ask('eth_feeHistory', '0x1', 'latest')).rejects.toMatchObject({
      code: -32000,
      message: 'eth_feeHistory is disabled. It only works with the London hardfork or a later one.',
    })
  })

  test('petersburg has no access lists', async () => {
    const { ask } = await begin({ hardfork: 'petersburg' })
    await expect(ask('eth_call', { to: BOB, accessList: [] })).rejects.toMatchObject({ code: -32602 })
  })
})

test('a block number with requireCanonical is refused, a block hash is not', async () => {
  const { ask } = await begin()
  const { hash } = (await ask('eth_getBlockByNumber', '0x0', false)) as { hash: string }
  await expect(
    ask('eth_getBalance', BOB, { blockNumber: '0x0', requireCanonical: true }),
  ).rejects.toMatchObject({
    code: -32602,
  })
  expect(await ask('eth_getBalance', POOR, { blockHash: hash, requireCanonical: true })).toBe('0x0')
})

describe('in every flavor', () => {
  test.each(['anvil', 'hardhat', 'ganache'] as const)('%s: a slot needs no 0x', async (flavor) => {
    const { ask } = await startScene({
      flavor,
      genesis: { alloc: { [CONTRACT]: { storage: { '0x0a': '0x07' } } } },
    })
    for (const slot of ['0xa', '0xA', '0x00A', 'A', '0a', 'a'.padStart(64, '0')])
      expect(await ask('eth_getStorageAt', CONTRACT, slot, 'latest'), slot).toBe(word(7n))
    for (const slot of ['', '0xABCDEFG', `0x${'0'.repeat(65)}`, '0'.repeat(65)])
      await expect(ask('eth_getStorageAt', CONTRACT, slot, 'latest'), slot).rejects.toMatchObject({
        code: -32602,
      })
  })

  test.each(['anvil', 'hardhat', 'ganache'] as const)(
    '%s: an access list without a price is type 1',
    async (flavor) => {
      const { ask, chain } = await startScene({ flavor, hardfork: 'berlin' })
      const request = { from: ALICE, to: BOB, accessList: [{ address: BOB, storageKeys: [] }] }
      const hash = await ask('eth_sendTransaction', request)
      await chain.seal()
      expect(await ask('eth_getTransactionByHash', hash)).toMatchObject({
        type: '0x1',
        accessList: request.accessList,
      })
    },
  )

  test('the network id is an option', async () => {
    const { ask } = await startScene({ chainId: 77, networkId: 55 })
    expect(await ask('net_version')).toBe('55')
    expect(await ask('eth_chainId')).toBe('0x4d')
  })

  test('a call on a genesis before london takes any fee', async () => {
    const { ask } = await startScene({ hardfork: 'berlin' })
    expect(await ask('eth_call', { from: ALICE, to: BOB, gasPrice: '0x1' })).toBe('0x')
  })

  test('an estimate without a fee sees a base fee of zero, as a call does', async () => {
    // Reverts if BASEFEE is not zero.
    const alloc = { [CONTRACT]: { code: '0x48600557005b5f5ffd' } } as const
    const { ask } = await startScene({ genesis: { alloc } })
    expect(await ask('eth_estimateGas', { from: ALICE, to: CONTRACT })).toBe('0x5217')
  })
})
