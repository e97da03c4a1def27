// Announcement of the emulator as a wallet to a page (EIP-6963): at once, and again on request.

import type { Emulator } from './api.ts'

/**
 * A wallet's description.
 *
 * @see EIP-6963
 */
export interface ProviderInfo {
  /** UUID of the announced instance (RFC 4122). Default a fixed one. */
  readonly uuid: string
  /** Name for display. Default 'tickchain'. */
  readonly name: string
  /** A data URI. Default an empty picture. */
  readonly icon: string
  /** A reversed domain name. Default 'dev.tickchain'. */
  readonly rdns: string
}

/** The part of a window that is used. */
export interface AnnouncementTarget {
  addEventListener(type: string, listener: () => void): void
  removeEventListener(type: string, listener: () => void): void
  dispatchEvent(event: never): unknown
}

const DEFAULT_INFO: ProviderInfo = {
  uuid: '7469636b-6368-4169-8e00-000000000000',
  name: 'tickchain',
  icon: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/%3E',
  rdns: 'dev.tickchain',
}

interface Platform {
  readonly CustomEvent: new (type: string, init: { detail: unknown }) => unknown
}

const platform = globalThis as unknown as Platform

/**
 * Announces an emulator as a wallet, now and whenever a page asks. Returns a function that stops it.
 *
 * @param chain The emulator.
 * @param target Where events are dispatched, usually `window`.
 * @param info Values instead of the defaults.
 * @see EIP-6963
 * @example
 * let announcements = 0
 * window.addEventListener('eip6963:announceProvider', () => announcements++)
 * const stop = announceProvider(chain, window)
 * announcements // => 1
 */
export function announceProvider(
  chain: Emulator,
  target: AnnouncementTarget,
  info: Partial<ProviderInfo> = {},
): () => void {
  const detail = Object.freeze({ info: Object.freeze({ ...DEFAULT_INFO, ...info }), provider: chain })
  const announce = (): void => {
    target.dispatchEvent(new platform.CustomEvent('eip6963:announceProvider', { detail }) as never)
  }
  target.addEventListener('eip6963:requestProvider', announce)
  announce()
  return () => target.removeEventListener('eip6963:requestProvider', announce)
}
