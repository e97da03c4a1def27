// Wallet discovery (EIP-6963), on a window that is only an EventTarget.

import { announceProvider, createEmulator } from 'tickchain'
import { expect, test } from 'vitest'

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
