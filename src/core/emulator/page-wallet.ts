// A wallet between a page and an emulator, with a user who grants accounts, switches them, revokes and rejects.

import { failure } from '../primitives/errors.ts'
import type { Address } from '../primitives/hex.ts'
import { address, arrayOf } from '../rpc/codecs/basic.ts'
import { numberFrom } from '../rpc/codecs/numbers.ts'
import { membersOf } from '../rpc/envelope.ts'
import type { Emulator } from './api.ts'
import { argument, optionalArgument, refuseCall } from './checks.ts'
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

/** Where a request names its account; `undefined` for requests about none. */
type AccountAt = ((params: readonly unknown[]) => unknown) | undefined

const inObject: AccountAt = ([request]) => (request as { readonly from?: unknown } | undefined)?.from
const first: AccountAt = ([account]) => account
const second: AccountAt = (params) => params[1]

/** The requests that a user is asked about. */
const ASKED: ReadonlyMap<string, AccountAt> = new Map([
  ['eth_requestAccounts', undefined],
  ['wallet_requestPermissions', undefined],
  ['wallet_switchEthereumChain', undefined],
  ['wallet_addEthereumChain', undefined],
  ['wallet_watchAsset', undefined],
  ['eth_sendTransaction', inObject],
  ['eth_signTransaction', inObject],
  ['wallet_sendCalls', inObject],
  ['personal_sign', second],
  ['eth_sign', first],
  ['eth_signTypedData', first],
  ['eth_signTypedData_v3', first],
  ['eth_signTypedData_v4', first],
])

/** Requests that name an account, and are answered without the user. */
const UNASKED: ReadonlyMap<string, AccountAt> = new Map([['wallet_getCapabilities', first]])

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
  const account = accountAt(params)
  const [current] = granted.accounts
  const isMissing = account === undefined || account === null
  if (isMissing && accountAt === inObject && current !== undefined) {
    const [request, ...rest] = params
    return [{ ...(request as object), from: current }, ...rest]
  }
  const isGranted = typeof account === 'string' && granted.accounts.includes(account.toLowerCase() as Address)
  if (!isGranted) throw failure('unauthorized', { account: isMissing ? 'of the request' : `${account}` })
  return params
}

const addresses = arrayOf(address)

/** A wallet over an emulator: the provider of the page, and the hands of the user. */
export function createPageWallet(chain: Emulator): {
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
  const provider: Provider = {
    request: (async (asked: unknown, params?: unknown) => {
      if (typeof asked === 'string') return answer(asked, params)
      const members = membersOf(asked)
      return answer(members['method'] as string, members['params'])
    }) as Provider['request'],
    on(event: string, listener: (payload: never) => void) {
      if (event === 'accountsChanged') bus.on(event, listener as never)
      else chain.on(event, listener)
      return provider as never
    },
    removeListener(event, listener) {
      if (event === 'accountsChanged') bus.removeListener(event, listener as never)
      else chain.removeListener(event, listener)
      return provider as never
    },
  }
  const controls = {
    get accounts() {
      return granted.accounts
    },
    switchAccounts(accounts: readonly Address[]) {
      const selected = argument('switchAccounts', 'accounts', accounts, addresses)
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
