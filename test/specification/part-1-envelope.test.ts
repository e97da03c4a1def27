// Specification, part 1: the request and response envelope. Where it says only "JSON-RPC 2.0", the statements and
// examples are those of the JSON-RPC 2.0 Specification (sections 4 to 7).

import { JsonRpcApiProvider, type JsonRpcPayload, type JsonRpcResult, Network } from 'ethers'
import type { Emulator } from 'tickchain'
import { describe, expect, test } from 'vitest'
import { ask, COUNTER, post, resultOf, rpcRequest, start, type WireAnswer, word } from './setup.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`
const UNKNOWN_HASH = `0x${'11'.repeat(32)}`

/** An error answer with a code, whatever its words. */
function errorAnswer(id: unknown, code: number) {
  return { jsonrpc: '2.0', id, error: { code, message: expect.any(String) } }
}

describe('request and response', () => {
  test('part 1: a request as text is answered by text with jsonrpc "2.0", its id and its result', async () => {
    const { chain } = await start()
    const text = await chain.handle('{"jsonrpc":"2.0","method":"eth_chainId","params":[],"id":7}')
    // The default chain id, 31337, is 0x7a69.
    expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id: 7, result: '0x7a69' })
  })

  test('part 1: a request as an object is answered by an object', async () => {
    const { chain } = await start()
    expect(await chain.handle(rpcRequest('eth_chainId', [], 7))).toStrictEqual({
      jsonrpc: '2.0',
      id: 7,
      result: '0x7a69',
    })
  })

  test.each([
    ['eth_getBlockByNumber', ['pending', true]],
    ['eth_getLogs', [{ fromBlock: 'earliest', toBlock: 'pending' }]],
    ['eth_getBlockReceipts', ['pending']],
    ['eth_sendRawTransaction', ['0x01']],
    ['eth_getTransactionCount', [ADDRESS, 'pending']],
    ['eth_getBalance', [ADDRESS, 'pending']],
    ['eth_getBlockByNumber', ['0xff', true]],
    ['eth_call', [{ to: COUNTER, data: '0x2baeceb7' }]],
  ])(
    'part 1: %s answers text and object alike, with nothing that JSON does not carry',
    async (method, params) => {
      const { chain, wallets } = await start()
      await wallets[0].send({ to: wallets[1].address, value: 1n })
      await chain.advance(200)
      const request = rpcRequest(method, params)
      expect(await chain.handle(request)).toStrictEqual(
        JSON.parse(await chain.handle(JSON.stringify(request))),
      )
    },
  )

  test("part 1: an answer is the caller's own: changing it changes no later answer", async () => {
    const { chain, wallets } = await start()
    const accessList = [{ address: COUNTER, storageKeys: [word(0)] }]
    // increment() emits one event.
    await wallets[0].send({ type: 'eip2930', to: COUNTER, data: '0xd09de08a', gas: 100_000n, accessList })
    await chain.advance(200)
    const requests = [
      rpcRequest('eth_getLogs', [{ fromBlock: 'pending', toBlock: 'pending' }]),
      rpcRequest('eth_getBlockByNumber', ['pending', true]),
      rpcRequest('eth_getBlockReceipts', ['pending']),
      rpcRequest('eth_accounts'),
    ]
    const before = JSON.stringify(await chain.handle(requests))
    expect(before).toContain(word(0))
    spoil(await chain.handle(requests))
    expect(JSON.stringify(await chain.handle(requests))).toBe(before)
  })

  test('part 1: an answer has a result or an error, never both', async () => {
    const { chain } = await start()
    expect(Object.keys(await ask(chain, 'eth_chainId')).sort()).toEqual(['id', 'jsonrpc', 'result'])
    expect(Object.keys(await ask(chain, 'eth_nothing')).sort()).toEqual(['error', 'id', 'jsonrpc'])
  })

  test('part 1: a result of null is in the answer', async () => {
    const { chain } = await start()
    const answer = await ask(chain, 'eth_getTransactionReceipt', [UNKNOWN_HASH])
    expect(answer).toStrictEqual({ jsonrpc: '2.0', id: 1, result: null })
  })

  test.each([[1], [0], [-5], [1.5], [2 ** 53 - 1], ['abc'], [''], [null]])(
    'part 1: the id %j is echoed in the response, whether it is a result or an error',
    async (id) => {
      const { chain } = await start()
      const request = { jsonrpc: '2.0', id, params: [] }
      expect(await post(chain, { ...request, method: 'eth_blockNumber' })).toEqual({
        jsonrpc: '2.0',
        id,
        result: '0x0',
      })
      expect(await post(chain, { ...request, method: 'eth_nothing' })).toEqual(errorAnswer(id, -32601))
    },
  )

  test('part 1: a request without an id is a notification: it is carried out and not answered', async () => {
    const { chain } = await start()
    expect(await chain.handle('{"jsonrpc":"2.0","method":"evm_mine"}')).toBe('')
    expect(await chain.handle({ jsonrpc: '2.0', method: 'evm_mine' })).toBeUndefined()
    expect(await chain.handle({ jsonrpc: '2.0', method: 'evm_mine', id: undefined })).toBeUndefined()
    expect(await resultOf(chain, 'eth_blockNumber')).toBe('0x3')
  })

  test('part 1: a notification is not answered even where it fails', async () => {
    const { chain } = await start()
    expect(await chain.handle('{"jsonrpc":"2.0","method":"eth_nothing"}')).toBe('')
    expect(await chain.handle('{"jsonrpc":"2.0","method":"eth_getBalance","params":["0x"]}')).toBe('')
  })
})

describe('what is not a request', () => {
  test.each([
    ['the first example of JSON-RPC 2.0', '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]'],
    [
      'a batch, the second example',
      '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"}, {"jsonrpc": "2.0", "method"]',
    ],
    ['an empty text', ''],
    ['a single quote', "{'jsonrpc': '2.0'}"],
  ])('part 1: invalid JSON -> -32700 with the id null: %s', async (_, text) => {
    const { chain } = await start()
    expect(await post(chain, text)).toEqual(errorAnswer(null, -32700))
  })

  test.each([
    ['an object of another kind', {}, null],
    ['the example of JSON-RPC 2.0', { jsonrpc: '2.0', method: 1, params: 'bar' }, null],
    ['a method that is a number', { jsonrpc: '2.0', method: 1, id: 3 }, 3],
    ['no method', { jsonrpc: '2.0', id: 3 }, 3],
    ['an id that is an object', { jsonrpc: '2.0', method: 'eth_chainId', id: {} }, null],
    ['an id that is true', { jsonrpc: '2.0', method: 'eth_chainId', id: true }, null],
    ['a number', 42, null],
    ['null', null, null],
    ['text', '"eth_chainId"', null],
  ])('part 1: JSON that is no request -> -32600 with the id if it has one: %s', async (_, body, id) => {
    const { chain } = await start()
    expect(await post(chain, body)).toEqual(errorAnswer(id, -32600))
  })

  test.each([[undefined], [null], [42], [true]])(
    'part 1: what is handed over instead of an object -> -32600: %s',
    async (body) => {
      const { chain } = await start()
      expect(await chain.handle(body)).toEqual(errorAnswer(null, -32600))
    },
  )
})

describe('methods and parameters', () => {
  test('part 1: a method that is not offered -> -32601, in words that name it', async () => {
    const { chain } = await start()
    expect(await ask(chain, 'eth_mineBitcoin')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32601, message: 'the method eth_mineBitcoin does not exist/is not available' },
    })
  })

  test.each([['constructor'], ['toString'], ['__proto__'], ['ETH_CHAINID'], ['eth_chainId '], ['']])(
    'part 1: method names are exact: %j -> -32601',
    async (method) => {
      const { chain } = await start()
      expect(await ask(chain, method)).toEqual(errorAnswer(1, -32601))
    },
  )

  test('part 1: ethers recognises the words of -32601 as an operation that is not supported', async () => {
    const { chain } = await start()
    const provider = new HandleProvider(chain)
    await expect(provider.send('eth_mineBitcoin', [])).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
      operation: 'eth_mineBitcoin',
    })
    expect(await provider.send('eth_chainId', [])).toBe('0x7a69')
    provider.destroy()
  })

  test.each([
    ['eth_getBlockByNumber', [], /argument 0: block$/],
    ['eth_getBlockByNumber', ['latest'], /argument 1: fullTransactions$/],
    ['eth_getBlockByNumber', [null, true], /argument 0: block$/],
    ['eth_getBlockByNumber', ['newest', true], /argument 0: .*"newest"/],
    ['eth_getBlockByNumber', ['latest', 'true'], /argument 1: .*"true"/],
    ['eth_getBlockByNumber', ['0xzz', true], /argument 0: .*"0xzz"/],
    ['eth_getBlockByNumber', ['16', true], /argument 0: .*"16"/],
    ['eth_getLogs', [], /argument 0: filter$/],
    ['eth_getLogs', ['latest'], /argument 0: .*"latest"/],
    ['eth_getLogs', [{ fromBlock: 'newest' }], /argument 0\.fromBlock: .*"newest"/],
    ['eth_getLogs', [{ toBlock: true }], /argument 0\.toBlock: .*true/],
    ['eth_getLogs', [{ address: '0x12' }], /argument 0\.address: /],
    ['eth_getLogs', [{ address: [ADDRESS, '0x12'] }], /argument 0\.address\[1\]: /],
    ['eth_getLogs', [{ topics: [null, '0x12'] }], /argument 0\.topics\[1\]: /],
    ['eth_getLogs', [{ topics: [[UNKNOWN_HASH, '0x12']] }], /argument 0\.topics\[0\]\[1\]: /],
    ['eth_getLogs', [{ blockHash: '0x12' }], /argument 0\.blockHash: /],
    ['eth_getBlockReceipts', [], /argument 0: block$/],
    ['eth_sendRawTransaction', [], /argument 0: data$/],
    ['eth_sendRawTransaction', ['02f8'], /argument 0: .*"02f8"/],
    ['eth_sendRawTransaction', ['0x02f'], /argument 0: .*"0x02f"/],
    ['eth_getTransactionCount', [], /argument 0: address$/],
    ['eth_getTransactionCount', ['0x12', 'latest'], /argument 0: /],
    ['eth_getTransactionCount', [ADDRESS, 'newest'], /argument 1: .*"newest"/],
    ['eth_getBalance', [], /argument 0: address$/],
    ['eth_getBalance', [ADDRESS.slice(2), 'latest'], /argument 0: /],
    ['eth_getBalance', [ADDRESS, ['latest']], /argument 1: /],
  ])(
    'part 1: parameters are in the order given: %s %j -> -32602 naming the argument',
    async (method, params, words) => {
      const { chain } = await start()
      const { error } = await ask(chain, method, params)
      expect(error?.code).toBe(-32602)
      expect(error?.message).toMatch(words)
    },
  )

  test('part 1: a parameter too many -> -32602 with how many there are', async () => {
    const { chain } = await start()
    const { error } = await ask(chain, 'eth_getBlockByNumber', ['latest', true, true])
    expect(error).toEqual({ code: -32602, message: 'too many arguments, want at most 2' })
  })

  test.each([[{}], [{ params: null }], [{ params: [] }]])(
    'part 1: params that are absent, null or empty are no parameters: %j',
    async (params) => {
      const { chain } = await start()
      const request = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', ...params }
      expect(await post(chain, request)).toEqual({ jsonrpc: '2.0', id: 1, result: '0x0' })
      expect(await chain.handle(request)).toEqual({ jsonrpc: '2.0', id: 1, result: '0x0' })
    },
  )

  test.each([[{ block: 'latest' }], ['latest'], [1], [true]])(
    'part 1: params is an array of positional parameters: %j -> -32602',
    async (params) => {
      const { chain } = await start()
      const answer = await post(chain, { jsonrpc: '2.0', id: 1, method: 'eth_getBlockReceipts', params })
      expect(answer).toEqual(errorAnswer(1, -32602))
      expect((answer as WireAnswer).error?.message).toMatch(/argument params: expected an array/)
    },
  )

  test('part 1: JSON-RPC errors have a code and a message, and data only where there is some', async () => {
    const { chain } = await start()
    // decrement() of a Counter at zero is Panic(0x11), underflow: four bytes of selector and a word.
    const { error } = await ask(chain, 'eth_call', [{ to: COUNTER, data: '0x2baeceb7' }, 'latest'])
    expect(error).toEqual({
      code: 3,
      message: expect.stringMatching(/^execution reverted/),
      data: `0x4e487b71${'11'.padStart(64, '0')}`,
    })
    expect((await ask(chain, 'eth_nothing')).error).toStrictEqual({
      code: -32601,
      message: expect.any(String),
    })
  })
})

describe('batches', () => {
  test('part 1: a batch is answered by an array in its order', async () => {
    const { chain } = await start()
    const batch = [
      rpcRequest('eth_call', [{ to: COUNTER, data: '0x06661abd' }, 'latest'], 3),
      rpcRequest('eth_chainId', [], 'b'),
      rpcRequest('eth_blockNumber', [], 1),
    ]
    const answers = [
      { jsonrpc: '2.0', id: 3, result: `0x${'00'.repeat(32)}` },
      { jsonrpc: '2.0', id: 'b', result: '0x7a69' },
      { jsonrpc: '2.0', id: 1, result: '0x0' },
    ]
    expect(await post(chain, batch)).toEqual(answers)
    expect(await chain.handle(batch)).toEqual(answers)
  })

  test('part 1: the requests of a batch take effect in its order', async () => {
    const { chain, wallets } = await start()
    const [sender, receiver] = wallets
    const raw = await sender.sign({ to: receiver.address, value: 1n })
    const count = (block: string) => rpcRequest('eth_getTransactionCount', [sender.address, block])
    const answers = (await post(chain, [
      rpcRequest('eth_sendRawTransaction', [raw]),
      count('pending'),
      count('latest'),
      rpcRequest('evm_mine'),
      count('latest'),
      rpcRequest('eth_blockNumber'),
      rpcRequest('eth_sendRawTransaction', [raw]),
    ])) as WireAnswer[]
    const results = answers.slice(1, -1).map(({ result }) => result)
    expect(results).toEqual(['0x0', '0x0', '0x0', '0x1', '0x1'])
    expect(answers.at(-1)?.error).toMatchObject({ code: -32000 })
  })

  test('part 1: bodies take effect in the order in which they are handed over, awaited or not', async () => {
    const { chain } = await start()
    const number = JSON.stringify(rpcRequest('eth_blockNumber'))
    const mine = JSON.stringify([rpcRequest('evm_mine'), rpcRequest('evm_mine')])
    const texts = await Promise.all([number, mine, number, mine, number].map((body) => chain.handle(body)))
    const numbers = [0, 2, 4].map((index) => JSON.parse(texts[index] as string).result)
    expect(numbers).toEqual(['0x0', '0x2', '0x4'])
  })

  test('part 1: an error in a batch is its own request only', async () => {
    const { chain } = await start()
    expect(
      await post(chain, [
        rpcRequest('eth_nothing', [], 1),
        rpcRequest('eth_chainId', [], 2),
        rpcRequest('eth_getBalance', [], 3),
        rpcRequest('eth_chainId', [], 4),
      ]),
    ).toEqual([
      errorAnswer(1, -32601),
      { jsonrpc: '2.0', id: 2, result: '0x7a69' },
      errorAnswer(3, -32602),
      { jsonrpc: '2.0', id: 4, result: '0x7a69' },
    ])
  })

  test('part 1: [1] and [1,2,3] are answered by an array of -32600, as in the examples of JSON-RPC 2.0', async () => {
    const { chain } = await start()
    const invalid = errorAnswer(null, -32600)
    expect(await post(chain, '[1]')).toEqual([invalid])
    expect(await post(chain, '[1,2,3]')).toEqual([invalid, invalid, invalid])
    expect(await post(chain, [[rpcRequest('eth_chainId')]])).toEqual([invalid])
  })

  test('part 1: an empty batch -> one -32600 with the id null, not an array', async () => {
    const { chain } = await start()
    expect(await post(chain, '[]')).toEqual(errorAnswer(null, -32600))
    expect(await chain.handle([])).toEqual(errorAnswer(null, -32600))
    expect(((await post(chain, '[]')) as WireAnswer).error?.message).toMatch(/empty batch/)
  })

  test('part 1: notifications of a batch are carried out and have no entry in the answer', async () => {
    const { chain } = await start()
    const notification = { jsonrpc: '2.0', method: 'evm_mine' }
    expect(await post(chain, [notification, rpcRequest('eth_blockNumber', [], 5), notification])).toEqual([
      { jsonrpc: '2.0', id: 5, result: '0x1' },
    ])
    expect(await resultOf(chain, 'eth_blockNumber')).toBe('0x2')
  })

  test('part 1: a batch of notifications only is answered by nothing at all, not by an empty array', async () => {
    const { chain } = await start()
    const batch = [
      { jsonrpc: '2.0', method: 'evm_mine' },
      { jsonrpc: '2.0', method: 'eth_nothing' },
    ]
    expect(await chain.handle(JSON.stringify(batch))).toBe('')
    expect(await chain.handle(batch)).toBeUndefined()
    expect(await resultOf(chain, 'eth_blockNumber')).toBe('0x2')
  })
})

describe('limits of the envelope', () => {
  test('part 1: a batch may have limits.batchLength requests; one more -> -32600, and none takes effect', async () => {
    const { chain } = await start({ limits: { batchLength: 3 } })
    const mine = (count: number) => Array.from({ length: count }, () => rpcRequest('evm_mine'))
    expect(await post(chain, mine(3))).toHaveLength(3)
    const answer = (await post(chain, mine(4))) as WireAnswer
    expect(answer).toEqual(errorAnswer(null, -32600))
    expect(answer.error?.message).toMatch(/batch too large: 4 requests, at most 3/)
    expect(await resultOf(chain, 'eth_blockNumber')).toBe('0x3')
  })

  test('part 1: a batch may have 1000 requests unless told otherwise', async () => {
    const { chain } = await start()
    const batch = (length: number) => Array.from({ length }, () => rpcRequest('eth_chainId'))
    expect(await chain.handle(batch(1000))).toHaveLength(1000)
    expect(await chain.handle(batch(1001))).toEqual(errorAnswer(null, -32600))
  })

  test('part 1: a body may have limits.bodyBytes bytes; one more -> -32600, and it takes no effect', async () => {
    const request = '{"jsonrpc":"2.0","id":1,"method":"evm_mine"}'
    expect(request).toHaveLength(44)
    const { chain } = await start({ limits: { bodyBytes: 44 } })
    expect(await post(chain, request)).toEqual({ jsonrpc: '2.0', id: 1, result: '0x0' })
    const answer = (await post(chain, `${request} `)) as WireAnswer
    expect(answer).toEqual(errorAnswer(null, -32600))
    expect(answer.error?.message).toMatch(/too large, at most 44 bytes/)
    expect(await resultOfObject(chain, 'eth_blockNumber')).toBe('0x1')
  })

  test('part 1: the bytes of a body are counted in UTF-8', async () => {
    const request = '{"jsonrpc":"2.0","id":"€","method":"eth_chainId"}'
    // 49 characters; the euro sign has three bytes (E2 82 AC).
    expect(request).toHaveLength(49)
    const roomy = await start({ limits: { bodyBytes: 51 } })
    expect(await post(roomy.chain, request)).toEqual({ jsonrpc: '2.0', id: '€', result: '0x7a69' })
    const tight = await start({ limits: { bodyBytes: 50 } })
    expect(await post(tight.chain, request)).toEqual(errorAnswer(null, -32600))
  })

  test('part 1: a body may have 5 MiB unless told otherwise', async () => {
    const { chain } = await start()
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
    const most = 5 * 1024 * 1024
    expect(await post(chain, body.padEnd(most))).toEqual({ jsonrpc: '2.0', id: 1, result: '0x7a69' })
    expect(await post(chain, body.padEnd(most + 1))).toEqual(errorAnswer(null, -32600))
  })
})

async function resultOfObject(chain: Emulator, method: string): Promise<unknown> {
  return ((await chain.handle(rpcRequest(method))) as WireAnswer).result
}

/** Empties every array in a value, the innermost first. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const part of Object.values(value)) spoil(part)
  if (Array.isArray(value)) value.length = 0
}

/** ethers over envelopes. */
class HandleProvider extends JsonRpcApiProvider {
  private readonly chain: Emulator

  constructor(chain: Emulator) {
    const network = Network.from(31_337)
    super(network, { staticNetwork: network })
    this.chain = chain
    this._start()
  }

  async _send(payload: JsonRpcPayload | JsonRpcPayload[]): Promise<JsonRpcResult[]> {
    const reply = JSON.parse(await this.chain.handle(JSON.stringify(payload)))
    return Array.isArray(reply) ? reply : [reply]
  }
}
