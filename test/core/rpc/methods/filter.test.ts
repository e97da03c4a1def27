import { describe, expect, test } from 'vitest'
import { startScene } from '../scene.ts'

describe('a filter with a block hash and a range', () => {
  async function askWith(logFilterBlockHash: 'wins' | 'exclusive', range: object) {
    const { chain, ask } = await startScene({ logFilterBlockHash })
    await chain.seal()
    const { hash } = await ask<{ hash: string }>('eth_getBlockByNumber', 'latest', false)
    const filter = { blockHash: hash, ...range }
    return { logs: () => ask('eth_getLogs', filter), filter: () => ask('eth_newFilter', filter) }
  }

  const ranges = [{ fromBlock: '0x0' }, { toBlock: '0x0' }, { fromBlock: '0x0', toBlock: 'latest' }]

  test.each(ranges)('the hash wins over %o (specification, part 2)', async (range) => {
    const { logs, filter } = await askWith('wins', range)
    expect(await logs()).toEqual([])
    expect(await filter()).toBe('0x1')
  })

  test.each(ranges)('or %o is refused beside it, as in geth', async (range) => {
    const { logs, filter } = await askWith('exclusive', range)
    const refusal = {
      code: -32602,
      message:
        'invalid argument 0: cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other',
    }
    await expect(logs()).rejects.toMatchObject(refusal)
    await expect(filter()).rejects.toMatchObject(refusal)
  })

  test('without a range it is accepted either way', async () => {
    expect(await (await askWith('exclusive', {})).logs()).toEqual([])
    expect(await (await askWith('exclusive', { fromBlock: null })).logs()).toEqual([])
  })
})

describe('a filter for logs to come', () => {
  test.each([
    { fromBlock: '0x5', toBlock: '0x2' },
    { toBlock: 'earliest' },
    { fromBlock: '0x0', toBlock: 'finalized' },
    { toBlock: 'safe' },
  ])('is refused if none can come: %o', async (range) => {
    const { ask } = await startScene()
    await expect(ask('eth_newFilter', range)).rejects.toMatchObject({
      code: -32602,
      message: 'invalid block range params',
    })
  })

  test('may begin at any tag', async () => {
    const { ask } = await startScene()
    for (const fromBlock of ['earliest', 'finalized', 'safe', 'latest', 'pending', '0x9']) {
      expect(await ask('eth_newFilter', { fromBlock })).toMatch(/^0x/)
    }
  })
})

describe('a key that a filter does not have', () => {
  test.each([
    ['eth_getLogs', [{ adress: [] }], '0.adress: unknown field, did you mean address?'],
    ['eth_newFilter', [{ topic: [] }], '0.topic: unknown field, did you mean topics?'],
    ['eth_subscribe', ['logs', { adress: [] }], '1.adress: unknown field, did you mean address?'],
    ['eth_subscribe', ['pendingLogs', { blockhash: null }], 'did you mean blockHash?'],
    ['eth_subscribe', ['transactionReceipts', { hashes: [] }], '1.hashes: expected one of fromBlock, '],
    [
      'eth_getLogs',
      [{ owner: 1 }],
      '0.owner: expected one of fromBlock, toBlock, blockHash, address, topics, got',
    ],
  ])('is refused by %s: %j', async (method, params, words) => {
    const { ask } = await startScene()
    await expect(ask(method, ...params)).rejects.toMatchObject({
      kind: 'invalidParameter',
      message: expect.stringContaining(words),
    })
  })
})
