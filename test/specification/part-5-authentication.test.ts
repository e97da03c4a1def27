// Specification, part 5: requests to a public endpoint.

import { describe, expect, test } from 'vitest'
import { rpcRequest, start } from './setup.ts'

const URL = 'http://chain.invalid'
const BODY = JSON.stringify(rpcRequest('eth_chainId', [], 7))

describe.each(['open', 'public'] as const)('at an endpoint that is %s', (endpoint) => {
  test('part 5: requests are sent with only the Content-Type: application/json header', async () => {
    const { chain } = await start({ endpoint })
    const headers = { 'Content-Type': 'application/json' }
    const response = await chain.fetch(URL, { method: 'POST', headers, body: BODY })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 7, result: '0x7a69' })
  })

  test.each([
    ['Authorization', 'Bearer abc'],
    ['Authorization', 'Basic YTpi'],
    ['X-Api-Key', 'abc'],
    ['Cookie', 'session=abc'],
    ['Origin', 'https://example.org'],
  ])('part 5: no credential is part of them: %s: %s makes no difference', async (name, value) => {
    const { chain } = await start({ endpoint })
    const headers = { 'Content-Type': 'application/json', [name]: value }
    const response = await chain.fetch(URL, { method: 'POST', headers, body: BODY })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 7, result: '0x7a69' })
  })

  test('part 5: no answer asks for a credential or gives one', async () => {
    const { chain } = await start({ endpoint })
    const headers = { 'Content-Type': 'application/json' }
    const response = await chain.fetch(URL, { method: 'POST', headers, body: BODY })
    expect(response.headers.get('www-authenticate')).toBeNull()
    expect(response.headers.get('set-cookie')).toBeNull()
  })
})

test('part 5: methods that sign or move the clock need no credential either, in process', async () => {
  const { chain } = await start({ endpoint: 'public' })
  await expect(chain.request({ method: 'evm_mine' })).resolves.toBe('0x0')
})
