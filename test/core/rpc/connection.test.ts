// chain.connect: JSON-RPC 2.0 text in both directions, with the messages of geth's WebSocket endpoint.

import { createEmulator, type Emulator } from 'tickchain'
import { describe, expect, test } from 'vitest'

/** A connection with what was sent through it. */
function connectTo(chain: Emulator) {
  const sent: string[] = []
  const connection = chain.connect((text) => void sent.push(text))
  let lastId = 0
  const ask = (method: string, ...params: unknown[]) => {
    lastId++
    return connection.receive(JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params }))
  }
  return { ...connection, ask, sent, parsed: () => sent.splice(0).map((text) => JSON.parse(text)) }
}

const head = (subscription: string, number: string) => ({
  jsonrpc: '2.0',
  method: 'eth_subscription',
  params: { subscription, result: expect.objectContaining({ number }) },
})
const answer = (id: number, result: unknown) => ({ jsonrpc: '2.0', id, result })

test('answers and messages are texts in JSON-RPC 2.0', async () => {
  const chain = await createEmulator()
  const { ask, parsed } = connectTo(chain)
  await ask('eth_chainId')
  await ask('eth_subscribe', 'newHeads')
  await chain.seal()
  expect(parsed()).toEqual([answer(1, '0x7a69'), answer(2, '0x1'), head('0x1', '0x1')])
})

test('a batch is answered as one text, a notification not at all, and bad text by an error', async () => {
  const chain = await createEmulator()
  const { receive, parsed } = connectTo(chain)
  await receive('[{"jsonrpc":"2.0","id":1,"method":"net_version"},{"jsonrpc":"2.0","id":2,"method":"nope"}]')
  await receive('{"jsonrpc":"2.0","method":"evm_mine"}')
  await receive('{')
  expect(parsed()).toEqual([
    [answer(1, '31337'), { jsonrpc: '2.0', id: 2, error: expect.objectContaining({ code: -32601 }) }],
    { jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32700 }) },
  ])
  expect(await chain.request('eth_blockNumber')).toBe('0x1')
})

test('what is no text is refused, with the way to text', async () => {
  const chain = await createEmulator()
  const { receive, sent } = connectTo(chain)
  const request = { jsonrpc: '2.0', id: 1, method: 'net_version' }
  for (const data of [undefined, request, Buffer.from(JSON.stringify(request))]) {
    await expect(receive(data as never)).rejects.toMatchObject({
      kind: 'invalidCall',
      message: expect.stringContaining('expected text, such as data.toString(), got '),
    })
  }
  expect(sent).toEqual([])
})

test('messages that a request causes come before its answer', async () => {
  const chain = await createEmulator()
  const { ask, parsed } = connectTo(chain)
  await ask('eth_subscribe', 'newHeads')
  await ask('evm_mine')
  expect(parsed()).toEqual([answer(1, '0x1'), head('0x1', '0x1'), answer(2, expect.anything())])
})

test('messages of a subscription come after the answer that names it', async () => {
  const chain = await createEmulator()
  const { ask, parsed } = connectTo(chain)
  // In flight together: the block is sealed before the first answer is ready to be sent.
  await Promise.all([ask('eth_subscribe', 'newHeads'), chain.seal(), chain.seal()])
  expect(parsed()).toEqual([answer(1, '0x1'), head('0x1', '0x1'), head('0x1', '0x2')])
  await ask('eth_subscribe', 'syncing')
  expect(parsed().map(({ id }) => id)).toEqual([2, undefined])
})

describe('each connection has subscriptions of its own', () => {
  test('and is sent the messages of no others', async () => {
    const chain = await createEmulator()
    const [alice, bob] = [connectTo(chain), connectTo(chain)]
    const heard: unknown[] = []
    chain.on('message', ({ data }) => heard.push(data.subscription))
    await alice.ask('eth_subscribe', 'newHeads')
    await bob.ask('eth_subscribe', 'newHeads')
    await chain.request('eth_subscribe', ['newHeads'])
    await chain.seal()
    expect(alice.parsed()).toEqual([answer(1, '0x1'), head('0x1', '0x1')])
    expect(bob.parsed()).toEqual([answer(1, '0x2'), head('0x2', '0x1')])
    expect(heard).toEqual(['0x3'])
  })

  test('which nobody else can end', async () => {
    const chain = await createEmulator()
    const [alice, bob] = [connectTo(chain), connectTo(chain)]
    await alice.ask('eth_subscribe', 'newHeads')
    await bob.ask('eth_unsubscribe', '0x1')
    expect(bob.parsed()).toEqual([answer(1, false)])
    expect(await chain.request('eth_unsubscribe', ['0x1'])).toBe(false)
    await chain.seal()
    await alice.ask('eth_unsubscribe', '0x1')
    await chain.seal()
    expect(alice.parsed()).toEqual([answer(1, '0x1'), head('0x1', '0x1'), answer(2, true)])
  })

  test('and shares the filters, as those of one node do', async () => {
    const chain = await createEmulator()
    const [alice, bob] = [connectTo(chain), connectTo(chain)]
    await alice.ask('eth_newBlockFilter')
    await chain.seal()
    await bob.ask('eth_getFilterChanges', '0x1')
    expect(bob.parsed()).toEqual([answer(1, [expect.stringMatching(/^0x\w{64}$/)])])
  })

  test('until it is closed, also if the subscription is still on its way', async () => {
    const chain = await createEmulator()
    const { ask, close, sent } = connectTo(chain)
    await ask('eth_subscribe', 'newHeads')
    const late = ask('eth_subscribe', 'newHeads')
    close()
    await late
    await chain.seal()
    await ask('eth_chainId')
    expect(sent).toHaveLength(1)
    // Ids count on; both subscriptions are gone, so that there is nothing to end.
    expect(await chain.request('eth_subscribe', ['newHeads'])).toBe('0x3')
    expect(await chain.request('eth_unsubscribe', ['0x2'])).toBe(false)
  })
})

test('a request that has arrived takes effect, although its connection is closed', async () => {
  const chain = await createEmulator()
  const { ask, close } = connectTo(chain)
  const mined = ask('evm_mine')
  close()
  await mined
  expect(await chain.request('eth_blockNumber')).toBe('0x1')
})

test('a function that throws is reported, and harms nothing', async () => {
  const chain = await createEmulator()
  const errors: unknown[] = []
  chain.on('listenerError', ({ error, event }) => errors.push([(error as Error).message, event]))
  const connection = chain.connect(() => {
    throw new Error('gone')
  })
  await connection.receive('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
  await chain.seal()
  expect(errors).toEqual([
    ['gone', 'message'],
    ['gone', 'message'],
  ])
  expect(await chain.request('eth_blockNumber')).toBe('0x1')
})

test('an emulator that is disposed of answers so, and the connection closes', async () => {
  const chain = await createEmulator()
  const { ask, close, parsed } = connectTo(chain)
  chain.dispose()
  await ask('eth_chainId')
  expect(parsed()).toEqual([{ jsonrpc: '2.0', id: 1, error: expect.objectContaining({ code: 4900 }) }])
  close()
})

test('connect takes a function', async () => {
  const chain = await createEmulator()
  expect(() => chain.connect(undefined as never)).toThrow(
    expect.objectContaining({
      kind: 'invalidCall',
      message: 'invalid call connect: expected a function, got nothing',
    }),
  )
})
