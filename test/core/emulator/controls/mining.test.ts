// Time, mining and block settings as functions of an emulator: the same effects as the RPC methods, and refusals.

import { createEmulator, type Emulator } from 'tickchain'
import { hexToNumber, numberToHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'

const START = 1_704_067_200
const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const RANDAO = `0x${'2A'.padStart(64, '0')}` as const

let chain: Emulator

beforeEach(async () => {
  chain = await createEmulator()
})

async function timestamps(): Promise<number[]> {
  const head = hexToNumber(await chain.request('eth_blockNumber'))
  const blocks = await Promise.all(
    Array.from({ length: head }, (_, i) =>
      chain.request('eth_getBlockByNumber', [numberToHex(i + 1), false]),
    ),
  )
  return blocks.map((block) => hexToNumber(block!.timestamp) - START)
}

const latest = () => chain.request('eth_getBlockByNumber', ['latest', false])

describe('time', () => {
  test('increaseTime and setTime move the clock and seal nothing', async () => {
    await chain.increaseTime({ seconds: 60 })
    expect(chain.now).toBe((START + 60) * 1000)
    await chain.setTime(START + 30)
    expect(chain.now).toBe((START + 30) * 1000)
    await chain.advance(2000)
    expect(await timestamps()).toEqual([32])
  })

  test('setNextBlockTimestamp and setBlockTimestampInterval decide timestamps', async () => {
    await chain.setBlockTimestampInterval({ seconds: 12 })
    await chain.setNextBlockTimestamp(START + 5)
    await chain.mine(3)
    await chain.removeBlockTimestampInterval()
    await chain.mine()
    expect(await timestamps()).toEqual([5, 17, 29, 31])
  })
})

describe('mine', () => {
  test('seals one block or many', async () => {
    await chain.mine()
    await chain.mine(2)
    await chain.mine(0)
    expect(await timestamps()).toEqual([2, 4, 6])
  })

  test('with an interval, a timestamp, or both', async () => {
    await chain.mine(2, { intervalSeconds: 60 })
    await chain.mine(2, { timestamp: START + 200 })
    await chain.mine(2, { timestamp: START + 300, intervalSeconds: 7 })
    expect(await timestamps()).toEqual([60, 120, 200, 202, 300, 307])
  })
})

describe('when blocks are made', () => {
  const send = () => chain.request('eth_sendTransaction', [{ to: ADDRESS }])
  const head = async () => hexToNumber(await chain.request('eth_blockNumber'))

  test('setProduction does what the option does', async () => {
    await chain.setProduction('auto')
    await send()
    await chain.advance(10_000)
    expect(await head()).toBe(1)
    await chain.setProduction('manual')
    await send()
    await chain.advance(10_000)
    expect(await head()).toBe(1)
    expect(await chain.request('eth_getBlockTransactionCountByNumber', ['pending'])).toBe('0x1')
    await chain.setProduction('interval')
    await chain.advance(1999)
    expect(await head()).toBe(1)
    await chain.advance(1)
    expect(await head()).toBe(2)
  })

  test('setAutomine and setIntervalMining are independent of each other', async () => {
    await chain.setAutomine(true)
    await send()
    expect(await head()).toBe(1)
    await chain.advance(2000)
    expect(await head()).toBe(2)
    await chain.setIntervalMining({ ms: 500 })
    await chain.advance(1000)
    expect(await head()).toBe(4)
    await chain.setIntervalMining({ ms: 0 })
    await chain.advance(10_000)
    await send()
    expect(await head()).toBe(5)
    await chain.setAutomine(false)
    await send()
    expect(await head()).toBe(5)
  })
})

test('header fields of blocks', async () => {
  await chain.setCoinbase(ADDRESS)
  await chain.setBlockGasLimit('1000000')
  await chain.setNextBlockBaseFee(777n)
  await chain.setNextBlockPrevRandao(RANDAO)
  await chain.setExtraData('0xC0FFEE')
  await chain.setChainId(10)
  await chain.mine()
  expect(await latest()).toMatchObject({
    miner: ADDRESS.toLowerCase(),
    gasLimit: numberToHex(1_000_000),
    baseFeePerGas: numberToHex(777),
    mixHash: RANDAO.toLowerCase(),
    extraData: '0xc0ffee',
  })
  expect([await chain.request('eth_chainId'), chain.settings.chainId]).toEqual(['0xa', 10])
})

describe('extra data', () => {
  test('may be bytes, which are copied', async () => {
    const bytes = Uint8Array.of(1, 2)
    await chain.setExtraData(bytes)
    bytes.fill(9)
    await chain.mine()
    expect((await latest())?.extraData).toBe('0x0102')
  })

  test.each([
    ['0x1', 'invalidCall'],
    [5, 'invalidCall'],
    [undefined, 'invalidCall'],
    [`0x${'ee'.repeat(33)}`, 'extraDataTooLong'],
  ])('is not %s', async (value, kind) => {
    await expect(chain.setExtraData(value as never)).rejects.toMatchObject({ kind })
  })
})

describe('the least price that the pool accepts', () => {
  const request = { to: ADDRESS, value: '0x1', gas: '0x5208' } as const

  test('is a tip where there is a base fee', async () => {
    await chain.setMinimumTip(2_000_000_000)
    const offer = (maxPriorityFeePerGas: `0x${string}`) =>
      chain.request('eth_sendTransaction', [{ ...request, maxPriorityFeePerGas }])
    await expect(offer(numberToHex(1_999_999_999))).rejects.toMatchObject({ kind: 'tipTooLow' })
    await offer(numberToHex(2_000_000_000))
    expect(await chain.request('eth_maxPriorityFeePerGas')).toBe(numberToHex(2_000_000_000))
    await expect(chain.setMinGasPrice(1)).rejects.toMatchObject({
      kind: 'replacedByBaseFee',
      message: 'setMinGasPrice is not supported when EIP-1559 is active',
    })
  })

  test('is a gas price before london', async () => {
    const early = await createEmulator({ hardfork: 'berlin' })
    await early.setMinGasPrice('3000000000')
    const offer = (gasPrice: `0x${string}`) =>
      early.request('eth_sendTransaction', [{ ...request, gasPrice }])
    await expect(offer(numberToHex(2_999_999_999))).rejects.toMatchObject({ kind: 'tipTooLow' })
    await offer(numberToHex(3_000_000_000))
  })
})

const calls = [
  'increaseTime',
  'setTime',
  'setNextBlockTimestamp',
  'setBlockTimestampInterval',
  'mine',
  'setProduction',
  'setAutomine',
  'setIntervalMining',
  'setCoinbase',
  'setBlockGasLimit',
  'setNextBlockBaseFee',
  'setNextBlockPrevRandao',
  'setMinimumTip',
  'setMinGasPrice',
  'setChainId',
] as const

const wrong = [null, -1, 0.5, Number.NaN, 2 ** 53, 'x', '0x', {}, [], { seconds: -1 }, { ms: '1' }, () => 1]

test.each(calls)('%s refuses invalid values, and nothing has changed', async (call) => {
  const before = await chain.request('eth_getBlockByNumber', ['pending', true])
  const control = chain[call] as (argument: unknown) => Promise<void>
  for (const argument of wrong) {
    await expect(control(argument), String(argument)).rejects.toMatchObject({
      kind: 'invalidCall',
      code: -32602,
    })
  }
  expect(chain.now).toBe(START * 1000)
  expect(await chain.request('eth_getBlockByNumber', ['pending', true])).toEqual(before)
})

test.each([
  { timestamp: -1 },
  { timestamp: '5' },
  { intervalSeconds: 0 },
  { intervalSeconds: 1.5 },
  5,
  'x',
  [],
])('mine refuses %j', async (options) => {
  await expect(chain.mine(1, options as never)).rejects.toMatchObject({ kind: 'invalidCall' })
  expect(await chain.request('eth_blockNumber')).toBe('0x0')
})
