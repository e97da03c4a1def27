// The emulator as an EIP-1193 provider: the shape that clients expect, and events that never occur.

import { advanceOnPoll, createEmulator } from 'tickchain'
import { describe, expect, test, vi } from 'vitest'

const NEVER = ['connect', 'disconnect', 'accountsChanged'] as const

test.each(NEVER)('%s may be listened to, and is never emitted', async (event) => {
  const chain = await createEmulator()
  const listener = vi.fn()
  expect(chain.on(event, listener)).toBe(chain)
  await chain.request({ method: 'eth_requestAccounts' })
  await chain.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x7a69' }] })
  await chain.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
  await chain.advance(2000)
  expect(chain.removeListener(event, listener)).toBe(chain)
  chain.on(event, listener)
  chain.dispose()
  expect(listener).not.toHaveBeenCalled()
})

test('chainChanged has the new chain id in hex, once for each change', async () => {
  const chain = await createEmulator()
  const listener = vi.fn()
  chain.on('chainChanged', listener)
  const snapshot = chain.snapshot()
  await chain.setChainId(10)
  await chain.setChainId(10)
  await chain.request({ method: 'anvil_setChainId', params: ['0x2105'] })
  await chain.revert(snapshot)
  await chain.advance(2000)
  expect(listener.mock.calls).toEqual([['0xa'], ['0x2105'], ['0x7a69']])
})

test('a listener that was never added may be removed', async () => {
  const chain = await createEmulator()
  for (const event of [...NEVER, 'message', 'unheardOf']) {
    expect(chain.removeListener(event, () => undefined)).toBe(chain)
  }
})

test('after dispose every request is refused with the disconnected error', async () => {
  const chain = await createEmulator()
  chain.dispose()
  await expect(chain.request({ method: 'eth_chainId' })).rejects.toMatchObject({ code: 4900 })
})

describe('request', () => {
  test('works without its object, as clients take it along', async () => {
    const { request } = await createEmulator()
    expect(await request({ method: 'eth_chainId' })).toBe('0x7a69')
  })

  test('is an async function, by which web3.js knows EIP-1193', async () => {
    const chain = await createEmulator()
    for (const { request } of [chain, advanceOnPoll(chain)]) {
      expect(request.constructor.name).toBe('AsyncFunction')
    }
  })

  test.each([undefined, null, [], 'eth_chainId', { method: 'eth_chainId' }, { params: [] }])(
    'of %j is answered or refused, and never throws synchronously',
    async (call) => {
      const chain = await createEmulator()
      const request = chain.request as (call: unknown) => Promise<unknown>
      const answer = await request(call).catch(({ code }) => code)
      expect(['0x7a69', -32600]).toContain(answer)
    },
  )
})
