// chain.fetch: HTTP statuses of RFC 9110 and of the specification around JSON-RPC envelopes.

import type { Emulator } from 'tickchain'
import { describe, expect, test } from 'vitest'
import { rpcRequest, start } from '../../specification/setup.ts'

const URL_TEXT = 'http://chain.invalid/rpc'
const HEADERS = { 'content-type': 'application/json' }

function init(body: unknown, headers: Record<string, string> = HEADERS) {
  return { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
}

const CHAIN_ID = rpcRequest('eth_chainId', [], 7)
const CHAIN_ID_ANSWER = { jsonrpc: '2.0', id: 7, result: '0x7a69' }
const RECEIPTS = rpcRequest('eth_getBlockReceipts', ['latest'], 8)

describe('ways to call it', () => {
  test.each<[string, (body: string) => Parameters<Emulator['fetch']>]>([
    ['a Request', (body: string) => [new Request(URL_TEXT, init(body))]],
    ['a URL as text and an init', (body: string) => [URL_TEXT, init(body)]],
    ['a URL object and an init', (body: string) => [new URL(URL_TEXT), init(body)]],
    ['a Request and an init that overrides it', (body: string) => [new Request(URL_TEXT), init(body)]],
    [
      'a Request and what servers pass beside it',
      (body: string) => [
        new Request(URL_TEXT, init(body)),
        { remoteAddr: { hostname: '127.0.0.1', port: 1 } },
      ],
    ],
    [
      'headers as Headers, and a signal',
      (body: string) => [
        URL_TEXT,
        { ...init(body), headers: new Headers(HEADERS), signal: new AbortController().signal },
      ],
    ],
    [
      'a body of bytes',
      (body: string) => [URL_TEXT, { ...init(body), body: new TextEncoder().encode(body) }],
    ],
  ])('%s', async (_, argumentsOf) => {
    const { chain } = await start()
    const response = await chain.fetch(...argumentsOf(JSON.stringify(CHAIN_ID)))
    expect(response).toBeInstanceOf(Response)
    expect(response.status).toBe(200)
    expect(response.ok).toBe(true)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.json()).toEqual(CHAIN_ID_ANSWER)
  })

  test('it does not depend on this, and can be passed on as a fetch', async () => {
    const { chain } = await start()
    const { fetch } = chain
    expect(await (await fetch(URL_TEXT, init(CHAIN_ID))).json()).toEqual(CHAIN_ID_ANSWER)
  })

  test('requests take effect in the order of their calls, with those of request and handle', async () => {
    const { chain } = await start()
    const bodies = await Promise.all([
      chain.fetch(URL_TEXT, init([rpcRequest('evm_mine'), rpcRequest('eth_blockNumber')])),
      chain.fetch(URL_TEXT, init([rpcRequest('evm_mine'), rpcRequest('eth_blockNumber')])),
    ])
    const answers = await Promise.all(bodies.map((response) => response.json()))
    expect(answers.map(([, number]) => number.result)).toEqual(['0x1', '0x2'])
  })
})

describe('a JSON-RPC answer has status 200', () => {
  test.each([
    ['a result', CHAIN_ID, CHAIN_ID_ANSWER],
    ['an unknown method', rpcRequest('eth_nothing'), { id: 1, error: { code: -32601 } }],
    ['invalid JSON', '{"jsonrpc', { id: null, error: { code: -32700 } }],
    ['an empty body', '', { id: null, error: { code: -32700 } }],
    ['JSON that is no request', '[]', { id: null, error: { code: -32600 } }],
    ['wrong parameters', rpcRequest('eth_getBalance', []), { id: 1, error: { code: -32602 } }],
    [
      'what the pool refuses',
      rpcRequest('eth_sendRawTransaction', ['0x00']),
      { id: 1, error: { code: -32000 } },
    ],
    ['a batch', [CHAIN_ID, rpcRequest('eth_nothing')], [CHAIN_ID_ANSWER, { id: 1, error: { code: -32601 } }]],
  ])('%s', async (_, body, answer) => {
    const { chain } = await start()
    const response = await chain.fetch(URL_TEXT, init(body))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.json()).toMatchObject(answer)
  })

  test.each([
    ['a notification', { jsonrpc: '2.0', method: 'evm_mine' }],
    ['a batch of them', [{ jsonrpc: '2.0', method: 'evm_mine' }]],
  ])('%s is executed and answered by an empty body', async (_, body) => {
    const { chain } = await start()
    const response = await chain.fetch(URL_TEXT, init(body))
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
    expect(await chain.request({ method: 'eth_blockNumber' })).toBe('0x1')
  })

  test('a notification in a batch has no entry', async () => {
    const { chain } = await start()
    const response = await chain.fetch(URL_TEXT, init([{ jsonrpc: '2.0', method: 'evm_mine' }, CHAIN_ID]))
    expect(await response.json()).toEqual([CHAIN_ID_ANSWER])
  })

  test('bodies are UTF-8', async () => {
    const { chain } = await start()
    const response = await chain.fetch(URL_TEXT, init(rpcRequest('eth_chainId', [], 'Grüße, €')))
    expect(await response.json()).toMatchObject({ id: 'Grüße, €', result: '0x7a69' })
  })
})

describe('405: requests are sent by HTTP POST', () => {
  test.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'])('%s', async (method) => {
    const { chain } = await start()
    const response = await chain.fetch(URL_TEXT, { method, headers: HEADERS })
    expect(response.status).toBe(405)
    // RFC 9110, 15.5.6: the server must generate an Allow header.
    expect(response.headers.get('allow')).toBe('POST')
  })

  test('a URL alone is a GET', async () => {
    const { chain } = await start()
    expect((await chain.fetch(URL_TEXT)).status).toBe(405)
    expect((await chain.fetch(new URL(URL_TEXT))).status).toBe(405)
  })
})

describe('415: Content-Type is application/json', () => {
  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['application/jsonx'],
    ['text/json'],
    [''],
  ])('not %s', async (type) => {
    const { chain } = await start()
    const response = await chain.fetch(
      URL_TEXT,
      init({ jsonrpc: '2.0', method: 'evm_mine' }, { 'content-type': type }),
    )
    expect(response.status).toBe(415)
    expect(await chain.request({ method: 'eth_blockNumber' })).toBe('0x0')
  })

  test('not missing', async () => {
    const { chain } = await start()
    const bytes = new TextEncoder().encode(JSON.stringify(CHAIN_ID))
    // Bytes, because fetch sets the content type text/plain for text.
    expect((await chain.fetch(URL_TEXT, { method: 'POST', body: bytes })).status).toBe(415)
    expect((await chain.fetch(URL_TEXT, { method: 'POST', body: JSON.stringify(CHAIN_ID) })).status).toBe(415)
  })

  // RFC 9110, 8.3.1: types are case-insensitive, and may have parameters with space around the semicolon.
  test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json ;charset=UTF-8'])(
    'but %s is',
    async (type) => {
      const { chain } = await start()
      expect((await chain.fetch(URL_TEXT, init(CHAIN_ID, { 'content-type': type }))).status).toBe(200)
    },
  )
})

describe('413: limits.bodyBytes', () => {
  const mine = '{"jsonrpc":"2.0","id":1,"method":"evm_mine"}'

  test('a body may have that many bytes; a larger one has no effect', async () => {
    expect(mine).toHaveLength(44)
    const { chain } = await start({ limits: { bodyBytes: 44 } })
    expect((await chain.fetch(URL_TEXT, init(mine))).status).toBe(200)
    expect((await chain.fetch(URL_TEXT, init(`${mine} `))).status).toBe(413)
    expect(await chain.request({ method: 'eth_blockNumber' })).toBe('0x1')
  })

  test('bytes are counted in UTF-8', async () => {
    // The euro sign has three bytes (E2 82 AC).
    const request = mine.replace('1', '"€"').replace('evm_mine', 'eth_chainId')
    const bytes = 44 + 4 + 3
    expect(new TextEncoder().encode(request)).toHaveLength(bytes)
    const roomy = await start({ limits: { bodyBytes: bytes } })
    expect((await roomy.chain.fetch(URL_TEXT, init(request))).status).toBe(200)
    const tight = await start({ limits: { bodyBytes: bytes - 1 } })
    expect((await tight.chain.fetch(URL_TEXT, init(request))).status).toBe(413)
  })
})

describe('403: a public endpoint does not offer eth_getBlockReceipts', () => {
  test('alone', async () => {
    const { chain } = await start({ endpoint: 'public' })
    expect((await chain.fetch(URL_TEXT, init(RECEIPTS))).status).toBe(403)
  })

  test('as a notification', async () => {
    const { chain } = await start({ endpoint: 'public' })
    const { id, ...notification } = RECEIPTS
    expect(id).toBe(8)
    expect((await chain.fetch(URL_TEXT, init(notification))).status).toBe(403)
  })

  test('in a batch, which then has no effect', async () => {
    const { chain } = await start({ endpoint: 'public' })
    const response = await chain.fetch(URL_TEXT, init([rpcRequest('evm_mine'), RECEIPTS, CHAIN_ID]))
    expect(response.status).toBe(403)
    expect(await chain.request({ method: 'eth_blockNumber' })).toBe('0x0')
  })

  test('with any parameters', async () => {
    const { chain } = await start({ endpoint: 'public' })
    expect((await chain.fetch(URL_TEXT, init(rpcRequest('eth_getBlockReceipts', [])))).status).toBe(403)
  })

  test('other methods and invalid bodies are answered as usual', async () => {
    const { chain } = await start({ endpoint: 'public' })
    expect(await (await chain.fetch(URL_TEXT, init([CHAIN_ID]))).json()).toEqual([CHAIN_ID_ANSWER])
    for (const body of [
      '{',
      'null',
      '1',
      '[]',
      '[null]',
      '"eth_getBlockReceipts"',
      '["eth_getBlockReceipts"]',
    ]) {
      expect((await chain.fetch(URL_TEXT, init(body))).status, body).toBe(200)
    }
    // A parameter with the method's name does not count.
    const mention = rpcRequest('web3_sha3', ['eth_getBlockReceipts'], 'eth_getBlockReceipts')
    expect((await chain.fetch(URL_TEXT, init(mention))).status).toBe(200)
  })

  test('an open endpoint offers it', async () => {
    const { chain } = await start()
    const response = await chain.fetch(URL_TEXT, init(RECEIPTS))
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 8, result: [] })
  })

  test('without HTTP, request and handle give a JSON-RPC error that clients recognise', async () => {
    const { chain } = await start({ endpoint: 'public' })
    const error = {
      code: -32601,
      message:
        '403 Forbidden: the method eth_getBlockReceipts does not exist/is not available on a public endpoint',
    }
    await expect(chain.request({ method: 'eth_getBlockReceipts', params: ['latest'] })).rejects.toMatchObject(
      { kind: 'forbiddenOnPublicEndpoint', ...error },
    )
    expect(await chain.handle(RECEIPTS)).toEqual({ jsonrpc: '2.0', id: 8, error })
    expect(await chain.handle([CHAIN_ID, RECEIPTS])).toEqual([
      CHAIN_ID_ANSWER,
      { jsonrpc: '2.0', id: 8, error },
    ])
  })
})

test('after dispose, a request is answered by a JSON-RPC error', async () => {
  const { chain } = await start()
  chain.dispose()
  const response = await chain.fetch(URL_TEXT, init(CHAIN_ID))
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ id: 7, error: { code: 4900 } })
})

describe('pages of other origins (Fetch standard, CORS protocol)', () => {
  const PAGE = 'http://localhost:5173'
  const preflight = (origin = PAGE) => ({
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-key',
    },
  })
  const corsOf = ({ headers }: Response) =>
    Object.fromEntries([...headers].filter(([name]) => /^access-control-|^vary$/.test(name)))

  test('may not read answers by default', async () => {
    const { chain } = await start()
    const asked = await chain.fetch(URL_TEXT, preflight())
    expect([asked.status, corsOf(asked)]).toEqual([405, {}])
    const answered = await chain.fetch(URL_TEXT, init(CHAIN_ID, { ...HEADERS, origin: PAGE }))
    expect([answered.status, corsOf(answered)]).toEqual([200, {}])
  })

  test.each<[string, '*' | readonly string[], Record<string, string>]>([
    ['all', '*', { 'access-control-allow-origin': '*' }],
    ['one of a list', ['http://other.test', PAGE], { 'access-control-allow-origin': PAGE, vary: 'Origin' }],
  ])('are asked for, and may read: %s', async (_, allowedOrigins, expected) => {
    const { chain } = await start({ allowedOrigins })
    const asked = await chain.fetch(URL_TEXT, preflight())
    expect([asked.status, await asked.text(), corsOf(asked)]).toEqual([
      204,
      '',
      {
        ...expected,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type,x-key',
        'access-control-max-age': '600',
      },
    ])
    const answered = await chain.fetch(URL_TEXT, init(CHAIN_ID, { ...HEADERS, origin: PAGE }))
    expect([await answered.json(), corsOf(answered)]).toEqual([CHAIN_ID_ANSWER, expected])
    // A page must be able to read why it was refused.
    const refused = await chain.fetch(
      URL_TEXT,
      init(CHAIN_ID, { 'content-type': 'text/plain', origin: PAGE }),
    )
    expect([refused.status, corsOf(refused)]).toEqual([415, expected])
  })

  // A command would have its effect, although its page cannot read the answer.
  test('that are not in the list are refused, and caches keep answers apart', async () => {
    const { chain } = await start({ allowedOrigins: ['http://other.test'] })
    for (const origin of [
      PAGE,
      'http://other.test:80',
      'https://other.test',
      'http://a.other.test',
      'null',
    ]) {
      const asked = await chain.fetch(URL_TEXT, preflight(origin))
      expect([asked.status, corsOf(asked)], origin).toEqual([403, { vary: 'Origin' }])
      const sent = await chain.fetch(URL_TEXT, init(rpcRequest('evm_mine'), { ...HEADERS, origin }))
      expect([sent.status, await sent.text(), corsOf(sent)], origin).toEqual([
        403,
        'origin not allowed\n',
        { vary: 'Origin' },
      ])
    }
    expect(await chain.request({ method: 'eth_blockNumber' })).toBe('0x0')
  })

  test('are told from pages of the same host, and from clients that are no pages', async () => {
    const { chain } = await start({ allowedOrigins: ['http://other.test'] })
    const own = { ...HEADERS, host: '127.0.0.1:8545', origin: 'http://127.0.0.1:8545' }
    expect((await chain.fetch(URL_TEXT, init(CHAIN_ID, own))).status).toBe(200)
    expect((await chain.fetch(URL_TEXT, init(CHAIN_ID))).status).toBe(200)
    const otherPort = { ...own, origin: 'http://127.0.0.1:8546' }
    expect((await chain.fetch(URL_TEXT, init(CHAIN_ID, otherPort))).status).toBe(403)
  })
})

// geth, node/rpcstack.go: virtualHostHandler and --http.vhosts, against DNS rebinding.
describe('403: the host is none by which the endpoint may be reached', () => {
  const ADDRESSES = ['127.0.0.1', '127.0.0.1:8545', '192.168.0.7:1', '[::1]', '[::1]:8545', '[fe80::a1]:8545']
  const NAMES = ['evil.example', 'evil.example:8545', 'a.localhost', 'localhost.', '127.0.0.1.evil.example']
  const NO_ADDRESSES = ['1.2.3.4.5', 'evil.example:1:2', '[evil.example]:80', '127.0.0.1:x']
  const mineAs = async (chain: Emulator, host: string) => {
    const sent = await chain.fetch(URL_TEXT, init(rpcRequest('evm_mine'), { ...HEADERS, host }))
    return [sent.status, sent.status === 200 ? '' : await sent.text()]
  }
  const REFUSED = [403, 'invalid host specified\n']

  test('by default all addresses and localhost are', async () => {
    const { chain } = await start({ allowedOrigins: '*' })
    for (const host of [...ADDRESSES, 'localhost', 'localhost:8545', 'LocalHost:8545', ''])
      expect(await mineAs(chain, host), host).toEqual([200, ''])
    const served = await chain.request({ method: 'eth_blockNumber' })
    for (const host of [...NAMES, ...NO_ADDRESSES]) expect(await mineAs(chain, host), host).toEqual(REFUSED)
    expect(await chain.request({ method: 'eth_blockNumber' })).toBe(served)
  })

  test('names of the option are, in place of localhost', async () => {
    const { chain } = await start({ allowedHosts: ['host.docker.internal'] })
    for (const host of [...ADDRESSES, 'host.docker.internal', 'Host.Docker.Internal:8545'])
      expect(await mineAs(chain, host), host).toEqual([200, ''])
    for (const host of ['localhost', ...NAMES]) expect(await mineAs(chain, host), host).toEqual(REFUSED)
  })

  test('all are with a star', async () => {
    const { chain } = await start({ allowedHosts: '*' })
    for (const host of [...NAMES, ...NO_ADDRESSES]) expect(await mineAs(chain, host), host).toEqual([200, ''])
  })

  test('no request is answered, a preflight request neither, and without headers of CORS', async () => {
    const { chain } = await start({ allowedOrigins: '*' })
    for (const method of ['GET', 'OPTIONS', 'POST']) {
      const headers = { host: 'evil.example', origin: 'http://evil.example' }
      const refused = await chain.fetch(URL_TEXT, { method, headers })
      const allowed = refused.headers.get('access-control-allow-origin')
      expect([refused.status, allowed], method).toEqual([403, null])
    }
  })
})

// geth, rpc/websocket.go: wsHandshakeValidator and --ws.origins.
describe('acceptsHandshake', () => {
  const LOCAL = ['http://localhost', 'http://localhost:5173', 'HTTP://LocalHost:1']
  const LISTED = ['http://a.test', 'http://a.test:5173', 'http://b.test:5173']
  const FOREIGN = ['https://localhost', 'http://localhost.evil.example', 'http://evil.example', 'null', '']
  const NOT_LISTED = ['https://a.test', 'http://b.test:5174', 'http://x.a.test', 'http://a.test.evil.example']
  test.each<['*' | readonly string[], readonly string[], readonly string[]]>([
    [[], LOCAL, [...FOREIGN, ...LISTED]],
    [['http://a.test', 'http://b.test:5173'], LISTED, [...FOREIGN, ...NOT_LISTED, ...LOCAL]],
    ['*', [...LOCAL, ...LISTED, ...FOREIGN], []],
  ])('with origins %j', async (allowedOrigins, accepted, refused) => {
    const { chain } = await start({ allowedOrigins })
    for (const origin of [...accepted, ...refused]) {
      const expected = accepted.includes(origin)
      expect(chain.acceptsHandshake({ headers: { origin } }), origin).toBe(expected)
      expect(chain.acceptsHandshake(new Request(URL_TEXT, { headers: { origin } })), origin).toBe(expected)
    }
    // No browser: others may write what they like, so that a check would protect nothing.
    expect(chain.acceptsHandshake({ headers: {} })).toBe(true)
    expect(chain.acceptsHandshake(new Request(URL_TEXT))).toBe(true)
  })

  test('takes a request', async () => {
    const { chain } = await start()
    for (const value of [undefined, null, 'http://localhost', {}, { headers: null }])
      expect(() => chain.acceptsHandshake(value as never)).toThrow(
        expect.objectContaining({
          kind: 'invalidCall',
          message: expect.stringContaining('a request with headers'),
        }),
      )
  })
})
