// Specification, part 8: limits, each an option.

import type { Emulator, EmulatorOptions, LimitOptions } from 'tickchain'
import { type Hex, numberToHex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { ask, GWEI, increment, post, resultOf, rpcRequest, start, type WireAnswer } from './setup.ts'

const TO: Hex = `0x${'ab'.repeat(20)}`

describe('block range of eth_getLogs', () => {
  let chain: Emulator

  // 2,100 blocks; the first and the last hold a log, whose data are 1 and 2. A third is pre-confirmed.
  beforeAll(async () => {
    const scene = await start({ production: 'manual' })
    chain = scene.chain
    const [sender] = scene.wallets
    await increment(sender)
    await resultOf(chain, 'evm_mine', [{ blocks: 2099 }])
    await increment(sender)
    await resultOf(chain, 'evm_mine')
    await increment(sender)
    await chain.advance(200)
    expect(await resultOf(chain, 'eth_blockNumber')).toBe(numberToHex(2100))
  })

  async function logsOf(
    fromBlock: number | string,
    toBlock: number | string,
  ): Promise<number[] | WireAnswer['error']> {
    const [from, to] = [fromBlock, toBlock].map((it) => (typeof it === 'number' ? numberToHex(it) : it))
    const { error, result } = await ask(chain, 'eth_getLogs', [{ fromBlock: from, toBlock: to }])
    return error ?? (result as { data: Hex }[]).map(({ data }) => Number(data))
  }

  const tooWide = { code: -32602, message: 'query exceeds max block range 2000' }

  test.each([
    [1, 2000, [1]],
    [101, 2100, [2]],
    [101, 'latest', [2]],
    [101, 'pending', [2, 3]],
    ['latest', 'pending', [2, 3]],
    ['pending', 'pending', [3]],
  ])('part 8: a range of up to 2,000 blocks is answered: %s to %s', async (from, to, expected) => {
    expect(await logsOf(from, to)).toEqual(expected)
  })

  test.each([
    [0, 2000],
    [1, 2001],
    [100, 'latest'],
    [100, 'pending'],
    ['earliest', 'latest'],
    ['earliest', 'safe'],
  ])('part 8: a larger range is rejected, saying how many blocks it may have: %s to %s', async (from, to) => {
    expect(await logsOf(from, to)).toEqual(tooWide)
  })

  test('part 8: the limit is one of ranges: a block by hash, however far back, is answered', async () => {
    const { hash: blockHash } = await resultOf<{ hash: Hex }>(chain, 'eth_getBlockByNumber', ['0x1', false])
    expect(await resultOf(chain, 'eth_getLogs', [{ blockHash }])).toHaveLength(1)
  })

  test('part 8: the logs of a filter have the same limit', async () => {
    const filter = { fromBlock: 'earliest', toBlock: 'latest' }
    const id = await resultOf(chain, 'eth_newFilter', [filter])
    expect((await ask(chain, 'eth_getFilterLogs', [id])).error).toEqual(tooWide)
  })

  test('part 8: limits.logBlockRange is the limit', async () => {
    const { chain: small } = await start({ limits: { logBlockRange: 3 } })
    await resultOf(small, 'evm_mine', [{ blocks: 5 }])
    const logs = (fromBlock: string, toBlock: string) => ask(small, 'eth_getLogs', [{ fromBlock, toBlock }])
    expect((await logs('0x1', '0x3')).result).toEqual([])
    expect((await logs('0x1', '0x4')).error).toEqual({
      code: -32602,
      message: 'query exceeds max block range 3',
    })
  })
})

describe('refresh interval of pending state', () => {
  async function expectRefreshes(everyMs: number, options?: EmulatorOptions): Promise<void> {
    const { chain, wallets } = await start(options)
    const [sender] = wallets
    const seen = async () => [
      await resultOf(chain, 'eth_getTransactionCount', [sender.address, 'pending']),
      (await resultOf<unknown[]>(chain, 'eth_getBlockReceipts', ['pending'])).length,
    ]
    for (let partial = 1; partial <= 3; partial++) {
      await sender.send({ to: TO, value: 1n })
      await chain.advance(everyMs - 1)
      expect(await seen()).toEqual([numberToHex(partial - 1), partial - 1])
      await chain.advance(1)
      expect(await seen()).toEqual([numberToHex(partial), partial])
    }
  }

  test('part 8: reads with pending are refreshed every 200 ms, to the millisecond of the virtual clock', async () => {
    await expectRefreshes(200)
  })

  test.each([[50], [250], [1000]])(
    'part 8: partialBlockTimeMs is the interval: %i',
    async (partialBlockTimeMs) => {
      await expectRefreshes(partialBlockTimeMs, { partialBlockTimeMs, blockTimeMs: 4000 })
    },
  )

  test('part 8: between two refreshes nothing changes', async () => {
    const { chain, wallets } = await start()
    await wallets[0].send({ to: TO, value: 1n })
    await chain.advance(200)
    const pending = () => chain.handle(rpcRequest('eth_getBlockByNumber', ['pending', true]))
    const before = await pending()
    await wallets[0].send({ to: TO, value: 1n })
    await chain.advance(199)
    expect(await pending()).toEqual(before)
  })
})

describe('minimum gas price increase for a replacement transaction', () => {
  async function replaceBy(percent: bigint, replacementBumpPercent?: number): Promise<unknown> {
    const limits = replacementBumpPercent === undefined ? {} : { replacementBumpPercent }
    const { wallets } = await start({ limits })
    const send = (fee: bigint) => wallets[0].send({ type: 'legacy', to: TO, nonce: 0, fee })
    await send(100n * GWEI)
    return send((100n + percent) * GWEI).catch(({ code, message }) => ({ code, message }))
  }

  const underpriced = { code: -32000, message: 'replacement transaction underpriced' }

  test('part 8: it is 10%', async () => {
    expect(await replaceBy(9n)).toEqual(underpriced)
    expect(await replaceBy(10n)).toMatch(/^0x/)
  })

  test('part 8: limits.replacementBumpPercent is the increase', async () => {
    expect(await replaceBy(24n, 25)).toEqual(underpriced)
    expect(await replaceBy(25n, 25)).toMatch(/^0x/)
    expect(await replaceBy(100n, 101)).toEqual(underpriced)
  })

  test('part 8: of 0 it still is an increase', async () => {
    expect(await replaceBy(0n, 0)).toMatchObject({ code: -32000 })
    expect(await replaceBy(1n, 0)).toMatch(/^0x/)
  })
})

describe('limits that it leaves open', () => {
  test('part 8: there is no rate limit', async () => {
    const { chain } = await start()
    const batch = Array.from({ length: 1000 }, (_, id) => rpcRequest('eth_blockNumber', [], id))
    for (let round = 0; round < 5; round++) {
      const answers = (await post(chain, batch)) as WireAnswer[]
      expect(answers.filter(({ error }) => error !== undefined)).toEqual([])
    }
  })

  test.each([
    [{ logBlockRange: 0 }, 'limits.logBlockRange'],
    [{ batchLength: 1.5 }, 'limits.batchLength'],
    [{ bodyBytes: -1 }, 'limits.bodyBytes'],
    [{ syncTimeoutMs: Number.NaN }, 'limits.syncTimeoutMs'],
    [{ replacementBumpPercent: -1 }, 'limits.replacementBumpPercent'],
    [{ rateLimit: 1 }, 'limits.rateLimit'],
  ])('part 8: a limit that is none is refused by name: %j', async (limits, option) => {
    await expect(start({ limits: limits as LimitOptions })).rejects.toMatchObject({
      kind: 'invalidOption',
      message: expect.stringContaining(`invalid option ${option}:`),
    })
  })
})
