// A page of another origin in Chromium, on the HTTP and WebSocket endpoints of an emulator.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { createEmulator, type EmulatorOptions } from 'tickchain'
import { afterEach, expect, test } from 'vitest'
import { type ChainServer, serveChain } from '../interop/serve-chain.ts'
import { newPage, takeComplaints } from './page.ts'

const servers: Pick<ChainServer, 'close'>[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map(({ close }) => close()))
})

const HTML =
  '<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,"></head></html>'

/** The origin of a page on this machine, as a development server has it. */
async function servePage(): Promise<string> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(HTML))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  servers.push({
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

async function open(optionsFor: (origin: string) => EmulatorOptions): Promise<{ page: Page; host: string }> {
  const origin = await servePage()
  const server = await serveChain(await createEmulator(optionsFor(origin)))
  servers.push(server)
  const page = await newPage({}, () => true)
  await page.goto(origin)
  return { page, host: server.host }
}

/** Asks for the chain id, by `fetch` in the page; JSON as content type makes the browser ask first. */
function askChainId(page: Page, host: string): Promise<unknown> {
  return page.evaluate(async (address) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(address, { method: 'POST', headers, body }).catch(
      (error: Error) => error.name,
    )
    return typeof response === 'string' ? response : response.json()
  }, `http://${host}`)
}

test.each<[string, (origin: string) => EmulatorOptions]>([
  ['all origins are allowed', () => ({ allowedOrigins: '*' })],
  ['its origin is allowed', (origin) => ({ allowedOrigins: [origin] })],
])('a page reads answers if %s', async (_, optionsFor) => {
  const { page, host } = await open(optionsFor)
  expect(await askChainId(page, host)).toEqual({ jsonrpc: '2.0', id: 1, result: '0x7a69' })
})

test('a page of localhost gets messages of its WebSocket', async () => {
  const { page, host } = await open(() => ({}))
  const heard = await page.evaluate(async (address) => {
    const socket = new WebSocket(address)
    const texts: string[] = []
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    const isDone = new Promise<void>((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        texts.push(data)
        if (texts.length === 3) resolve()
      })
    })
    socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
    socket.send('{"jsonrpc":"2.0","id":2,"method":"anvil_mine"}')
    await isDone
    return texts.map((text) => JSON.parse(text))
  }, `ws://${host}`)
  expect(heard).toEqual([
    { jsonrpc: '2.0', id: 1, result: '0x1' },
    expect.objectContaining({ method: 'eth_subscription' }),
    { jsonrpc: '2.0', id: 2, result: null },
  ])
})

test('a page whose origin is not listed sends nothing, over HTTP or WebSocket', async () => {
  const { page, host } = await open(() => ({ allowedOrigins: ['http://other.test'] }))
  expect(await askChainId(page, host)).toBe('TypeError')
  const outcome = page.evaluate((address) => {
    const socket = new WebSocket(address)
    return new Promise((resolve) => {
      socket.addEventListener('open', () => resolve('open'))
      socket.addEventListener('error', () => resolve('refused'))
    })
  }, `ws://${host}`)
  expect(await outcome).toBe('refused')
  const [preflight, load, handshake] = takeComplaints()
  expect(preflight).toContain('has been blocked by CORS policy')
  expect(load).toContain('Failed to load resource')
  expect(handshake).toMatch(/^WebSocket connection to .* failed/)
})
