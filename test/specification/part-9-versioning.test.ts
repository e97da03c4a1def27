// Specification, part 9: the protocol version.

import { describe, expect, test } from 'vitest'
import { post, resultOf, rpcRequest, start, type WireAnswer } from './setup.ts'

describe('the jsonrpc field', () => {
  test.each([
    ['a result', rpcRequest('eth_chainId')],
    ['an error', rpcRequest('eth_nothing')],
    ['invalid JSON', '{'],
    ['JSON that is no request', '{}'],
    ['an empty batch', '[]'],
  ])('part 9: it is "2.0" in each response: %s', async (_, body) => {
    const { chain } = await start()
    expect(await post(chain, body)).toMatchObject({ jsonrpc: '2.0' })
  })

  test('part 9: it is "2.0" in each response of a batch', async () => {
    const { chain } = await start()
    const answers = (await post(chain, [
      rpcRequest('eth_chainId'),
      1,
      rpcRequest('eth_nothing'),
    ])) as WireAnswer[]
    expect(answers.map(({ jsonrpc }) => jsonrpc)).toEqual(['2.0', '2.0', '2.0'])
  })

  test.each([
    ['absent', {}],
    ['null', { jsonrpc: null }],
    ['1.0', { jsonrpc: '1.0' }],
    ['1.1', { jsonrpc: '1.1' }],
    ['2', { jsonrpc: '2' }],
    ['a number', { jsonrpc: 2.0 }],
  ])(
    'part 9: a request with another version -> -32600 with its id, and it is not carried out: %s',
    async (_, version) => {
      const { chain } = await start()
      expect(await post(chain, { ...version, id: 9, method: 'evm_mine', params: [] })).toEqual({
        jsonrpc: '2.0',
        id: 9,
        error: { code: -32600, message: expect.stringMatching(/jsonrpc must be "2\.0"/) },
      })
      expect(await resultOf(chain, 'eth_blockNumber')).toBe('0x0')
    },
  )

  test('part 9: one request of a batch with another version is refused alone', async () => {
    const { chain } = await start()
    expect(
      await post(chain, [
        { ...rpcRequest('eth_chainId', [], 1), jsonrpc: '1.0' },
        rpcRequest('eth_chainId', [], 2),
      ]),
    ).toMatchObject([
      { id: 1, error: { code: -32600 } },
      { id: 2, result: '0x7a69' },
    ])
  })
})

test('part 9: the service itself is versioned by its package', async () => {
  const { chain } = await start()
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } })
  expect(await resultOf(chain, 'web3_clientVersion')).toBe(`anvil/tickchain/v${manifest.version}`)
})
