// Which hosts and pages an endpoint serves, as in geth: node/rpcstack.go for HTTP, rpc/websocket.go for handshakes.

import type { RpcOptions } from './options.ts'

/** The headers of a request: web-standard ones, or those of Node's `IncomingMessage`. */
export type RequestHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

function headerOf(headers: RequestHeaders, name: string): string | undefined {
  const value = typeof headers.get === 'function' ? headers.get(name) : headers[name as 'get']
  return value?.toString().toLowerCase()
}

const IP_ADDRESS = /^(\[[\da-f:.]+\]|(\d{1,3}\.){3}\d{1,3})$/

/**
 * True if the header `Host` has an allowed name or an IP address. A page whose own name was pointed to this machine (DNS
 * rebinding) is of the same origin to its browser, and only `Host` tells. Without the header it is no browser.
 */
export function isHostAllowed({ allowedHosts }: RpcOptions, headers: RequestHeaders): boolean {
  const host = headerOf(headers, 'host')?.replace(/:\d*$/, '') ?? ''
  return host === '' || allowedHosts === '*' || IP_ADDRESS.test(host) || allowedHosts.includes(host)
}

/** True for a page of an origin that is listed. */
export function isOriginListed({ allowedOrigins }: RpcOptions, headers: RequestHeaders): boolean {
  const origin = headerOf(headers, 'origin')
  return origin !== undefined && (allowedOrigins === '*' || allowedOrigins.includes(origin))
}

/**
 * True for a page that a list of origins leaves out, unless the same host has served it. geth executes its requests and
 * leaves it to the browser to hide the answers; but a command has its effect without an answer.
 */
export function isForeign(options: RpcOptions, headers: RequestHeaders): boolean {
  const origin = headerOf(headers, 'origin')
  if (origin === undefined || options.allowedOrigins.length === 0) return false
  return !isOriginListed(options, headers) && origin.replace(/^.*:\/\//, '') !== headerOf(headers, 'host')
}

/**
 * True if a WebSocket handshake may be accepted: any without `Origin`, which browsers always send, and those of allowed
 * origins; by default pages of http://localhost. An origin without a port stands for all its ports.
 */
export function isHandshakeAllowed({ allowedOrigins }: RpcOptions, headers: RequestHeaders): boolean {
  const origin = headerOf(headers, 'origin')
  if (origin === undefined || allowedOrigins === '*') return true
  const allowed = allowedOrigins.length === 0 ? ['http://localhost'] : allowedOrigins
  return allowed.some((each) => origin.replace(/:\d+$/, '') === each || origin === each)
}
