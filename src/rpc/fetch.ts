// HTTP endpoint without a socket: web-standard Request in, Response out. Both classes come from the platform.

import { answerText, holdsForbidden, isTooLong } from './envelope.ts'
import type { HttpFailure, Session } from './session.ts'

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

function refuseRequest(status: number, words: string, headers: Record<string, string> = {}): WebResponse {
  return respond(status, `${words}\n`, { 'content-type': 'text/plain; charset=utf-8', ...headers })
}

function isRequest(input: unknown): input is WebRequest {
  return typeof input === 'object' && input !== null && 'text' in input && 'headers' in input
}

/** Answers an HTTP request with 200 and a JSON-RPC answer, or with 405, 415, 413 or 403. */
export async function answerFetch(session: Session, input: unknown, init?: unknown): Promise<WebResponse> {
  const request = isRequest(input) && init === undefined ? input : new platform.Request(input, init)
  if (request.method !== 'POST') return refuseRequest(405, 'method not allowed', { allow: 'POST' })
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    return refuseRequest(415, 'invalid content type, only application/json is supported')
  const text = await request.text()
  if (isTooLong(text, session.options.limits.bodyBytes)) return refuseRequest(413, 'content length too large')
  if (holdsForbidden(session, text)) return refuseRequest(403, 'forbidden')
  const failures: HttpFailure[] = []
  const seen = session.node.expectsFaults
    ? { ...session, tellHttpFailure: (failure: HttpFailure) => void failures.push(failure) }
    : session
  const answer = await answerText(seen, text)
  const [failed] = failures
  if (failed !== undefined) return refuseRequest(failed.status, failed.body)
  return respond(200, answer, { 'content-type': 'application/json' })
}
