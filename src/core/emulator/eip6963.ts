// Announcement of the emulator as a wallet to a page (EIP-6963), and a wallet with a user between both.

import { failure, readArgument } from '../primitives/errors.ts'
import type { Address } from '../primitives/hex.ts'
import { address, arrayOf, asFields } from '../rpc/codecs/basic.ts'
import { numberFrom } from '../rpc/codecs/codec.ts'
import { membersOf } from '../rpc/envelope.ts'
import type { Emulator } from './api.ts'
import { argument, decodeOptions, optionalArgument, refuseCall, refuseUnlessEmulator } from './checks.ts'
import { createEventBus } from './events.ts'
import type { Provider } from './polling.ts'

/** The hands of the user of a wallet that `announceProvider` has announced. */
export interface PageWallet {
  /** The accounts that the page sees, the current one first; none until the page has asked for them. */
  readonly accounts: readonly Address[]
  /**
   * Switches to these accounts. A page that is connected is told by `accountsChanged`; another one is granted them when
   * it asks. Default of a new wallet: the first account of the emulator.
   *
   * @throws TickchainError `invalidCall` without an account
   */
  switchAccounts(accounts: readonly Address[]): void
  /** Takes the accounts away from the page, which is told by `accountsChanged`. */
  revoke(): void
  /** Rejects the next request that a user is asked about, or the next ones, with code 4001. */
  rejectNext(count?: number): void
  /** Stops announcing the wallet. A page that has it keeps it. */
  stop(): void
}

/** The place at which a request names its account; `undefined` for requests about none. */
type AccountAt = 0 | 1 | 'from' | undefined

function named(accountAt: AccountAt, methods: string): [string, AccountAt][] {
  return methods.split(' ').map((method) => [method, accountAt])
}

/** The requests that a user is asked about. */
const ASKED: ReadonlyMap<string, AccountAt> = new Map([
  ...named(undefined, 'eth_requestAccounts wallet_requestPermissions wallet_switchEthereumChain'),
  ...named(undefined, 'wallet_addEthereumChain wallet_watchAsset'),
  ...named('from', 'eth_sendTransaction eth_signTransaction wallet_sendCalls'),
  ...named(0, 'eth_sign eth_signTypedData eth_signTypedData_v3 eth_signTypedData_v4'),
  ...named(1, 'personal_sign'),
])

/** Requests that name an account, and are answered without the user. */
const UNASKED: ReadonlyMap<string, AccountAt> = new Map(named(0, 'wallet_getCapabilities'))

interface Granted {
  accounts: readonly Address[]
  /** Accounts that the user grants; `undefined` for the first account of the emulator. */
  selected: readonly Address[] | undefined
  rejections: number
}

function permissionsFor(accounts: readonly Address[]) {
  if (accounts.length === 0) return []
  const caveats = [{ type: 'restrictReturnedAccounts', value: accounts }]
  return [{ parentCapability: 'eth_accounts', caveats }]
}

/** Refuses a request about an account that the page has not been granted; one without gets the current account. */
function authorized(granted: Granted, accountAt: AccountAt, params: readonly unknown[]): readonly unknown[] {
  if (accountAt === undefined) return params
  const [request, ...rest] = params
  const account =
    accountAt === 'from' ? (request as { readonly from?: unknown } | undefined)?.from : params[accountAt]
  const [current] = granted.accounts
  const isMissing = account === undefined || account === null
  if (isMissing && accountAt === 'from' && current !== undefined)
    return [{ ...(request as object), from: current }, ...rest]
  const isGranted = typeof account === 'string' && granted.accounts.includes(account.toLowerCase() as Address)
  if (!isGranted) throw failure('unauthorized', { account: isMissing ? 'of the request' : `${account}` })
  return params
}

function createPageWallet(chain: Emulator): {
  readonly provider: Provider
  readonly controls: Omit<PageWallet, 'stop'>
} {
  const granted: Granted = { accounts: [], selected: undefined, rejections: 0 }
  const bus = createEventBus<{ accountsChanged: readonly Address[] }>((error) => void Promise.reject(error))
  const change = (accounts: readonly Address[]): void => {
    if (`${accounts}` === `${granted.accounts}`) return
    granted.accounts = accounts
    bus.emit('accountsChanged', accounts)
  }
  const grant = async (): Promise<readonly Address[]> => {
    if (granted.accounts.length === 0)
      change(granted.selected ?? (await chain.request('eth_accounts')).slice(0, 1))
    return granted.accounts
  }
  const answer = async (method: string, given: unknown): Promise<unknown> => {
    const params = Array.isArray(given) ? given : given === undefined || given === null ? [] : [given]
    const accountAt = ASKED.get(method) ?? UNASKED.get(method)
    const seen = authorized(granted, accountAt, params)
    // Who has accounts gets them without the user.
    const isAsked = ASKED.has(method) && !(method === 'eth_requestAccounts' && granted.accounts.length > 0)
    if (isAsked && granted.rejections > 0) {
      granted.rejections--
      throw failure('userRejected')
    }
    switch (method) {
      case 'eth_accounts':
        return granted.accounts
      case 'eth_requestAccounts':
        return grant()
      case 'wallet_requestPermissions':
        return permissionsFor(await grant())
      case 'wallet_getPermissions':
        return permissionsFor(granted.accounts)
      case 'wallet_revokePermissions':
        change([])
        return null
      default:
        return chain.request({ method, params: seen })
    }
  }
  const sourceOf = (event: string): Pick<Provider, 'on' | 'removeListener'> =>
    event === 'accountsChanged' ? (bus as never) : chain
  const provider: Provider = {
    request: (async (asked: unknown, params?: unknown) => {
      if (typeof asked === 'string') return answer(asked, params)
      const members = membersOf(asked)
      return answer(members['method'] as string, members['params'])
    }) as Provider['request'],
    on(event: string, listener: (payload: never) => void) {
      sourceOf(event).on(event as never, listener as never)
      return provider as never
    },
    removeListener(event, listener) {
      sourceOf(event).removeListener(event as never, listener as never)
      return provider as never
    },
  }
  const controls = {
    get accounts() {
      return granted.accounts
    },
    switchAccounts(accounts: readonly Address[]) {
      const selected = argument('switchAccounts', 'accounts', accounts, arrayOf(address))
      if (selected.length === 0)
        refuseCall('switchAccounts', 'an account at least (revoke() takes all away)', selected)
      granted.selected = selected
      if (granted.accounts.length > 0) change(granted.selected)
    },
    revoke: () => change([]),
    rejectNext(count?: number) {
      granted.rejections += optionalArgument('rejectNext', 'count', count, numberFrom(1), 1)
    },
  }
  return { provider, controls }
}

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

const platform = globalThis as unknown as {
  readonly CustomEvent: new (type: string, init: { detail: unknown }) => unknown
}

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
    ...asFields(options, '', ['uuid', 'name', 'icon', 'rdns', 'connected']),
  })) as AnnounceOptions
  const shown = { ...DEFAULT_INFO, ...info }
  if (connected) return announce(chain, target, shown)
  const wallet = createPageWallet(chain)
  const stop = announce(wallet.provider, target, shown)
  return Object.assign(wallet.controls, { stop })
}
