// Wallet discovery (EIP-6963), on a window that is only an EventTarget.

import { announceProvider, createEmulator, type Provider, TickchainError } from 'tickchain'
import { describe, expect, test } from 'vitest'

interface Announcement extends Event {
  readonly detail: {
    readonly info: Record<'uuid' | 'name' | 'icon' | 'rdns', string>
    readonly provider: { request(call: { method: string }): Promise<unknown> }
  }
}

/** A page: it gathers announcements, and can ask for them. */
function openPage() {
  const window = new EventTarget()
  const announcements: Announcement['detail'][] = []
  window.addEventListener('eip6963:announceProvider', (event) =>
    announcements.push((event as Announcement).detail),
  )
  const ask = (): boolean => window.dispatchEvent(new Event('eip6963:requestProvider'))
  return { window, announcements, ask }
}

test('a page that listens already gets the announcement at once', async () => {
  const { window, announcements } = openPage()
  announceProvider(await createEmulator(), window)
  expect(announcements).toHaveLength(1)
  expect(await announcements[0]?.provider.request({ method: 'eth_chainId' })).toBe('0x7a69')
})

test('a page that asks gets it again, until the announcement ends', async () => {
  const { window, announcements, ask } = openPage()
  const stop = announceProvider(await createEmulator(), window)
  ask()
  expect(announcements).toHaveLength(2)
  expect(announcements[0]).toBe(announcements[1])
  stop()
  ask()
  expect(announcements).toHaveLength(2)
})

test('the information has the shapes that EIP-6963 asks for, and cannot be changed', async () => {
  const { window, announcements } = openPage()
  announceProvider(await createEmulator(), window)
  const [detail] = announcements
  // RFC 4122, version 4; a data URI; a reverse domain name.
  expect(detail?.info.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(detail?.info.icon).toMatch(/^data:image\//)
  expect(detail?.info.rdns).toMatch(/^[a-z]+\.[a-z]+$/)
  expect(Object.isFrozen(detail) && Object.isFrozen(detail?.info)).toBe(true)
})

test('given values replace the defaults', async () => {
  const { window, announcements } = openPage()
  announceProvider(await createEmulator(), window, { name: 'Layer 2', rdns: 'org.example' })
  expect(announcements[0]?.info).toMatchObject({ name: 'Layer 2', rdns: 'org.example' })
})

test('two emulators are two wallets', async () => {
  const { window, announcements } = openPage()
  announceProvider(await createEmulator(), window)
  announceProvider(await createEmulator(), window, { uuid: '350670db-19fa-4704-a166-e52e178b59d2' })
  expect(new Set(announcements.map(({ info }) => info.uuid)).size).toBe(2)
  expect(new Set(announcements.map(({ provider }) => provider)).size).toBe(2)
})

test('wrong arguments are named', async () => {
  const chain = await createEmulator()
  const { window } = openPage()
  expect(() => announceProvider(chain, undefined as never)).toThrow(
    'invalid call announceProvider: expected a target of events, usually window, got nothing',
  )
  expect(() => announceProvider(createEmulator() as never, window)).toThrow(
    'expected an emulator, which await createEmulator() gives, got a promise, without await',
  )
  expect(() => announceProvider(chain, window, { conected: false } as never)).toThrow(
    'invalid option conected: unknown field, did you mean connected?',
  )
})

describe('a wallet that is not connected', () => {
  async function open() {
    const chain = await createEmulator()
    const { window, announcements } = openPage()
    const wallet = announceProvider(chain, window, { connected: false, name: 'Cold' })
    const [detail] = announcements
    if (detail === undefined) return expect.unreachable('it was not announced')
    const provider = detail.provider as unknown as Provider
    const told: unknown[] = []
    provider.on('accountsChanged', (accounts) => told.push(accounts))
    const ask = (method: string, ...params: unknown[]) => provider.request(method as string, params)
    return { chain, wallet, ask, told, provider, info: detail.info }
  }
  // The first two accounts of the "test … junk" mnemonic.
  const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
  const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
  const permissions = (...value: string[]) => [
    { parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value }] },
  ]

  test('shows no account before the page asks, and then one', async () => {
    const { ask, told, wallet, info } = await open()
    expect(info.name).toBe('Cold')
    expect([await ask('eth_accounts'), await ask('wallet_getPermissions')]).toEqual([[], []])
    expect(await ask('eth_chainId')).toBe('0x7a69')
    expect(await ask('eth_requestAccounts')).toEqual([ALICE])
    expect(await ask('eth_accounts')).toEqual([ALICE])
    expect(await ask('wallet_getPermissions')).toEqual(permissions(ALICE))
    expect(await ask('eth_requestAccounts')).toEqual([ALICE])
    expect([told, wallet.accounts]).toEqual([[[ALICE]], [ALICE]])
  })

  test('grants by wallet_requestPermissions (EIP-2255), and revokes', async () => {
    const { ask, told, wallet } = await open()
    expect(await ask('wallet_requestPermissions', { eth_accounts: {} })).toEqual(permissions(ALICE))
    expect(await ask('wallet_revokePermissions', { eth_accounts: {} })).toBeNull()
    expect(await ask('eth_accounts')).toEqual([])
    await ask('eth_requestAccounts')
    wallet.revoke()
    expect(told).toEqual([[ALICE], [], [ALICE], []])
  })

  test('switches accounts: at once if it is connected, else for the next request', async () => {
    const { ask, told, wallet } = await open()
    wallet.switchAccounts([BOB])
    expect(told).toEqual([])
    expect(await ask('eth_requestAccounts')).toEqual([BOB])
    wallet.switchAccounts([ALICE, BOB])
    wallet.switchAccounts([ALICE, BOB])
    expect(told).toEqual([[BOB], [ALICE, BOB]])
  })

  test('rejects with 4001 what the user is asked about, and nothing else', async () => {
    const { chain, ask, wallet } = await open()
    wallet.rejectNext()
    await ask('eth_chainId')
    await expect(ask('eth_requestAccounts')).rejects.toMatchObject({ code: 4001, kind: 'userRejected' })
    expect(await ask('eth_requestAccounts')).toEqual([ALICE])
    wallet.rejectNext(2)
    await expect(ask('eth_sendTransaction', { from: ALICE, to: BOB })).rejects.toMatchObject({ code: 4001 })
    await expect(ask('personal_sign', '0x68', ALICE)).rejects.toMatchObject({ code: 4001 })
    expect(await chain.request('eth_getTransactionCount', [ALICE, 'latest'])).toBe('0x0')
    expect(await ask('eth_sendTransaction', { from: ALICE, to: BOB })).toMatch(/^0x\w{64}$/)
  })

  test('a page that has accounts gets them again without the user', async () => {
    const { ask, wallet } = await open()
    await ask('eth_requestAccounts')
    wallet.rejectNext()
    expect(await ask('eth_requestAccounts')).toEqual([ALICE])
    await expect(ask('personal_sign', '0x68', ALICE)).rejects.toMatchObject({ code: 4001 })
  })

  test('has an account to grant: none are taken away by revoke() only', async () => {
    const { ask, wallet } = await open()
    expect(() => wallet.switchAccounts([])).toThrow(
      'an account at least (revoke() takes all away), got an array',
    )
    expect(await ask('eth_requestAccounts')).toEqual([ALICE])
    expect(() => wallet.switchAccounts([])).toThrow(TickchainError)
    expect(wallet.accounts).toEqual([ALICE])
  })

  test('says what is wrong with a request without a method', async () => {
    const { chain, provider } = await open()
    const words = await chain.request({} as never).catch((error: Error) => error.message)
    expect(words).toBe('invalid request: method must be a string, got nothing')
    await expect(provider.request({} as never)).rejects.toThrow(`${words}`)
  })

  test.each<[string, unknown[]]>([
    ['eth_sendTransaction', [{ from: BOB, to: ALICE }]],
    ['personal_sign', ['0x68', BOB]],
    ['eth_signTypedData_v4', [BOB, {}]],
    ['wallet_sendCalls', [{ version: '2.0.0', from: BOB, atomicRequired: false, calls: [{ to: ALICE }] }]],
    ['wallet_getCapabilities', [BOB]],
  ])('refuses %s of an account that the page has not, with 4100', async (method, params) => {
    const { ask } = await open()
    await expect(ask(method, ...params)).rejects.toMatchObject({ code: 4100, kind: 'unauthorized' })
    await ask('eth_requestAccounts')
    await expect(ask(method, ...params)).rejects.toMatchObject({ code: 4100 })
  })

  test('a request without an account is one of the current account, and addresses may have a checksum', async () => {
    const { chain, ask } = await open()
    await expect(ask('eth_sendTransaction', { to: BOB })).rejects.toMatchObject({ code: 4100 })
    await ask('eth_requestAccounts')
    await ask('eth_sendTransaction', { to: BOB })
    await ask('eth_sendTransaction', { from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', to: BOB })
    await chain.seal()
    expect(await chain.request('eth_getTransactionCount', [ALICE, 'latest'])).toBe('0x2')
  })

  test('sends bundles of calls, and tells what becomes of them (EIP-5792)', async () => {
    const { chain, ask } = await open()
    await ask('eth_requestAccounts')
    expect(await ask('wallet_getCapabilities', ALICE)).toEqual({
      '0x7a69': { atomic: { status: 'unsupported' } },
    })
    const calls = [
      { to: BOB, value: '0x1' },
      { to: BOB, value: '0x2' },
    ]
    const bundle = { version: '2.0.0', chainId: '0x7a69', from: ALICE, atomicRequired: false, calls }
    const { id } = (await ask('wallet_sendCalls', bundle)) as { id: string }
    expect(await ask('wallet_getCallsStatus', id)).toMatchObject({ status: 100, receipts: [] })
    await chain.closePartial()
    expect(await ask('wallet_getCallsStatus', id)).toMatchObject({ status: 200, atomic: false })
    expect(await ask('wallet_showCallsStatus', id)).toBeNull()
  })

  test('tells of another chain id, and of accounts until the page stops listening', async () => {
    const { chain, ask, provider, wallet } = await open()
    const heard: unknown[] = []
    const hear = (value: unknown): void => void heard.push(value)
    provider.on('chainChanged', hear).on('accountsChanged', hear)
    await chain.setChainId(10)
    await ask('eth_requestAccounts')
    provider.removeListener('chainChanged', hear)
    provider.removeListener('accountsChanged', hear)
    await chain.setChainId(11)
    wallet.revoke()
    expect(heard).toEqual(['0xa', [ALICE]])
  })
})
