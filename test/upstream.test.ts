import { httpUpstream, type UpstreamFetch, type UpstreamResponse } from 'tickchain/upstream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEmulator } from '../src/index.ts'

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** What the server was sent, and when. */
let bodies: (Call | Call[])[]
let headers: Readonly<Record<string, string>>
let startedAt: number
let sentAt: number[]

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  bodies = []
  sentAt = []
  startedAt = Date.now()
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

function response(body: unknown, status = 200, more: Record<string, string> = {}): UpstreamResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { status, headers: { get: (name) => more[name] ?? null }, text: async () => text }
}

/** A server that answers each request with its method, unless `reply` says otherwise. */
function serve(
  reply: (count: number, body: Call | Call[]) => UpstreamResponse | Error | undefined,
): UpstreamFetch {
  return async (_, request) => {
    const body = JSON.parse(request.body) as Call | Call[]
    headers = request.headers
    bodies.push(body)
    sentAt.push(Date.now() - startedAt)
    const replied = reply(bodies.length, body)
    if (replied instanceof Error) throw replied
    const answerTo = ({ id, method }: Call) => ({ jsonrpc: '2.0', id, result: method })
    return replied ?? response(Array.isArray(body) ? body.map(answerTo).reverse() : answerTo(body))
  }
}

const URL = 'http://node.example'

/** Lets a request and all of its retries come to their end. */
async function outcome<Value>(asked: Promise<Value>): Promise<Value> {
  const settled = asked.then(
    (value) => () => value,
    (error) => () => {
      throw error
    },
  )
  await vi.runAllTimersAsync()
  return (await settled)()
}

test('an URL that is not there, such as that of an environment variable, is refused at once', () => {
  expect(() => httpUpstream(undefined as never)).toThrow(
    'invalid call httpUpstream: url: expected a string, got nothing',
  )
})

test.each(['wss://node.example', 'mainnet', 'localhost:8545'])(
  '%s, which fetch does not take, is refused',
  (url) => {
    expect(() => httpUpstream(url)).toThrow(
      `invalid call httpUpstream: expected url to be one of http or https, got "${url}"`,
    )
    // Another function may know what it means.
    expect(() => httpUpstream(url, { fetch: serve(() => undefined) })).not.toThrow()
  },
)

// As Node.js says it; with five retries it would take longer than a test runner waits.
test.each(['ECONNREFUSED', 'ENOTFOUND'])('where nobody is (%s), it is asked four times', async (code) => {
  const cause = Object.assign(new Error(`connect ${code}`), { code })
  const fetch = serve(() => Object.assign(new TypeError('fetch failed'), { cause }))
  const asked = outcome(httpUpstream(URL, { fetch }).request({ method: 'a' }))
  await expect(asked).rejects.toThrow(`no connection: fetch failed (Error: connect ${code})`)
  expect(sentAt).toEqual([0, 200, 600, 1400])
})

test('a first request without an answer is told of once, with why', async () => {
  const cause = Object.assign(new Error('connect ETIMEDOUT'), { code: 'ETIMEDOUT' })
  const fetch = serve(() => Object.assign(new TypeError('fetch failed'), { cause }))
  const { request } = httpUpstream(URL, { fetch })
  const asked = Promise.allSettled([request({ method: 'eth_chainId' }), request({ method: 'b' })])
  await vi.advanceTimersByTimeAsync(2999)
  expect(console.warn).not.toHaveBeenCalled()
  await vi.runAllTimersAsync()
  await asked
  expect(vi.mocked(console.warn).mock.calls).toEqual([
    [
      'tickchain: the upstream of a fork has not answered eth_chainId for 3 s (no connection: fetch failed (Error: connect ETIMEDOUT)), and is asked again',
    ],
  ])
})

test('a node that falls silent after it has answered is told of, and asked twice', async () => {
  const answers = serve(() => undefined)
  const fetch: UpstreamFetch = async (url, sent) => {
    const answer = await answers(url, sent)
    return bodies.length === 1 ? answer : new Promise(() => undefined)
  }
  const { request } = httpUpstream(URL, { fetch })
  await request({ method: 'eth_chainId' })
  const silent = request({ method: 'eth_getProof' }).catch(({ message }) => message)
  await vi.advanceTimersByTimeAsync(3000)
  expect(vi.mocked(console.warn).mock.calls).toEqual([
    ['tickchain: the upstream of a fork has not answered eth_getProof for 3 s'],
  ])
  expect(await outcome(silent)).toBe('no answer within 30000 ms')
  // Of the second request on, after 30 s and a wait of 200 ms.
  expect(sentAt).toEqual([0, 0, 30_200])
  expect(console.warn).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})

test('an upstream that answers leaves no timer', async () => {
  const { request } = httpUpstream(URL, { fetch: serve(() => undefined) })
  await request({ method: 'a' })
  expect(vi.getTimerCount()).toBe(0)
})

test('requests of one moment go out as one batch, whose answers may be in any order', async () => {
  const { request } = httpUpstream(URL, { fetch: serve(() => undefined), headers: { key: 'k' } })
  const answers = ['a', 'b', 'c'].map((method) => request({ method, params: [method] }))
  expect(await Promise.all(answers)).toEqual(['a', 'b', 'c'])
  expect(bodies).toEqual([
    ['a', 'b', 'c'].map((method, id) => ({ jsonrpc: '2.0', id, method, params: [method] })),
  ])
  expect(headers).toEqual({ 'content-type': 'application/json', key: 'k' })
  expect(await request({ method: 'd' })).toBe('d')
  expect(bodies[1]).toEqual({ jsonrpc: '2.0', id: 1, method: 'd', params: [] })
})

test('a batch has a limit', async () => {
  const { request } = httpUpstream(URL, { fetch: serve(() => undefined), batchSize: 2 })
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((method) => request({ method })))
  expect(bodies.map((body) => (Array.isArray(body) ? body.length : 1))).toEqual([2, 2, 1])
})

test('a server that refuses batches gets single requests from then on', async () => {
  const refusal = response({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches' } })
  const { request } = httpUpstream(URL, {
    fetch: serve((_, body) => (Array.isArray(body) ? refusal : undefined)),
  })
  expect(await Promise.all([request({ method: 'a' }), request({ method: 'b' })])).toEqual(['a', 'b'])
  expect(await Promise.all([request({ method: 'c' }), request({ method: 'd' })])).toEqual(['c', 'd'])
  expect(bodies.map((body) => Array.isArray(body))).toEqual([true, false, false, false, false])
})

test.each([
  ['HTTP 429', () => response('slow down', 429)],
  ['HTTP 503', () => response('', 503)],
  ['a lost connection', () => new Error('ECONNRESET')],
  [
    'a connection lost in the middle',
    () => ({ ...response(''), text: () => Promise.reject(new Error('terminated')) }),
  ],
  ['a limit of JSON-RPC', () => response({ id: 1, error: { code: -32005, message: 'limit exceeded' } })],
])('after %s a request is sent again, each time later', async (_, failed) => {
  const { request } = httpUpstream(URL, { fetch: serve((count) => (count < 4 ? failed() : undefined)) })
  expect(await outcome(request({ method: 'a' }))).toBe('a')
  expect(sentAt).toEqual([0, 200, 600, 1400])
})

test('the server may say when', async () => {
  const reply = (count: number) => (count === 1 ? response('', 429, { 'retry-after': '3' }) : undefined)
  const { request } = httpUpstream(URL, { fetch: serve(reply) })
  expect(await outcome(request({ method: 'a' }))).toBe('a')
  expect(sentAt).toEqual([0, 3000])
})

test('of a batch only what came too often is sent again', async () => {
  const reply = (count: number, body: Call | Call[]) =>
    count > 1
      ? undefined
      : response(
          (body as Call[]).map(({ id, method }) =>
            method === 'b' ? { id, error: { code: 429, message: 'later' } } : { id, result: method },
          ),
        )
  const { request } = httpUpstream(URL, { fetch: serve(reply) })
  const all = Promise.all(['a', 'b', 'c'].map((method) => request({ method })))
  expect(await outcome(all)).toEqual(['a', 'b', 'c'])
  expect(bodies[1]).toMatchObject({ method: 'b' })
})

test('a request that is not answered is aborted, and sent again', async () => {
  const aborted: number[] = []
  const answers = serve(() => undefined)
  const { request } = httpUpstream(URL, {
    async fetch(url, sent) {
      const { signal } = sent as unknown as { readonly signal: AbortSignal }
      signal.addEventListener('abort', () => aborted.push(Date.now() - startedAt))
      const answer = await answers(url, sent)
      return bodies.length === 2 ? answer : new Promise(() => undefined)
    },
    retries: 1,
    timeoutMs: 1000,
  })
  expect(await outcome(request({ method: 'a' }))).toBe('a')
  expect(sentAt).toEqual([0, 1200])
  expect(aborted).toEqual([1000])
  await expect(outcome(request({ method: 'b' }))).rejects.toThrow('no answer within 1000 ms')
})

test('retries end', async () => {
  const { request } = httpUpstream(URL, { fetch: serve(() => response('', 429)), retries: 2, backoffMs: 10 })
  await expect(outcome(request({ method: 'a' }))).rejects.toThrow('HTTP status 429')
  expect(sentAt).toEqual([0, 10, 30])
})

test.each([
  ['an error of the node', response({ id: 1, error: { code: -32000, message: 'no state' } }), 'no state'],
  [
    'the same with an HTTP status',
    response({ id: 1, error: { code: -32000, message: 'no state' } }, 400),
    'no state',
  ],
  ['an HTTP status', response('who are you', 403), 'HTTP status 403: who are you'],
  [
    'an object with it',
    response({ message: 'no such key' }, 401),
    'HTTP status 401: {"message":"no such key"}',
  ],
  ['an error that is a text', response({ error: 'bad key' }), 'bad key'],
  ['a page', response('<html>', 200), 'an answer that is not JSON: <html>'],
  ['nothing', response('null'), 'an answer without a result'],
  ['an answer without a result', response({ id: 1 }), 'an answer without a result'],
])('%s is final', async (_, answer, message) => {
  const { request } = httpUpstream(URL, { fetch: serve(() => answer) })
  await expect(outcome(request({ method: 'a' }))).rejects.toThrow(message)
  expect(bodies).toHaveLength(1)
})

test('the code and the data of an error stay', async () => {
  const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
  const { request } = httpUpstream(URL, { fetch: serve(() => response({ id: 1, error })) })
  await expect(request({ method: 'eth_call' })).rejects.toMatchObject(error)
})

test('options are checked', () => {
  for (const options of [{ batchSize: 0 }, { retries: -1 }, { fetch: 'x' }, { tries: 1 }])
    expect(() => httpUpstream(URL, options as never)).toThrow('invalid option')
})

test('a chain is forked over HTTP', async () => {
  const chain = await createEmulator()
  await chain.mine(3)
  const upstream = httpUpstream(URL, {
    fetch: (url, request) => chain.fetch(new Request(url, request)) as Promise<UpstreamResponse>,
  })
  const fork = await createEmulator({ fork: { upstream } })
  expect(await fork.request({ method: 'eth_blockNumber' })).toBe('0x3')
  const [from, to] = (await fork.request({ method: 'eth_accounts' })) as `0x${string}`[]
  await fork.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] } as never)
  await fork.seal()
  expect(
    await fork.request({ method: 'eth_getTransactionCount', params: [from as `0x${string}`, 'latest'] }),
  ).toBe('0x1')
})
