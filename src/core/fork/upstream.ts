// Requests to the upstream of a fork: a bounded number at a time, equal ones once, and errors that name the request.

import { failure, TickchainError } from '../primitives/errors.ts'
import { type Hex, isHexBytes } from '../primitives/hex.ts'
import { reasonOf, shorten } from '../primitives/text-of.ts'

/** An EIP-1193 provider, or anything with its `request`: a viem client, an ethers provider's `send` behind one, another emulator. */
export interface Upstream {
  request(request: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
  /** A clock in milliseconds, for `stats()` of a fork and for nothing else. That of `httpUpstream` is the platform's. */
  clock?(): number
}

/** The most requests that are under way at a time, unless the option says otherwise. */
export const FORK_CONCURRENCY = 16

/** A request as recordings name it. */
export function textOfRequest(method: string, params: readonly unknown[]): string {
  return `${method}(${params.map((each) => JSON.stringify(each)).join(', ')})`
}

/** The most characters of a request in an error: enough for a proof of some slots. */
const MOST_CHARACTERS = 300

/** A request as errors name it: its text, or the beginning of that. */
export function nameOfRequest(method: string, params: readonly unknown[]): string {
  return shorten(textOfRequest(method, params), MOST_CHARACTERS)
}

/** The part of an AbortSignal that is used; its type is not that of every platform. */
export interface StopSignal {
  readonly aborted: boolean
  readonly reason?: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export type UpstreamClient = ReturnType<typeof createUpstreamClient>

interface Thrown {
  readonly code?: unknown
  readonly data?: unknown
  readonly message?: unknown
  readonly cause?: unknown
  /** Where ethers has the node's error. */
  readonly error?: unknown
  /** Where it has that of a call. */
  readonly info?: { readonly error?: unknown }
}

/** Codes of those who will not answer now: servers that are asked too often, or for too much at once. */
const LIMITS: ReadonlySet<unknown> = new Set([429, -32005, -32029])
/** Codes of providers without a connection (EIP-1193), and of a `fetch` that was aborted or took too long (DOMException). */
const NO_ANSWER: ReadonlySet<unknown> = new Set([4900, 4901, 20, 23])
/** EIP-1193: disconnected. */
const ABORTED = 4900
/** Code for errors that have none, as in viem. */
const UNKNOWN_CODE = -1

const DEPTH = 5

/** An error, and those that clients have wrapped in it. */
function* errorsWithin(thrown: unknown): IterableIterator<Thrown> {
  let at = thrown
  for (let depth = 0; depth < DEPTH && typeof at === 'object' && at !== null; depth++) {
    const error: Thrown = at
    yield error
    at = error.cause ?? error.error ?? error.info?.error
  }
}

/** The JSON-RPC code that the upstream answered with. */
function codeOf(thrown: unknown): number | undefined {
  for (const { code } of errorsWithin(thrown))
    if (Number.isSafeInteger(code) && code !== UNKNOWN_CODE) return code as number
  return undefined
}

/** Codes of nodes that do not have a method: JSON-RPC's, EIP-1474's, EIP-1193's. */
export const UNKNOWN_METHOD: ReadonlySet<number> = new Set([-32601, -32004, 4200])

/** True for codes that say nothing about what was asked for, errors of HTTP servers among them. */
function isSilent(code: number | undefined): boolean {
  return code !== undefined && (LIMITS.has(code) || NO_ANSWER.has(code) || (code >= 500 && code < 600))
}

/** The code of an upstream that answered that it cannot; `undefined` if it did not answer, or was asked too often. */
export function refusalCode(error: unknown): number | undefined {
  const code = codeOf((error as Thrown).cause)
  return isSilent(code) ? undefined : code
}

/** True if an upstream did not answer for certain; an error without a code may be a refusal. */
export function isSilence(error: unknown): boolean {
  return isSilent(codeOf((error as Thrown).cause))
}

/** True for the error of a request that was refused, or not answered; its answer was not wrong. */
export function isUpstreamFailure(error: unknown): boolean {
  return error instanceof TickchainError && error.kind === 'upstreamFailed'
}

/** True for the error of a request that was refused, not answered, or answered wrongly. What is only a hint may be. */
export function isFromUpstream(error: unknown): boolean {
  return isUpstreamFailure(error) || (error as Partial<TickchainError>).kind === 'upstreamAnswer'
}

/** True for an upstream that refused, also without a code; then it may not have answered at all. */
export function mayBeRefusal(error: unknown): boolean {
  return isUpstreamFailure(error) && !isSilence(error)
}

function upstreamFailure(method: string, params: readonly unknown[], thrown: unknown): TickchainError {
  const request = nameOfRequest(method, params)
  const code = codeOf(thrown)
  const isRefused = code !== undefined && (LIMITS.has(code) || !isSilent(code))
  const did = isRefused ? 'refused' : 'did not answer'
  const error = failure('upstreamFailed', { reason: reasonOf(thrown), did, request })
  return Object.assign(error, { cause: thrown })
}

/**
 * Answers, unless the signal is aborted before. All requests share one listener: of more than ten, Node.js warns.
 */
function createAbortable(signal: StopSignal | undefined) {
  const waiting = new Set<() => void>()
  const stopAll = (): void => {
    for (const stop of waiting) stop()
  }
  return function unlessAborted(ask: () => Promise<unknown>): Promise<unknown> {
    if (signal === undefined) return ask()
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        reject(Object.assign(new Error(`aborted (${reasonOf(signal.reason)})`), { code: ABORTED }))
      }
      if (signal.aborted) {
        stop()
        return
      }
      if (waiting.size === 0) signal.addEventListener('abort', stopAll)
      waiting.add(stop)
      void ask()
        .then(resolve, reject)
        .finally(() => {
          waiting.delete(stop)
          if (waiting.size === 0) signal.removeEventListener('abort', stopAll)
        })
    })
  }
}

/** Milliseconds in which something runs, by a clock that may be absent. */
function createStopwatch(now: () => number | undefined) {
  let running = 0
  let startedAt: number | undefined
  let total: number | undefined
  return {
    start() {
      if (running === 0) startedAt = now()
      running++
    },
    stop() {
      running--
      const at = running === 0 ? now() : undefined
      if (at !== undefined && startedAt !== undefined) total = (total ?? 0) + at - startedAt
    },
    total: () => total,
  }
}

/** A client of the present upstream that has at most `concurrency` requests in flight; a signal stops it. */
export function createUpstreamClient(
  present: () => Upstream,
  concurrency: number,
  signal: StopSignal | undefined,
) {
  const inFlight = new Map<string, Promise<unknown>>()
  const waiting: (() => void)[] = []
  const unlessAborted = createAbortable(signal)
  const watch = createStopwatch(() => present().clock?.())
  let running = 0
  let sent = 0

  async function send(method: string, params: readonly unknown[]): Promise<unknown> {
    if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    sent++
    watch.start()
    try {
      return await unlessAborted(async () => present().request({ method, params }))
    } catch (thrown) {
      throw upstreamFailure(method, params, thrown)
    } finally {
      watch.stop()
      const next = waiting.shift()
      // The place goes to the next in line.
      if (next === undefined) running--
      else next()
    }
  }

  return {
    ask(method: string, params: readonly unknown[]): Promise<unknown> {
      const key = textOfRequest(method, params)
      const same = inFlight.get(key)
      if (same !== undefined) return same
      const answer = send(method, params).finally(() => inFlight.delete(key))
      inFlight.set(key, answer)
      return answer
    },
    sent: () => sent,
    /** Milliseconds in which requests were under way; `undefined` without a clock. */
    spentMs: watch.total,
  }
}

const EXECUTING: ReadonlySet<string> = new Set(['eth_call', 'eth_estimateGas'])

/** The return bytes in an error; Hardhat has them one level further down. */
function bytesIn(thrown: unknown): Hex | undefined {
  for (const { data } of errorsWithin(thrown)) {
    const inner = (data as { readonly data?: unknown } | null | undefined)?.data ?? data
    if (isHexBytes(inner)) return inner
  }
  return undefined
}

/** The answer that stands for the revert in the error of a request; `undefined` for any other error. */
export function revertIn(method: string, error: unknown): { readonly revertedWith: Hex } | undefined {
  const data = EXECUTING.has(method) ? bytesIn(error) : undefined
  return data && { revertedWith: data }
}

/** The return bytes of an answer that stands for a revert. */
export function revertedWith(answer: unknown): Hex | undefined {
  const data = (answer as { readonly revertedWith?: unknown } | null | undefined)?.revertedWith
  return isHexBytes(data) ? data : undefined
}
