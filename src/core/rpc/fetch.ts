// HTTP endpoint without a socket. Hosts and pages are allowed as in geth (node/rpcstack.go, rpc/websocket.go).

import { answerText, holdsForbidden, isTooLong } from './envelope.ts'
import type { HttpFailure, RpcOptions, Session } from './session.ts'

/** The headers of a request: web-standard ones, or those of Node's `IncomingMessage`. */
export type RequestHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

function headerOf(headers: RequestHeaders, name: string): string | undefined {
  const value = typeof headers.get === 'function' ? headers.get(name) : headers[name as 'get']
  return value?.toString().toLowerCase()
}

const IP_ADDRESS = /^(\[[\da-f:.]+\]|(\d{1,3}\.){3}\d{1,3})$/

/** Against DNS rebinding only `Host` helps: the page is of the same origin to its browser. */
function isHostAllowed({ allowedHosts }: RpcOptions, headers: RequestHeaders): boolean {
  const host = headerOf(headers, 'host')?.replace(/:\d*$/, '') ?? ''
  return host === '' || allowedHosts === '*' || IP_ADDRESS.test(host) || allowedHosts.includes(host)
}

function isOriginListed({ allowedOrigins }: RpcOptions, headers: RequestHeaders): boolean {
  const origin = headerOf(headers, 'origin')
  return origin !== undefined && (allowedOrigins === '*' || allowedOrigins.includes(origin))
}

/** Unlike in geth: a command has its effect even if the browser hides the answer. */
function isForeign(options: RpcOptions, headers: RequestHeaders): boolean {
  const origin = headerOf(headers, 'origin')
  if (origin === undefined || options.allowedOrigins.length === 0) return false
  return !isOriginListed(options, headers) && origin.replace(/^.*:\/\//, '') !== headerOf(headers, 'host')
}

/** Browsers always send `Origin`. One without a port stands for all its ports. */
export function isHandshakeAllowed({ allowedOrigins }: RpcOptions, headers: RequestHeaders): boolean {
  const origin = headerOf(headers, 'origin')
  if (origin === undefined || allowedOrigins === '*') return true
  const allowed = allowedOrigins.length === 0 ? ['http://localhost'] : allowedOrigins
  return allowed.some((each) => origin.replace(/:\d+$/, '') === each || origin === each)
}

/** The members of a web-standard Request that are used. */
export interface WebRequest {
  readonly method: string
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}

type Platform = typeof globalThis extends { Response: new (...args: never[]) => infer PlatformResponse }
  ? PlatformResponse
  : unknown

/** A web-standard Response; `unknown` without the types of the DOM or of Node. */
export type WebResponse = Platform

interface PlatformClasses {
  readonly Request: new (input: unknown, init?: unknown) => WebRequest
  readonly Response: new (
    body: string | null,
    init: { status: number; headers: Record<string, string> },
  ) => WebResponse
}

const platform = globalThis as unknown as PlatformClasses

function respond(status: number, body: string | null, headers: Record<string, string>): WebResponse {
  return new platform.Response(body, { status, headers })
}

function refuse(status: number, words: string, headers: Record<string, string>): WebResponse {
  return respond(status, `${words}\n`, { 'content-type': 'text/plain; charset=utf-8', ...headers })
}

/** The headers that let a page of the request's origin read the answer (Fetch standard, CORS protocol). */
function corsHeaders(options: RpcOptions, { method, headers }: WebRequest): Record<string, string> {
  const { allowedOrigins } = options
  if (allowedOrigins.length === 0) return {}
  // A cache must not give the answer for one origin to another.
  const vary: Record<string, string> = allowedOrigins === '*' ? {} : { vary: 'Origin' }
  if (!isOriginListed(options, headers)) return vary
  const origin = allowedOrigins === '*' ? '*' : `${headers.get('origin')}`
  const allowed = { ...vary, 'access-control-allow-origin': origin }
  if (method !== 'OPTIONS') return allowed
  return {
    ...allowed,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': headers.get('access-control-request-headers') ?? '*',
    // geth's.
    'access-control-max-age': '600',
  }
}

/** Answers an HTTP request with 200 and a JSON-RPC answer, or with 405, 415, 413 or 403; a preflight request with 204. */
export async function answerFetch(session: Session, input: unknown, init?: unknown): Promise<WebResponse> {
  const isRequest = typeof input === 'object' && input !== null && 'text' in input && 'headers' in input
  const request = isRequest && init === undefined ? (input as WebRequest) : new platform.Request(input, init)
  // Without headers of CORS, as in geth: a page whose host is not allowed learns nothing.
  if (!isHostAllowed(session.options, request.headers)) return refuse(403, 'invalid host specified', {})
  const cors = corsHeaders(session.options, request)
  if ('access-control-allow-methods' in cors) return respond(204, null, cors)
  if (isForeign(session.options, request.headers)) return refuse(403, 'origin not allowed', cors)
  return answerPost(session, request, cors)
}

async function answerPost(session: Session, request: WebRequest, cors: Record<string, string>) {
  if (request.method !== 'POST') return refuse(405, 'method not allowed', { allow: 'POST', ...cors })
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    return refuse(415, 'invalid content type, only application/json is supported', cors)
  const text = await request.text()
  if (isTooLong(text, session.options.limits.bodyBytes)) return refuse(413, 'content length too large', cors)
  if (holdsForbidden(session, text)) return refuse(403, 'forbidden', cors)
  const failures: HttpFailure[] = []
  const seen = session.node.expectsFaults
    ? { ...session, tellHttpFailure: (failure: HttpFailure) => void failures.push(failure) }
    : session
  const answer = await answerText(seen, text)
  const [failed] = failures
  if (failed !== undefined) return refuse(failed.status, failed.body, cors)
  return respond(200, answer, { 'content-type': 'application/json', ...cors })
}
