// What a request rejects with if the emulator itself fails, or its answer is too long.

import { createEmulator } from 'tickchain'
import { afterEach, expect, test, vi } from 'vitest'
import { eth_chainId } from '../../../src/core/rpc/methods/client.ts'

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

test('an answer that no string can hold is refused in the words of geth, -32003 (rpc/errors.go)', async () => {
  const tooLong = {
    // As JSON.stringify does for more than 2^29 characters.
    toJSON() {
      throw new RangeError('Invalid string length')
    },
  }
  vi.spyOn(eth_chainId, 'handle').mockImplementation(() => tooLong as never)
  const chain = await createEmulator()
  const ask = (body: unknown) => chain.handle(JSON.stringify(body))
  const asked = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
  const refused = { jsonrpc: '2.0', id: 1, error: { code: -32003, message: 'response too large' } }
  expect(JSON.parse((await ask(asked)) as string)).toEqual(refused)
  expect(JSON.parse((await ask([asked, { ...asked, id: 2 }])) as string)).toEqual([
    refused,
    { ...refused, id: 2 },
  ])
})
