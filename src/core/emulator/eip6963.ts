// Announcement of the emulator as a wallet to a page (EIP-6963): at once, and again on request.

import { readArgument } from '../primitives/reading.ts'
import { asFields } from '../rpc/codecs/basic.ts'
import type { Emulator } from './api.ts'
import { decodeOptions, refuseCall, refuseUnlessEmulator } from './checks.ts'
import { createPageWallet, type PageWallet } from './page-wallet.ts'

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

const OPTIONS = ['uuid', 'name', 'icon', 'rdns', 'connected'] as const

const platform = globalThis as unknown as Platform

/** Announcement of the wallet, and the accounts that the page has from the start. */
export interface AnnounceOptions extends Partial<ProviderInfo> {
  /** False for a wallet whose accounts a page has to ask for. Default true: the emulator itself is the wallet. */
  readonly connected?: boolean
}

const EVENT_FUNCTIONS = ['dispatchEvent', 'addEventListener', 'removeEventListener'] as const

/** Announces a provider now and whenever a page asks, until the returned function is called. */
function announce(provider: unknown, target: AnnouncementTarget, info: ProviderInfo): () => void {
  const detail = Object.freeze({ info: Object.freeze(info), provider })
  const tell = (): void => {
    target.dispatchEvent(new platform.CustomEvent('eip6963:announceProvider', { detail }) as never)
  }
  target.addEventListener('eip6963:requestProvider', tell)
  tell()
  return () => target.removeEventListener('eip6963:requestProvider', tell)
}

/**
 * Announces an emulator as a wallet, now and whenever a page asks. Returns a function that stops it; with
 * `connected: false`, the hands of the wallet's user: the page has no account until it asks and is granted one.
 *
 * @param chain The emulator.
 * @param target Where events are dispatched, usually `window`.
 * @param options The wallet's description instead of the defaults, and whether it is connected.
 * @throws TickchainError `invalidCall` without a target, `invalidOption`
 * @see EIP-6963, EIP-1193, EIP-2255
 * @example
 * let announcements = 0
 * window.addEventListener('eip6963:announceProvider', () => announcements++)
 * const stop = announceProvider(chain, window)
 * announcements // => 1
 */
export function announceProvider(
  chain: Emulator,
  target: AnnouncementTarget,
  options: AnnounceOptions & { readonly connected: false },
): PageWallet
export function announceProvider(
  chain: Emulator,
  target: AnnouncementTarget,
  options?: Partial<ProviderInfo> & { readonly connected?: true },
): () => void
export function announceProvider(
  chain: Emulator,
  target: AnnouncementTarget,
  options: AnnounceOptions = {},
): PageWallet | (() => void) {
  refuseUnlessEmulator('announceProvider', chain)
  const isTarget = readArgument('announceProvider', 'a target of events', () =>
    EVENT_FUNCTIONS.every((name) => typeof target?.[name] === 'function'),
  )
  if (!isTarget) refuseCall('announceProvider', 'a target of events, usually window', target)
  const { connected = true, ...info } = decodeOptions(() => ({
    ...asFields(options, '', OPTIONS),
  })) as AnnounceOptions
  const shown = { ...DEFAULT_INFO, ...info }
  if (connected) return announce(chain, target, shown)
  const wallet = createPageWallet(chain)
  const stop = announce(wallet.provider, target, shown)
  return Object.assign(wallet.controls, { stop })
}
