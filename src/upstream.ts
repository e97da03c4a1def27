// An upstream of forks over HTTP: JSON-RPC by the `fetch` of the platform, in batches, with retries on a real timer.

import { argument, readOptions, refuseCall } from './core/emulator/checks.ts'
import type { Upstream } from './core/fork/upstream.ts'
import { textOf } from './core/primitives/text-of.ts'
import { identityCodec, text } from './core/rpc/codecs/basic.ts'
import { numberFrom } from './core/rpc/codecs/codec.ts'
import { type ObjectCodec, or, type ValueOf } from './core/rpc/codecs/object.ts'

export type { Upstream } from './core/fork/upstream.ts'

/** A response of `fetch`, as far as it is used. */
export interface UpstreamResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}

/** The `fetch` of the platform, or one with a proxy, a key or a record of its own. */
export type UpstreamFetch = (
  url: string,
  request: {
    readonly method: 'POST'
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  },
) => Promise<UpstreamResponse>

/** Options of an upstream. */
export interface HttpUpstreamOptions {
  /** Sends requests. Default: that of the platform. */
  readonly fetch?: UpstreamFetch
  /** Headers besides the content type, such as a key. Default none. */
  readonly headers?: Readonly<Record<string, string>>
  /** The most requests in one HTTP request, from 1. Default 20. */
  readonly batchSize?: number
  /**
   * Times that a request is sent again after a lost connection, or if it came too often; at most 3 where nothing listens,
   * and 1 where nothing answers. Default 5.
   */
  readonly retries?: number
  /** Milliseconds before the first retry; each later one waits twice as long. Default 200. */
  readonly backoffMs?: number
  /** Milliseconds after which a connection without an answer is taken for a lost one. Default 30,000. */
  readonly timeoutMs?: number
}

interface Platform {
  readonly console?: { warn(text: string): void }
  readonly fetch: UpstreamFetch
  readonly performance: { now(): number }
  readonly AbortController: new () => { readonly signal: unknown; abort(): void }
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

const platform = globalThis as unknown as Platform

interface Waiting {
  readonly method: string
  readonly params: readonly unknown[]
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
  attempts: number
}

/** The statuses of servers that may answer later: asked too often, and not reachable for now. */
const TRANSIENT_STATUS: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])
/** The same as JSON-RPC codes (EIP-1474: limit exceeded). */
const TRANSIENT_CODE: ReadonlySet<unknown> = new Set([429, -32005, -32029])

/** Codes of Node.js where nothing listens, or has the name. */
const NOBODY: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND'])
/** Enough for a node that is just starting; the error has to come before the test runner's limit, mostly five seconds. */
const RETRIES_OF_NOBODY = 3
const RETRIES_OF_SILENCE = 1

/** An error after which the same request may succeed. */
class TransientError extends Error {
  /** EIP-1193: disconnected. */
  readonly code = 4900
  readonly afterMs: number
  readonly mostRetries: number

  constructor(message: string, { afterMs = 0, mostRetries = Number.POSITIVE_INFINITY } = {}) {
    super(message)
    this.afterMs = afterMs
    this.mostRetries = mostRetries
  }
}

interface RpcAnswer {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown }
}

function errorOf(error: NonNullable<RpcAnswer['error']>): Error {
  const { code, message, data } = error
  const text = `${message ?? (typeof error === 'string' ? error : 'an error without a message')}`
  if (TRANSIENT_CODE.has(code)) return new TransientError(text)
  return Object.assign(new Error(text), { code, data })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`an answer that is not JSON: ${text.slice(0, 80)}`)
  }
}

/** Work that is aborted when it takes too long, also if it takes no notice. */
function within<Value>(ms: number, work: (signal: unknown) => Promise<Value>): Promise<Value> {
  const controller = new platform.AbortController()
  return new Promise((resolve, reject) => {
    const timer = platform.setTimeout(() => {
      reject(new TransientError(`no answer within ${ms} ms`, { mostRetries: RETRIES_OF_SILENCE }))
      controller.abort()
    }, ms)
    void work(controller.signal)
      .then(resolve, reject)
      .finally(() => platform.clearTimeout(timer))
  })
}

type Post = (body: unknown) => Promise<unknown>

function createPost(url: string, { fetch: send, headers, timeoutMs }: Settings): Post {
  const all = { 'content-type': 'application/json', ...headers }
  const exchange = (body: string) =>
    within(timeoutMs, async (signal) => {
      try {
        // Those who send it on send the signal, too. Its type is not that of every platform.
        const request = { method: 'POST' as const, headers: all, body, signal }
        const response = await send(url, request)
        return { response, text: await response.text() }
      } catch (error) {
        const { message, cause } = error as Error
        // The platform's says only that it failed, and its cause says why.
        const words = `no connection: ${message}${cause === undefined ? '' : ` (${textOf(cause)})`}`
        const isNobody = NOBODY.has((Object(cause) as { code?: unknown }).code)
        throw new TransientError(words, isNobody ? { mostRetries: RETRIES_OF_NOBODY } : {})
      }
    })
  return async (body) => {
    const { response, text } = await exchange(JSON.stringify(body))
    if (TRANSIENT_STATUS.has(response.status)) {
      const seconds = Number(response.headers.get('retry-after') ?? 0)
      const afterMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0
      throw new TransientError(`HTTP status ${response.status}`, { afterMs })
    }
    // A node may answer an error of JSON-RPC with a status of its own.
    const answer = response.status >= 400 ? answerIn(text) : parse(text)
    if (answer !== undefined) return answer
    const error = new Error(`HTTP status ${response.status}: ${text.slice(0, 80)}`)
    // Servers refuse with these: a key is wrong, or a quota is used up.
    throw response.status < 500 ? Object.assign(error, { code: response.status }) : error
  }
}

/** The answer of JSON-RPC in a body, if it is one: an array, or an object with an error that has a code. */
function answerIn(text: string): unknown {
  try {
    const answer = JSON.parse(text)
    return Array.isArray(answer) || typeof answer?.error?.code === 'number' ? answer : undefined
  } catch {
    return undefined
  }
}

const bodyOf = ({ method, params }: Waiting, id: number) => ({ jsonrpc: '2.0', id, method, params })

function settle(waiting: Waiting, answer: RpcAnswer | null | undefined): void {
  if (answer?.error !== undefined && answer.error !== null) throw errorOf(answer.error)
  if (typeof answer !== 'object' || answer === null || !('result' in answer))
    throw new Error('an answer without a result')
  waiting.resolve(answer.result)
}

/** Shorter than the limits of test runners, most of which are five seconds. */
const SILENCE_MS = 3000

/** Says once that nothing is answered, which a test that times out would not say. */
function watchSilence(methodOf: () => string | undefined): { ends(): void; failed(error: Error): void } {
  let why = ''
  const tell = (): void =>
    platform.console?.warn(
      `tickchain: the upstream of a fork has not answered ${methodOf()} for ${SILENCE_MS / 1000} s${why}`,
    )
  const timer = platform.setTimeout(tell, SILENCE_MS)
  return {
    ends: () => platform.clearTimeout(timer),
    failed(error) {
      why = ` (${error.message}), and is asked again`
    },
  }
}

function createQueue(post: Post, { batchSize, retries, backoffMs }: Settings) {
  let queue: Waiting[] = []
  let most = batchSize
  /** Requests without an answer, the oldest first. */
  const open = new Set<Waiting>()
  let silence: ReturnType<typeof watchSilence> | undefined

  function listen(): void {
    silence?.ends()
    silence = open.size === 0 ? undefined : watchSilence(() => [...open][0]?.method)
  }

  function end(waiting: Waiting): void {
    open.delete(waiting)
    if (open.size === 0) listen()
  }

  /** Sends a request again later, or gives up. */
  function fail(waiting: Waiting, error: unknown): void {
    if (!(error instanceof TransientError) || waiting.attempts >= Math.min(retries, error.mostRetries)) {
      end(waiting)
      waiting.reject(error)
      return
    }
    silence?.failed(error)
    const waitMs = Math.max(backoffMs * 2 ** waiting.attempts, error.afterMs)
    waiting.attempts++
    platform.setTimeout(() => add(waiting), waitMs)
  }

  const answerOf = async (body: unknown): Promise<unknown> => {
    const answer = await post(body)
    listen()
    return answer
  }

  async function sendOne(waiting: Waiting): Promise<void> {
    try {
      settle(waiting, (await answerOf(bodyOf(waiting, 1))) as RpcAnswer)
      end(waiting)
    } catch (error) {
      fail(waiting, error)
    }
  }

  async function sendBatch(batch: readonly Waiting[]): Promise<void> {
    let answer: unknown
    try {
      answer = await answerOf(batch.map(bodyOf))
    } catch (error) {
      for (const waiting of batch) fail(waiting, error)
      return
    }
    if (!Array.isArray(answer)) {
      // The server refuses batches.
      most = 1
      await Promise.all(batch.map(sendOne))
      return
    }
    const byId = new Map((answer as RpcAnswer[]).map((each) => [each?.id, each]))
    for (const [id, waiting] of batch.entries()) {
      try {
        settle(waiting, byId.get(id))
        end(waiting)
      } catch (error) {
        fail(waiting, error)
      }
    }
  }

  function flush(): void {
    const all = queue
    queue = []
    for (let start = 0; start < all.length; start += most) {
      const batch = all.slice(start, start + most)
      void (batch.length === 1 ? sendOne(batch[0] as Waiting) : sendBatch(batch))
    }
  }

  /** Requests of the same moment go out together. */
  function add(waiting: Waiting): void {
    open.add(waiting)
    if (silence === undefined) listen()
    queue.push(waiting)
    if (queue.length === 1) void Promise.resolve().then(flush)
  }
  return add
}

const OPTIONS = {
  fetch: or(
    identityCodec('a function', (value): value is UpstreamFetch => typeof value === 'function'),
    (...request: Parameters<UpstreamFetch>) => platform.fetch(...request),
  ),
  headers: or(
    identityCodec(
      'an object from name to text',
      (value): value is Readonly<Record<string, string>> => typeof value === 'object' && value !== null,
    ),
    {},
  ),
  batchSize: or(numberFrom(1, 1000), 20),
  retries: or(numberFrom(0, 20), 5),
  backoffMs: or(numberFrom(0, 60_000), 200),
  timeoutMs: or(numberFrom(1, 3_600_000), 30_000),
}

type Settings = ValueOf<ObjectCodec<typeof OPTIONS>>

/**
 * An upstream for `fork.upstream` of `createEmulator`, over HTTP. Requests of the same moment go out as one batch; those
 * that come too often, or whose connection is lost, are sent again, after ever longer waits in real time.
 *
 * @param url The endpoint of a node.
 * @param options How it is asked.
 * @throws TickchainError `invalidCall`, `invalidOption`
 * @example
 * const upstream = httpUpstream('https://mainnet.example.org', { headers: { authorization: 'Bearer key' } })
 * typeof upstream.request // => 'function'
 */
export function httpUpstream(url: string, options: HttpUpstreamOptions = {}): Upstream {
  const settings = readOptions(options, OPTIONS)
  const address = argument('httpUpstream', 'url', url, text)
  // The platform's fetch would refuse it with each request; a path is of the page.
  if (options.fetch === undefined && !/^(?:https?:\/\/|\/)/i.test(address))
    refuseCall('httpUpstream', 'url to be one of http or https', address)
  const add = createQueue(createPost(address, settings), settings)
  return {
    request: ({ method, params = [] }) =>
      new Promise((resolve, reject) => add({ method, params, resolve, reject, attempts: 0 })),
    clock: () => platform.performance.now(),
  }
}
