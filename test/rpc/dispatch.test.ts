// What a request rejects with if the emulator itself fails.

import { createEmulator } from 'tickchain'
import { afterEach, expect, test, vi } from 'vitest'
import { eth_chainId } from '../../src/rpc/methods/client.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('an error of our own is -32603 (JSON-RPC 2.0, 5.1), with its words and itself as the cause', async () => {
  const mistake = new RangeError('an index out of range')
  vi.spyOn(eth_chainId, 'handle').mockImplementation(() => {
    throw mistake
  })
  const chain = await createEmulator()
  const error: unknown = await chain.request('eth_chainId').catch((reason: unknown) => reason)
  expect(error).toMatchObject({
    name: 'TickchainError',
    kind: 'internal',
    code: -32603,
    message: 'internal error: an index out of range',
  })
  expect((error as Error).cause).toBe(mistake)
})
